"""A gs-explore that runs, and who asks it as the page does."""

import contextlib
import http.client
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit


class Server:
    """A server at `address`; `ask` is a request of its page."""

    def __init__(self, process: Any, address: str) -> None:
        self.process, self.address = process, address
        parts = urlsplit(address)
        self.port, self.token = parts.port or 0, parts.path.strip("/")

    def request(
        self, path: str, body: Any = None, method: str = "", **headers: str
    ) -> tuple[int, bytes, dict[str, str]]:
        """Status, body and headers; `body` is JSON, or bytes."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=100)
        data = body if isinstance(body, bytes) or body is None else json.dumps(body).encode()
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        with contextlib.closing(connection):
            connection.request(method or ("GET" if data is None else "POST"), path, data, named)
            answer = connection.getresponse()
            return answer.status, answer.read(), dict(answer.getheaders())

    def ask(self, what: str, **about: Any) -> Any:
        """The answer to what the page asks."""
        path = what if what == "start" else f"do/{what}"
        status, data, _ = self.request(f"/{self.token}/{path}", about)
        assert status == 200, data
        return json.loads(data)

    def show(self, text: str, *passes: str, at: int | None = None, **more: Any) -> Any:
        """What the page shows of a text after passes."""
        at = len(passes) if at is None else at
        return self.ask("show", name="a.mlir", text=text, passes=passes, at=at, **more)


@contextlib.contextmanager
def explored(*arguments: Any, **environment: str) -> Iterator[Server]:
    """The server of a command line."""
    process = subprocess.Popen(
        [sys.executable, "-m", "mlir_gs.tools.gs_explore", "--no-browser", *map(str, arguments)],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, **environment},
        cwd=Path(__file__).parents[3],
    )
    assert process.stdout is not None
    try:
        line = process.stdout.readline()
        assert line.startswith("gs-explore: http://127.0.0.1:"), line
        yield Server(process, line.split()[1])
    finally:
        process.terminate()
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(10)
        process.kill()
        process.communicate()
