"""The files of `Inputs/patterns`: what they are about, and what a pass or pattern makes of them."""

from dataclasses import dataclass
from pathlib import Path

from mlir_gs.dialect._bindings import ir
from mlir_gs.frontend.parse import parse
from mlir_gs.lowering import run_pipeline
from mlir_gs.lowering.algebra import patterns
from mlir_gs.prove.symbolic import Symbols
from templates import Template

FOLDER = Path(__file__).parent / "Inputs" / "patterns"


@dataclass(frozen=True)
class PatternFile:
    """One file: the name of a pattern of gs-canonicalize or a pipeline, and what is proved."""

    path: Path
    header: dict[str, str]
    text: str

    @classmethod
    def read(cls, path: Path) -> "PatternFile":
        text = path.read_text(encoding="utf-8")
        lines = [line[3:] for line in text.split("\n\n")[0].splitlines()]
        return cls(path, dict(line.split(": ", 1) for line in lines), text)

    @property
    def is_proved(self) -> bool:
        return self.header["status"] == "proved"

    @property
    def choices(self) -> range:
        """With which values of its names the file is read."""
        return range(2 if "any" in self.header else 1)

    def written(self, choice: int = 0) -> tuple[str, Symbols]:
        """The text with values for its names, and what its numbers stand for."""
        if "any" not in self.header:
            return self.text, Symbols()
        given = {name: self.header.get(name, "") for name in ("any", "where", "also")}
        body = self.text.split("\n\n", 1)[1]
        return Template(body, **given).written(choice)

    def modules(self, choice: int = 0) -> tuple[ir.Module, ir.Module]:
        """Before and after, in the current context."""
        text, _ = self.written(choice)
        before, after = parse(text), parse(text)
        if "first" in self.header:
            for module in (before, after):
                run_pipeline(module, self.header["first"])
        if "pass" in self.header:
            run_pipeline(after, self.header["pass"])
        else:
            _apply_alone(self.header["pattern"], after)
        return before, after


def _apply_alone(name: str, module: ir.Module) -> None:
    """Apply one pattern, wherever it is rooted, and no other."""
    everything = patterns._patterns
    patterns._patterns = [each for each in everything if each[1].__name__ == name]
    try:
        raised, frozen = patterns._frozen()
        patterns.rewrite.apply_patterns_and_fold_greedily(module.operation, frozen)
    finally:
        patterns._patterns = everything
    if raised:
        raise raised[0]


def pattern_files() -> list[PatternFile]:
    return [PatternFile.read(path) for path in sorted(FOLDER.glob("*.mlir"))]
