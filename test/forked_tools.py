"""The tools for tests that start them hundreds of times: each start is a fork of one process that
has imported them. Run as a program, it is that process."""

import importlib
import marshal
import os
import signal
import socket
import subprocess
import sys
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.metadata import entry_points
from pathlib import Path

_IMPORTED = {
    **{
        f"gs-{name}": f"mlir_gs.tools.{name}.driver" for name in ("opt", "run", "compile", "reduce")
    },
    "filecheck": "filecheck.main",
}
"""What each tool imports when it starts to work."""

_START = """#!{python} -IS
import _socket, marshal, os, sys
place = _socket.socket(_socket.AF_UNIX)
place.connect({place!r})
streams = b"".join(each.to_bytes(4, sys.byteorder) for each in (0, 1, 2))
place.sendmsg([b"."], [(_socket.SOL_SOCKET, _socket.SCM_RIGHTS, streams)])
with open(place.detach(), "r+b", buffering=0) as pipe:
    pipe.write(marshal.dumps(({name!r}, sys.argv[1:], os.getcwd(), dict(os.environ))))
    code = pipe.read(1)
os._exit(code[0] if code else 134)
"""
"""A program that has its arguments, streams, folder and environment used by a fork."""


@contextmanager
def forked_tools(folder: Path, environment: dict[str, str]) -> Iterator[Path]:
    """A folder of programs to put on PATH, made in `folder`. What is read at import is as in
    `environment`."""
    place, programs = folder / "socket", folder / "bin"
    programs.mkdir(parents=True)
    for name in _IMPORTED:
        program = programs / name
        program.write_text(_START.format(python=sys.executable, place=str(place), name=name))
        program.chmod(0o755)
    command = [sys.executable, "-P", __file__, str(place)]
    with subprocess.Popen(
        command, env=environment, stdout=subprocess.PIPE, start_new_session=True
    ) as server:
        assert server.stdout is not None
        assert server.stdout.readline() == b"ready\n"
        try:
            yield programs
        finally:
            # With the forks that have not ended.
            os.killpg(server.pid, signal.SIGTERM)


def _serve(place: str) -> None:
    # At the end of the path: `dialect` of this folder is not that of the package.
    sys.path.append(str(Path(__file__).parent))
    importlib.import_module("erasures").watch_erasures()
    mains = {name: _main(name) for name in _IMPORTED}
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(place)
        server.listen(64)
        print("ready", flush=True)
        signal.signal(signal.SIGCHLD, signal.SIG_IGN)
        while True:
            client, _ = server.accept()
            if os.fork() == 0:
                signal.signal(signal.SIGCHLD, signal.SIG_DFL)
                server.close()
                _run(mains, client)
            client.close()


def _main(name: str) -> Callable[[], int | None]:
    importlib.import_module(_IMPORTED[name])
    (found,) = entry_points(group="console_scripts", name=name)
    return found.load()


def _run(mains: dict[str, Callable[[], int | None]], client: socket.socket) -> None:
    """Does not return."""
    _, streams, *_ = socket.recv_fds(client, 1, 3)
    for number, stream in enumerate(streams):
        os.dup2(stream, number)
        os.close(stream)
    # The objects know of the streams of before whether they seek.
    sys.stdin = os.fdopen(0, closefd=False)
    sys.stdout = os.fdopen(1, "w", closefd=False)
    sys.stderr = os.fdopen(2, "w", buffering=1, errors="backslashreplace", closefd=False)
    with client.makefile("rb") as pipe:
        name, arguments, folder, environment = marshal.load(pipe)
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    sys.argv = [name, *arguments]
    code: object = 1
    try:
        code = mains[name]()
    except SystemExit as end:
        code = end.code
    except BaseException:
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        client.sendall(bytes([code if isinstance(code, int) else int(code is not None)]))
        os._exit(0)


if __name__ == "__main__":
    _serve(sys.argv[1])
