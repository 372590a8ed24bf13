"""Compare every function of the lit tests of lowering with what their passes make of it.

`python test/prove/lit_inputs.py [timeout]` prints each refutation, which has to be a bug of a pass
or of gs-prove, what is left out as it is refused, and counts: proved, unknown, refuted.
"""

import re
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from statistics import median

from mlir_gs.dialect import context
from mlir_gs.dialect._bindings import ir
from mlir_gs.dialect.assembly.read import to_generic
from mlir_gs.lowering import PassFailure, run_pipeline
from mlir_gs.prove.prove import Answer, functions, prove

ROOT = Path(__file__).parents[1] / "lowering"
FOLDERS = ("algebra", "facts", "fuse", "linalg", "named", "sizes")
_FLAGS = re.compile(r" --((?:gs|convert-gs)-[a-z-]+)(?=[ \n])")
# Flags of gs-opt that are no passes.
_OTHER = {"gs-explain"}


def inputs() -> Iterator[tuple[str, str, str]]:
    """(file, passes, text) of each part of each lit test."""
    for folder in FOLDERS:
        for path in sorted((ROOT / folder).rglob("*.mlir")):
            text = path.read_text(encoding="utf-8")
            run = next((line for line in text.splitlines() if "RUN: gs-opt" in line), "")
            passes = [name for name in _FLAGS.findall(f"{run}\n") if name not in _OTHER]
            if "gs-bufferize" in passes:
                passes = passes[: passes.index("gs-bufferize")]
            if passes and "verify-diagnostics" not in run and "transform-interpreter" not in run:
                for part in text.split("// -----"):
                    yield path.name, ",".join(passes), part


def answers(timeout: float) -> Iterator[tuple[str, Answer]]:
    """(file, answer) of each function."""
    for name, passes, text in inputs():
        with context():
            try:
                generic = to_generic(text.encode()).text.decode()
                before, after = ir.Module.parse(generic), ir.Module.parse(generic)
                run_pipeline(after, passes)
            except (PassFailure, ir.MLIRError) as error:
                # What is refused is no rewrite.
                print(f"{name} left out: {str(error).splitlines()[0]}", flush=True)
                continue
            for entry in functions(before):
                if entry in functions(after):
                    yield name, prove(before, after, entry, timeout)


def main(timeout: float) -> int:
    counts: Counter[str] = Counter()
    times: list[float] = []
    for name, answer in answers(timeout):
        counts[answer.status] += 1
        times.append(answer.seconds)
        if answer.status != "proved":
            found = answer.counterexample.text() if answer.counterexample else answer.reason
            print(f"{name} @{answer.entry} {answer.status}: {found}", flush=True)
    numbers = ", ".join(f"{counts[each]} {each}" for each in ("proved", "unknown", "refuted"))
    print(f"{numbers}; median {median(times):.2f} s")
    return int(counts["refuted"] > 0)


if __name__ == "__main__":
    sys.exit(main(float(sys.argv[1]) if len(sys.argv) > 1 else 3))
