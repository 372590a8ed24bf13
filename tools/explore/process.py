"""A process that works for the server, request by request, and may crash or hang."""

import asyncio
import contextlib
import json
import os
import signal
import sys
from typing import Any

from mlir_gs.tools.common import loading


class Stopped(Exception):
    """There is no answer; the text says why, in one line."""


_START = 120.0
"""Seconds in which the process must have begun."""

_LONGEST = 1 << 28
"""Bytes of an answer."""


class Worker:
    """Starts the process when it is asked, and anew after one that has ended.

    `seconds`: what a request may take.
    """

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self._process: asyncio.subprocess.Process | None = None
        self._lock = asyncio.Lock()
        self._why = ""

    async def ask(self, request: dict[str, Any]) -> Any:
        """The answer to a request. Raises Stopped."""
        async with self._lock:
            self._why = ""
            doing = [""]
            try:
                async with asyncio.timeout(_START):
                    process = await self._started()
                async with asyncio.timeout(self.seconds):
                    return await self._ask(process, request, doing)
            except TimeoutError:
                await self._end()
                while_ = f" while {doing[0]}" if doing[0] else ""
                limit = f"stopped: it took more than {self.seconds:g} s{while_} (--request-limit)"
                raise Stopped(limit) from None
            except asyncio.CancelledError:
                # Nobody reads the answer; what it is about would be that of the next request.
                await self._end()
                raise

    async def _started(self) -> asyncio.subprocess.Process:
        process = self._process
        if process is None or process.returncode is not None:
            process = self._process = await asyncio.create_subprocess_exec(
                *(sys.executable, "-P", "-m", "mlir_gs.tools.explore.worker", str(os.getpid())),
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                limit=_LONGEST,
                env={**os.environ, loading.VARIABLE: os.pathsep.join(loading.loaded)},
                # Ctrl-C is for the server.
                start_new_session=True,
            )
            assert process.stdout is not None
            await process.stdout.readline()
        return process

    async def _ask(
        self, process: asyncio.subprocess.Process, request: dict[str, Any], doing: list[str]
    ) -> Any:
        assert process.stdin is not None
        assert process.stdout is not None
        with contextlib.suppress(ConnectionError):
            process.stdin.write(json.dumps(request).encode() + b"\n")
            await process.stdin.drain()
        while line := await process.stdout.readline():
            try:
                answer = json.loads(line)
            except ValueError:
                break
            if "doing" not in answer:
                return answer
            doing[0] = answer["doing"]
        await self._end()
        ended = process.returncode or 0
        how = signal.Signals(-ended).name if ended < 0 else f"exit code {ended}"
        raise Stopped(self._why or f"it ended with {how} while {doing[0] or 'starting'}")

    async def _end(self) -> None:
        process, self._process = self._process, None
        if process is None:
            return
        with contextlib.suppress(ProcessLookupError):
            if process.returncode is None and not self._has_ended(process):
                process.kill()
        await process.wait()

    @staticmethod
    def _has_ended(process: asyncio.subprocess.Process) -> bool:
        return process.stdout is not None and process.stdout.at_eof()

    def stop(self) -> None:
        """End what it is doing; the request that waits is Stopped."""
        self._why = "stopped"
        if self._process is not None and self._process.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                self._process.kill()

    async def close(self) -> None:
        """End the process."""
        self.stop()
        await self._end()
