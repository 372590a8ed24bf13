"""The lit tests of the passes once more, through a stock mlir-opt with the plugin.

Each `RUN` line of gs-opt that runs passes of ours is run by gs-opt and by mlir-opt, and both
results are compared in the generic form, as gs-opt prints both. Passes of ours run under
their own names, those of upstream as `gs{pipeline=...}`: both sides then run the same version.

    python test/plugin/lit_files.py <folder of the built plugin>      all, and why some cannot
"""

import contextlib
import io
import os
import re
import shlex
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from mlir_gs.dialect import context as new_context
from mlir_gs.lowering import PipelineError, registered_passes, registered_pipelines
from mlir_gs.lowering.passes.pipeline_text import Element, parse_pipeline
from mlir_gs.tools import gs_opt
from mlir_gs.tools.common import command_line
from mlir_gs.tools.opt import pass_flags
from mlir_gs.tools.opt.flags import FLAGS
from stock import ROOT, Stock, pypi

_RUN = re.compile(r"^// RUN: ((?:.*\\\n// RUN: )*.*)", re.MULTILINE)
_GENERIC = ("--mlir-print-op-generic", "--allow-unregistered-dialect")


@dataclass(frozen=True)
class Case:
    """One line: its file, the inside of its pipeline, and how the file is read."""

    path: Path
    pipeline: str
    flags: tuple[str, ...]
    expects_errors: bool

    def __str__(self) -> str:
        return f"{self.path.relative_to(ROOT / 'test')}: {self.pipeline}"


def cases() -> Iterator[Case]:
    """The lines that run a pass or pipeline of ours."""
    ours = {*registered_passes(), *registered_pipelines()}
    context = new_context()
    for path in sorted((ROOT / "test").rglob("*.mlir")):
        for found in _RUN.finditer(path.read_text("utf-8", "replace")):
            words = shlex.split(found[1].replace("\\\n// RUN:", " ").replace("%s", str(path)))
            words = words[1:] if words[0] == "not" else words
            if words[0] != "gs-opt" or str(path) not in words:
                continue
            ends = [at for at, word in enumerate(words) if re.match(r"\||\d?>|&&|<", word)]
            try:
                line = command_line.parse(words[1 : ends[0] if ends else None], FLAGS)
                passes = line.others + [("gs-import", None)] * (line.value("import") is not None)
                names = [flag.name for flag in FLAGS]
                given = line.value("pass-pipeline")
                text = given or pass_flags.pipeline_text(passes, names, context)
                elements = parse_pipeline(text) if given or passes else ()
            except (command_line.UsageError, PipelineError):
                # It is about a wrong command line.
                continue
            if not any(inner.name in ours for each in elements for inner in each.walk()):
                continue
            flags = []
            if line.value("split-input-file") is not None:
                flags.append("--split-input-file")
            inside = ",".join(through_plugin(text, each) for each in elements[0].children or ())
            yield Case(path, inside, tuple(flags), line.value("verify-diagnostics") is not None)


def through_plugin(text: str, element: Element) -> str:
    """An element of a pipeline as the plugin runs it."""
    ours = element.name in registered_passes() or element.name in registered_pipelines()
    whole = text[element.start : element.end]
    return whole if ours else f"gs{{pipeline={{{whole}}}}}"


def by_gs_opt(*arguments: str) -> tuple[int, str, str]:
    """Exit code, output and diagnostics of gs-opt."""
    said = io.StringIO()
    with tempfile.NamedTemporaryFile() as output, contextlib.redirect_stderr(said):
        code = gs_opt.main([*arguments, "-o", output.name])
        return code, Path(output.name).read_text("utf-8"), said.getvalue()


def by_mlir_opt(stock: Stock, source: str, *arguments: str) -> tuple[int, str, str]:
    """Exit code, output and diagnostics of mlir-opt with the plugin."""
    done = subprocess.run(
        stock.command(source, *_GENERIC, *arguments),
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
        env={**os.environ, "MLIR_GS_VERIFY": "0"},
    )
    return done.returncode, done.stdout, done.stderr


def compare(stock: Stock, case: Case) -> tuple[str, str]:
    """`equal`, `equal but for defaults`, `cannot` or `differs`, and why."""
    pipeline = f"--pass-pipeline=builtin.module({case.pipeline})"
    with tempfile.TemporaryDirectory() as folder:
        source = case.path
        if by_mlir_opt(stock, str(source), *case.flags, "--mlir-print-op-generic=0")[0] != 0:
            source = Path(folder) / case.path.name
            code, text, said = by_gs_opt(str(case.path), *_GENERIC, *case.flags)
            if code != 0:
                return "cannot", "the input has errors and is in gs's form: there is no generic one"
            source.write_text(text)
            code, _, said = by_mlir_opt(stock, str(source), *case.flags)
            if code != 0:
                return "cannot", reason(said)
        elif case.expects_errors:
            code, _, said = by_mlir_opt(
                stock, str(source), *case.flags, "--verify-diagnostics", pipeline
            )
            return ("equal", "") if code == 0 else ("differs", said)
        text = case.pipeline
        for wrapped in re.findall(r"gs\{pipeline=\{(.*?)\}\}", text):
            text = text.replace(f"gs{{pipeline={{{wrapped}}}}}", wrapped)
        wanted = by_gs_opt(
            str(source), *_GENERIC, *case.flags, f"--pass-pipeline=builtin.module({text})"
        )
        found = by_mlir_opt(stock, str(source), *case.flags, pipeline)
        if found[0] != wanted[0]:
            return (
                ("cannot", reason(found[2]))
                if "does not read" in found[2]
                else (
                    "differs",
                    found[2],
                )
            )
        if wanted[0] != 0:
            errors = [re.findall(r"error: (.*)", said) for said in (wanted[2], found[2])]
            return ("equal", "") if errors[0] == errors[1] else ("differs", found[2])
        again = Path(folder) / "again.mlir"
        again.write_text(found[1])
        code, text, said = by_gs_opt(str(again), *_GENERIC, *case.flags)
        if code != 0:
            return "differs", said
        if text == wanted[1]:
            return "equal", ""
        # A property that one version lacks, at its default, is not in the custom form.
        wanted_file = Path(folder) / "wanted.mlir"
        wanted_file.write_text(wanted[1])
        forms = {
            by_gs_opt(str(each), *_GENERIC[1:], *case.flags)[1] for each in (again, wanted_file)
        }
        return ("equal but for defaults", "") if len(forms) == 1 else ("differs", "other IR")


def reason(said: str) -> str:
    """Why mlir-opt does not read a text, for counting."""
    first = re.search(r"error: (.*)", said)
    return f"mlir-opt does not read it: {first[1][:120]}" if first else said[:200]


def main() -> None:
    stock = Stock(Path(sys.argv[2]) if len(sys.argv) > 2 else pypi(), Path(sys.argv[1]))
    counts: Counter[str] = Counter()
    why: Counter[str] = Counter()
    for case in cases():
        status, text = compare(stock, case)
        counts[status] += 1
        if status == "cannot":
            why[text] += 1
        print(f"{status}: {case}" + (f"\n    {text.strip()[:400]}" if text else ""), flush=True)
    print(", ".join(f"{count} {status}" for status, count in counts.most_common()))
    for text, count in why.most_common():
        print(f"  {count} x {text}")
    sys.exit(counts["differs"] > 0)


if __name__ == "__main__":
    main()
