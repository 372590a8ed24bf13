"""Files that tools write: whole or not at all."""

import os
import tempfile
from collections.abc import Callable
from contextlib import suppress
from typing import BinaryIO

from mlir_gs.tools.common import progress
from mlir_gs.tools.common.command_line import UsageError


def save(path: str, write: Callable[[BinaryIO], object], executable: bool = False) -> None:
    """Let `write` write the file; raises UsageError where that fails, as on a full disk, and leaves
    what was at `path`.

    A device or a pipe is written as it is; a link stays one.
    """
    try:
        if os.path.exists(path) and not os.path.isfile(path):
            with open(path, "wb") as file:
                write(file)
        else:
            _replace(os.path.realpath(path), write, executable)
    except (OSError, ValueError) as error:
        # NumPy says how much it could write, not why.
        raise UsageError(f"{path}: {getattr(error, 'strerror', None) or error}") from error


def check_writable(path: str) -> None:
    """Refuse before the work a path that cannot be written after it. Raises UsageError."""
    if os.path.isdir(path):
        raise UsageError(f"cannot open output file '{path}': Is a directory")
    if not os.path.isdir(os.path.dirname(path) or "."):
        raise UsageError(f"cannot open output file '{path}': No such file or directory")


def _replace(path: str, write: Callable[[BinaryIO], object], executable: bool) -> None:
    handle, partial = tempfile.mkstemp(dir=os.path.dirname(path), prefix=progress.PREFIX)
    with progress.unfinished(partial):
        try:
            with open(handle, "wb") as file:
                write(file)
            os.chmod(partial, _mode(path, executable))
            os.replace(partial, path)
        except BaseException:
            with suppress(OSError):
                os.unlink(partial)
            raise


def _mode(path: str, executable: bool) -> int:
    if os.path.exists(path) and not executable:
        return os.stat(path).st_mode & 0o777
    mask = os.umask(0)
    os.umask(mask)
    return (0o777 if executable else 0o666) & ~mask
