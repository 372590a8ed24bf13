"""Random programs with spoilt coordinates: sanitized code raises exactly where a promise is broken.

    python test/numeric/fuzz_sanitize.py --programs 5000 --seed 0

What the reference says of a program is what sanitized code has to do: raise at the op and write
nothing, or give the reference's results.
"""

import sys

from draw import RandomDraw
from planted_faults import spoilt_program
from test_sanitize import complaint, text_of
from workers import run_programs


def check(seed: int) -> tuple[str, str]:
    """What the reference says of program `seed`, and what is wrong with sanitized code."""
    case = spoilt_program(RandomDraw(seed))
    found = complaint(case)
    broken = "sound" if not case.broken else "out of bounds"
    for word in ("sorted", "ascend", "unique", "parallel", "clip"):
        broken = word if word in case.broken else broken
    return broken, text_of(case, found) if found else ""


def main() -> int:
    counts, programs, wrong = run_programs(check, __doc__)
    told = ", ".join(f"{count} {what}" for what, count in sorted(counts.items()))
    print(f"{programs} programs ({told}): {wrong} wrong")
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main())
