"""Z3 has no types of use: its functions return any of its classes."""

from typing import Any

def __getattr__(name: str) -> Any: ...
