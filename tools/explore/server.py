"""The server of the page: one address of this machine, a token, and limits."""

import asyncio
import contextlib
import json
import secrets
import socket
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import uvicorn
from mlir_gs.tools.common.command_line import UsageError
from mlir_gs.tools.explore.process import Stopped, Worker
from starlette.applications import Starlette
from starlette.requests import ClientDisconnect, Request
from starlette.responses import FileResponse, JSONResponse, PlainTextResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

PAGE = Path(__file__).with_name("page")
_FILES = {
    "": "index.html",
    "page.css": "page.css",
    "page.js": "page.bundle.js",
}
_HEADERS = {
    "Cache-Control": "no-store",
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; connect-src 'self'; "
    "style-src 'self' 'unsafe-inline'; img-src 'self' data:; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
}
_WORK = {"show": "passes", "follow": "passes", "expand": "passes", "signature": "run", "run": "run"}
"""The requests that a worker answers, and which one. Who edits does not wait for a run."""


@dataclass(frozen=True)
class Limits:
    """Seconds of a request, and bytes of its body."""

    seconds: float = 30.0
    body: int = 8 << 20


class _Guard:
    """Lets in who knows the token and comes from the page itself."""

    def __init__(self, app: ASGIApp, token: str, port: int) -> None:
        self.app, self.token = app, token
        self.hosts = {f"{name}:{port}" for name in ("127.0.0.1", "localhost")}
        self.origins = {f"http://{host}" for host in self.hosts}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        refusal = self._refusal(scope)
        if refusal:
            await PlainTextResponse(refusal, 403, headers=_HEADERS)(scope, receive, send)
            return
        await self.app(scope, receive, send)

    def _refusal(self, scope: Scope) -> str:
        headers = {
            name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]
        }
        # A name that some page has bound to this address is none of ours.
        if headers.get("host") not in self.hosts:
            return "the address is 127.0.0.1 or localhost alone"
        if headers.get("origin") not in (None, *self.origins):
            return "another page cannot ask"
        given = scope["path"].split("/")[1]
        if not secrets.compare_digest(given.encode("utf-8", "replace"), self.token.encode()):
            return "the address holds no valid token: open the one that gs-explore printed"
        return ""


def application(state: Any, limits: Limits, token: str, port: int) -> ASGIApp:
    """The page at `/<token>/`, and what it asks for. `state`: see `_state` of the driver."""
    workers = {name: Worker(limits.seconds) for name in ("passes", "run")}

    @contextlib.asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        yield
        for worker in workers.values():
            await worker.close()

    async def file(request: Request) -> Response:
        name = _FILES.get(request.path_params.get("name", ""))
        if name is None:
            return PlainTextResponse("there is no such file", 404, headers=_HEADERS)
        return FileResponse(PAGE / name, headers=_HEADERS)

    async def start(_: Request) -> Response:
        about = await _answer(workers["passes"], {"do": "about", "pipeline": state.get("pipeline")})
        return _json({"state": state, "seconds": limits.seconds, **about})

    async def work(request: Request) -> Response:
        name = request.path_params["name"]
        if name == "stop":
            workers["run"].stop()
            workers["passes"].stop()
            return _json({})
        if name not in _WORK:
            return _json({"error": f"there is no '{name}'"}, 404)
        data = bytearray()
        async for chunk in request.stream():
            data += chunk
            if len(data) > limits.body:
                return _json({"error": f"a request has at most {limits.body >> 20} MiB"}, 413)
        try:
            asked = json.loads(data)
        except (ValueError, RecursionError):
            asked = None
        if not isinstance(asked, dict):
            return _json({"error": "expected an object in JSON"}, 400)
        worker = workers[_WORK[name]]
        return _json(await _while_connected(request, _answer(worker, {**asked, "do": name})))

    routes = [
        Route(f"/{token}/", file),
        Route(f"/{token}/start", start, methods=["POST"]),
        Route(f"/{token}/do/{{name}}", work, methods=["POST"]),
        Route(f"/{token}/{{name}}", file),
    ]
    return _Guard(Starlette(routes=routes, lifespan=lifespan), token, port)


async def _answer(worker: Worker, request: dict[str, Any]) -> dict[str, Any]:
    try:
        return await worker.ask(request)
    except Stopped as why:
        return {"error": str(why)}


async def _while_connected(request: Request, answer: Any) -> dict[str, Any]:
    """The answer; what computes it is stopped when the page no longer waits."""
    task = asyncio.ensure_future(answer)
    gone = asyncio.ensure_future(_gone(request))
    await asyncio.wait({task, gone}, return_when=asyncio.FIRST_COMPLETED)
    gone.cancel()
    if not task.done():
        task.cancel()
        return {"error": "stopped"}
    return task.result()


async def _gone(request: Request) -> None:
    with contextlib.suppress(ClientDisconnect):
        while not await request.is_disconnected():
            await asyncio.sleep(0.1)


def _json(value: Any, status: int = 200) -> Response:
    return JSONResponse(value, status, headers=_HEADERS)


def serve(state: Any, port: int, limits: Limits, opened: Callable[[str], object]) -> None:
    """Serve until Ctrl-C; `opened` gets the page's address. Raises UsageError for a port that is
    taken."""
    listening = socket.socket()
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind(("127.0.0.1", port))
    except OSError as error:
        raise UsageError(f"--port {port}: {error.strerror}") from None
    port = listening.getsockname()[1]
    token = secrets.token_urlsafe(24)
    app = application(state, limits, token, port)
    config = uvicorn.Config(
        app, log_level="error", access_log=False, server_header=False, timeout_graceful_shutdown=1
    )
    listening.listen(16)
    opened(f"http://127.0.0.1:{port}/{token}/")
    with contextlib.suppress(KeyboardInterrupt):
        uvicorn.Server(config).run(sockets=[listening])
