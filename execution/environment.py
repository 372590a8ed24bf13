"""What environment variables say: numbers, and the folder that is kept between processes."""

import contextlib
import os
import sys
from functools import cache
from pathlib import Path

CACHE = "MLIR_GS_CACHE"

_MOST = 1 << 62


def number(text: str) -> int | None:
    """A number from 0 on in digits, of what is larger the largest that fits; else None."""
    text = text.strip()
    if not (text.isascii() and text.isdecimal()):
        return None
    digits = text.lstrip("0")
    return _MOST if len(digits) > 18 else int(digits or "0")


def environment_number(variable: str, otherwise: int) -> int:
    """What the variable says; `otherwise` where that is no number, which is said once."""
    text = os.environ.get(variable, "").strip()
    found = number(text)
    if found is None and text:
        _say(f"{variable}: expected a number, found {text[:40]!r}: {otherwise} is used")
    return otherwise if found is None else found


@cache
def _say(text: str) -> None:
    print(text, file=sys.stderr)


def cache_folder() -> Path | None:
    """Where files are kept, whether it exists or not; None if nothing is to be kept."""
    given = os.environ.get(CACHE, "")
    if given.lower() in ("off", "0", "no", "false"):
        return None
    if given:
        return Path(given)
    base = os.environ.get("XDG_CACHE_HOME", "")
    if os.path.isabs(base):
        return Path(base) / "mlir-gs"
    try:
        return Path.home() / ".cache" / "mlir-gs"
    except RuntimeError:
        return None


def write(path: Path, data: bytes) -> None:
    """Write a file whole or not at all: other processes see the old file or the new one. Raises
    OSError."""
    # Not at the top: it imports ten modules, for which the first call of a kept kernel would wait.
    import tempfile

    handle, name = tempfile.mkstemp(prefix="new-", dir=path.parent)
    try:
        with open(handle, "wb") as file:
            file.write(data)
        os.replace(name, path)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(name)
        raise


def keep(path: Path, text: str) -> None:
    """Write a file of the folder, whole or not at all. Raises OSError."""
    if not path.parent.exists():
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    write(path, text.encode())
