"""A check that goes wrong in every way; processes import it by name."""

import os
import time

from watched import ISOLATED


def misbehave(seed: int, number: int) -> str:
    """Case 1 ends the process, case 2 hangs, case 3 complains, and 4 was kept away."""
    if number == 1:
        os.abort()
    if number == 2:
        time.sleep(60)
    return {3: "no", 4: f"{ISOLATED}a line"}.get(number, "")
