"""Mutants of what passes make: the solver must not prove one that a search tells apart.

`python test/prove/mutants.py [seconds] [seed]` changes one place in a function that a pattern file
rewrites, asks the solver, and looks for a counterexample to each that it proves.
"""

import random
import re
import sys
import time
from collections import Counter

from mlir_gs.dialect import context
from mlir_gs.dialect._bindings import ir
from mlir_gs.prove.compare import compare
from mlir_gs.prove.prove import functions, plain, prove
from mlir_gs.prove.search import search
from pattern_files import pattern_files

# A text, and what may take its place.
CHANGES = [
    (r'mode = "(\w+)"', ['mode = "clip"', 'mode = "fill"', 'mode = "drop"', 'mode = "error"']),
    (r'"fill_or_drop"', ['"clip"', '"promise_in_bounds"', '"error"']),
    (r'"promise_in_bounds"', ['"clip"', '"fill_or_drop"', '"error"']),
    (r", wrap_negative", [""]),
    (r"wrap_negative = \[(true|false)", ["wrap_negative = [true", "wrap_negative = [false"]),
    (r", unique|, sorted", [""]),
    (r"\{gather_dims", ["{unique, gather_dims", "{wrap_negative, gather_dims"]),
    (r"\{scatter_dims", ["{unique, scatter_dims", "{sorted, scatter_dims"]),
    (r"array<i64: (\d+)", ["array<i64: 0", "array<i64: 1", "array<i64: 2"]),
    (r"dim = \d+", ["dim = 0", "dim = 1"]),
    (r"arith.constant (-?\d+)", ["arith.constant 0", "arith.constant 1", "arith.constant 2"]),
    (r"dense<(-?\d+)>", ["dense<0>", "dense<1>", "dense<3>"]),
    (r"\bd0, d1\b", ["d1, d0"]),
    (r"\bs0\b", ["s1"]),
    (r"arith.minsi", ["arith.maxsi", "arith.minui"]),
    (r"arith.maxsi", ["arith.minsi", "arith.maxui"]),
    (r"arith.addi", ["arith.subi", "arith.ori"]),
    (r"arith.subi", ["arith.addi"]),
    (r"arith.addf", ["arith.subf", "arith.maximumf"]),
    (r"arith.maximumf", ["arith.minimumf", "arith.maxnumf"]),
    (r"cmpi s(lt|ge|le|gt)", ["cmpi slt", "cmpi sle", "cmpi sge", "cmpi ult"]),
    (r"-0.000000e\+00", ["0.000000e+00"]),
    (r"(%[\w#]+), (%[\w#]+)", [r"\2, \1", r"\1, \1"]),
    (r"\[0, ", ["[1, "]),
]


def main(seconds: float, seed: int) -> int:
    choice = random.Random(seed)
    counts: Counter[str] = Counter()
    files = [file for file in pattern_files() if file.is_proved]
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        file = choice.choice(files)
        with context():
            before, after = file.modules()
            names = list(functions(before))
            name = choice.choice(names)
            for module in (before, after):
                for each, function in functions(module).items():
                    if each != name:
                        function.erase()
            text = str(after)
            changed = _changed(text, choice)
            try:
                mutant = ir.Module.parse(changed)
                mutant.operation.verify()
            except (ir.MLIRError, AttributeError, KeyError):
                continue
            if str(mutant) == text:
                continue
            one, other = plain(before), plain(mutant)
            if not compare(functions(one)[name], functions(other)[name], 2).proved:
                counts[prove(before, mutant, name, 2).status] += 1
                continue
            counts["proved"] += 1
            found = search(before, mutant, name, 2, 1000, seed)
            if found:
                counts["wrongly proved"] += 1
                print(f"{file.path.stem} @{name} is proved:\n{before}{mutant}{found.text()}")
    print(", ".join(f"{count} {status}" for status, count in sorted(counts.items())))
    return int(counts["wrongly proved"] > 0)


def _changed(text: str, choice: random.Random) -> str:
    pattern, news = choice.choice(CHANGES)
    places = list(re.finditer(pattern, text))
    if not places:
        return text
    place = choice.choice(places)
    return text[: place.start()] + place.expand(choice.choice(news)) + text[place.end() :]


if __name__ == "__main__":
    given = [float(each) for each in sys.argv[1:]]
    sys.exit(main(given[0] if given else 60, int(given[1]) if given[1:] else 0))
