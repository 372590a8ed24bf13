"""Numbers that environment variables give."""

import os

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
