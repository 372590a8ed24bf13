"""Functions in the assembly form, and rewrites of each: right and wrong ones.

A file of `Inputs/rewrites` is a function @f and sections `==== wrong: name` or `==== right: name`,
or `==== open: name` for a right one that is not proved, and `==== unproved: name` for a wrong one
that no run shows to be wrong. A section replaces text: lines `- old` by the lines `+ new` below.

`python test/prove/rewrites.py [name]` tries them and prints what is not as it should be.
"""

import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path

from mlir_gs.dialect import context
from mlir_gs.dialect._bindings import ir
from mlir_gs.dialect.assembly.read import to_generic
from mlir_gs.prove.prove import Answer, prove

WANTED = {"right": "proved", "wrong": "refuted", "open": "unknown", "unproved": "unknown"}
FOLDER = Path(__file__).parent / "Inputs" / "rewrites"


@dataclass(frozen=True)
class Rewrite:
    """A function and what is made of it."""

    name: str
    before: str
    after: str
    wanted: str

    @property
    def is_right(self) -> bool:
        return self.wanted != "refuted"

    def answer(self, timeout: float = 10.0) -> Answer:
        timeout = 3.0 if self.wanted == "unknown" else timeout
        with context():
            modules = [
                ir.Module.parse(to_generic(text.encode()).text.decode())
                for text in (self.before, self.after)
            ]
            return prove(*modules, "f", timeout)


def rewrites() -> Iterator[Rewrite]:
    for path in sorted(FOLDER.glob("*.txt")):
        before, *sections = path.read_text(encoding="utf-8").split("\n==== ")
        for section in sections:
            title, _, edits = section.partition("\n")
            word, name = title.split(": ", 1)
            yield Rewrite(f"{path.stem}: {name}", before, _edited(before, edits), WANTED[word])


def _edited(text: str, edits: str) -> str:
    lines = [line for line in edits.splitlines() if line]
    groups = [(sign, list(group)) for sign, group in groupby(lines, key=lambda line: line[0])]
    for n, (sign, group) in enumerate(groups):
        if sign != "-":
            continue
        follows = n + 1 < len(groups) and groups[n + 1][0] == "+"
        old, new = ("\n".join(line[2:] for line in each)
                    for each in (group, groups[n + 1][1] if follows else []))  # fmt: skip
        if old not in text:
            raise ValueError(f"no {old!r} in {text}")
        text = text.replace(old, new)
    return text


def main() -> int:
    counts: Counter[str] = Counter()
    for each in rewrites():
        if sys.argv[1:] and sys.argv[1] not in each.name:
            continue
        answer = each.answer()
        word = each.wanted if answer.status == each.wanted else f"not {each.wanted}"
        counts[word] += 1
        if answer.status != each.wanted:
            found = answer.counterexample.text() if answer.counterexample else answer.reason
            print(f"{each.name}: {answer.status}, not {each.wanted}: {found}", flush=True)
    print(", ".join(f"{count} {word}" for word, count in sorted(counts.items())))
    return int(any(word.startswith("not") for word in counts))


if __name__ == "__main__":
    sys.exit(main())
