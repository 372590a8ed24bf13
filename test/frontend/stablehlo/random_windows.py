"""Random gathers, scatters and slices of StableHLO against StableHLO's own interpreter.

    python test/frontend/stablehlo/random_windows.py --count 500 --seed 0

draws that many of each kind and compares compiled code and reference with the interpreter.
"""

import argparse

from stablehlo_harness import assert_same, compiled, imported, interpreted, referenced
from window_cases import DRAWS, Case


def check(kind: str, seed: int) -> Case:
    """Draw the case and compare; an AssertionError names the seed and holds the program."""
    case = DRAWS[kind](seed)
    what = f"{kind}, seed {seed}:\n{case.text}"
    expected = interpreted(case.text, case.arguments)
    try:
        module = imported(case.text)
    except Exception as error:
        raise AssertionError(what) from error
    assert_same(referenced(module, case.arguments), expected, f"reference, {what}")
    assert_same(compiled(module, case.arguments), expected, f"compiled, {what}")
    return case


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=100, help="cases of each kind")
    parser.add_argument("--seed", type=int, default=0, help="seed of the first case")
    options = parser.parse_args()
    for kind in DRAWS:
        for seed in range(options.seed, options.seed + options.count):
            check(kind, seed)
        print(f"{kind}: {options.count} cases agree")


if __name__ == "__main__":
    main()
