"""What environment variables say: numbers, and the folder that is kept between processes."""

import contextlib
import os
import tempfile
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
    """What the variable says; `otherwise` where that is no number."""
    found = number(os.environ.get(variable, ""))
    return otherwise if found is None else found


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


def keep(path: Path, text: str) -> bool:
    """Write a file of the folder, whole or not at all; whether that could be done."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        # Another process reads all of the file or none of it.
        number, part = tempfile.mkstemp(dir=path.parent, prefix=path.stem)
        try:
            with os.fdopen(number, "w", encoding="utf-8") as file:
                file.write(text)
            os.replace(part, path)
        except OSError:
            with contextlib.suppress(OSError):
                os.unlink(part)
            return False
    except OSError:
        return False
    return True
