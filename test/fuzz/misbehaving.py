"""A check that goes wrong in every way; processes import it by name."""

import os
import time


def misbehave(seed: int, number: int) -> str:
    """Case 1 ends the process, case 2 hangs, case 3 complains."""
    if number == 1:
        os.abort()
    if number == 2:
        time.sleep(60)
    return "no" if number == 3 else ""
