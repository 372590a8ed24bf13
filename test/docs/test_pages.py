"""Every page is true: its commands and programs run, its output is what they print,
its links and paths lead somewhere.

A block of `sh` or `python` runs, in the order of the page, in a copy of the repository. A block of
`text` or `mlir` right after one has only lines that were printed, but for times and lines of dots.
A block whose first line is a comment with a file's name and a colon is that file. A comment before
a block says what is different: `<!-- not run: why -->`, `<!-- needs: package or program, ... -->`.
"""

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from forked_tools import forked_tools
from mlir_gs.execution.switches import SWITCHES

ROOT = Path(__file__).parents[2]
GENERATED = {"dialect", "frontends", "functions", "generic", "passes", "targets", "tools"}
ALL = [*ROOT.glob("*.md"), ROOT / "examples/README.md", *(ROOT / "docs").rglob("*.md")]
BY_HAND = [path for path in ALL if path.parent.name != "docs" or path.stem not in GENERATED]
LANGUAGES = {"sh", "python", "text", "mlir", "c", "cpp", "cmake", "rust"}
PROGRAMS = {"cc"}
SECONDS = 300
PIP = """#!/bin/sh
# What pages install is here, or the block needs it.
exit 0
"""


@dataclass(frozen=True)
class Block:
    """A fenced block: its language, its text, the line that it begins on, whether it comes right
    after another one, its comments."""

    language: str
    text: str
    line: int
    is_next: bool
    not_run: str
    packages: tuple[str, ...]


def name_of(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def blocks_of(text: str) -> Iterator[Block]:
    pattern = r"((?:^<!-- .*? -->\n)*)^```(.*)\n((?:.*\n)*?)```$"
    end = -1
    for found in re.finditer(pattern, text, re.MULTILINE):
        notes = dict(re.findall(r"<!-- ([\w ]+): (.*?) -->", found[1]))
        named = re.search(r"<!-- needs: (.*?) -->", found[1])
        packages = tuple(re.split(r",\s*", named[1])) if named else ()
        # The README's own test command is run by `.ci/run`.
        not_run = notes.get("not run", "by .ci/run" if "ci" in notes else "")
        line = text.count("\n", 0, found.start(2)) + 1
        is_next = end >= 0 and not text[end : found.start()].strip()
        end = found.end()
        yield Block(found[2], found[3], line, is_next, not_run, packages)


BLOCKS = {path: list(blocks_of(path.read_text("utf-8"))) for path in ALL}
RUN = [
    path
    for path, blocks in BLOCKS.items()
    if any(block.language in ("sh", "python") and not block.not_run for block in blocks)
]
PACKAGES = {
    path: tuple(sorted({each for block in BLOCKS[path] for each in block.packages})) for path in RUN
}


@pytest.mark.parametrize("path", BY_HAND, ids=name_of)
def test_blocks_say_what_they_are(path: Path) -> None:
    text = path.read_text("utf-8")
    assert {block.language for block in BLOCKS[path]} <= LANGUAGES
    assert text.count("```") == 2 * len(BLOCKS[path])
    rest = re.sub(r"(?ms)^```.*?^```$", "", text)
    assert not re.search(r"\n\n    \S", rest), "a block by indentation has no language"


@pytest.fixture(scope="module")
def tools(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    with forked_tools(tmp_path_factory.mktemp("forked"), dict(os.environ)) as folder:
        yield folder


@pytest.fixture
def clone(tmp_path: Path, tools: Path) -> Path:
    """The repository, in which pages may write: examples copied, the rest linked."""
    for each in ROOT.iterdir():
        if each.name == "examples":
            shutil.copytree(each, tmp_path / each.name)
        elif not each.name.startswith("."):
            (tmp_path / each.name).symlink_to(each)
    shutil.copytree(tools, tmp_path / "bin")
    (tmp_path / "bin/pip").write_text(PIP)
    (tmp_path / "bin/pip").chmod(0o755)
    return tmp_path


def run_shell(text: str, clone: Path) -> str:
    folders = (str(clone / "bin"), str(Path(sys.executable).parent), os.environ["PATH"])
    found = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", text],
        cwd=clone,
        env={**os.environ, "PATH": os.pathsep.join(folders)},
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=False,
    )
    assert found.returncode == 0, f"{text}\n{found.stdout}{found.stderr}"
    return found.stdout + found.stderr


class Python:
    """A process that runs the programs of a page, one after the other, with the same names."""

    LOOP = """
import contextlib, io, json, sys
names = {"__name__": "page"}
for line in sys.stdin:
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(json.loads(line), "<page>", "exec"), names)
    print(json.dumps(printed.getvalue()), flush=True)
"""

    def __init__(self, clone: Path) -> None:
        command = [sys.executable, "-c", self.LOOP]
        pipe = subprocess.PIPE
        self._process = subprocess.Popen(
            command, cwd=clone, stdin=pipe, stdout=pipe, stderr=pipe, text=True
        )

    def run(self, program: str) -> str:
        """What it prints. Fails with the traceback of what it raises."""
        stdin, stdout, stderr = self._process.stdin, self._process.stdout, self._process.stderr
        assert stdin is not None
        assert stdout is not None
        assert stderr is not None
        stdin.write(json.dumps(program) + "\n")
        stdin.flush()
        answer = stdout.readline()
        assert answer, f"{program}\n{stderr.read()}"
        return json.loads(answer)

    def __enter__(self) -> "Python":
        return self

    def __exit__(self, *_: object) -> None:
        self._process.kill()
        self._process.communicate()


def comparable(line: str) -> str:
    """Without what differs from run to run: times, rates, tiny differences."""
    line = re.sub(r"[\d.]+(?=( ms| us| GB/s))", "#", line.rstrip())
    line = re.sub(r"\d\.\d+e-\d+", "#", line)
    return re.sub(r"0\.0e\+00", "#", line)


def assert_printed(shown: str, printed: str, where: str) -> None:
    lines = {comparable(line) for line in printed.splitlines()}
    missing = [
        line for line in shown.splitlines() if line.strip(" .") and comparable(line) not in lines
    ]
    assert missing == [], f"{where} shows what was not printed: {missing}\n{printed}"


def run_page(path: Path, packages: tuple[str, ...], clone: Path) -> None:
    """Run the blocks that need no more than these packages and programs."""
    with Python(clone) as python:
        printed = None
        for block in BLOCKS[path]:
            if block.language in ("sh", "python"):
                printed = None
                if not block.not_run and set(block.packages) <= set(packages):
                    is_shell = block.language == "sh"
                    printed = run_shell(block.text, clone) if is_shell else python.run(block.text)
            elif file := re.match(r"(?:/\*|//|#) ([\w.]+\.\w+): ", block.text):
                (clone / file[1]).write_text(block.text, "utf-8")
            elif block.language in ("text", "mlir") and block.is_next and printed is not None:
                assert_printed(block.text, printed, f"{name_of(path)}:{block.line}")


@pytest.mark.parametrize("path", RUN, ids=name_of)
def test_page_runs(path: Path, clone: Path) -> None:
    run_page(path, (), clone)


@pytest.mark.parametrize("path", [path for path in RUN if PACKAGES[path]], ids=name_of)
def test_page_runs_with_packages(path: Path, clone: Path, needs: Callable[..., Any]) -> None:
    for name in PACKAGES[path]:
        if name in PROGRAMS and shutil.which(name) is None:
            pytest.skip(f"no {name}, which a command of the page runs")
        elif name not in PROGRAMS:
            needs(name)
    run_page(path, PACKAGES[path], clone)


def anchors(path: Path) -> set[str]:
    """Those that GitHub gives the headings of a page."""
    text = re.sub(r"(?ms)^```.*?^```$", "", path.read_text("utf-8"))
    headings = re.findall(r"^#+ (.*)$", text, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("path", ALL, ids=name_of)
def test_links_lead_somewhere(path: Path) -> None:
    text = re.sub(r"(?ms)^```.*?^```$", "", path.read_text("utf-8"))
    for link in re.findall(r"\]\(([^)\s]+)\)", text):
        if link.startswith("http"):
            continue
        file, _, anchor = link.partition("#")
        target = (path.parent / file) if file else path
        assert target.exists(), link
        if anchor:
            assert anchor in anchors(target), link


@pytest.mark.parametrize("path", BY_HAND, ids=name_of)
def test_paths_exist(path: Path) -> None:
    """Files of the repository that a page names."""
    if path.name == "CHANGELOG.md":
        return
    text = path.read_text("utf-8")
    for name in re.findall(r"`([\w.-]+/[\w./-]+\.(?:py|mlir|md|json|toml|cpp|rs))\b", text):
        found = [ROOT / name, path.parent / name]
        assert any(each.exists() for each in found), name


COMMANDS = [
    found.groups()
    for blocks in BLOCKS.values()
    for block in blocks
    if block.not_run
    for found in re.finditer(r"^python ([\w/]+\.py)(.*?)(?:#|$)", block.text, re.MULTILINE)
]


@pytest.mark.parametrize("script", sorted({script for script, _ in COMMANDS}))
def test_commands_that_do_not_run_have_their_flags(script: str) -> None:
    command = [sys.executable, str(ROOT / script), "--help"]
    run = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS, check=True)
    said = {flag for name, rest in COMMANDS if name == script for flag in flags_of(rest)}
    assert said <= set(flags_of(run.stdout))


def flags_of(text: str) -> list[str]:
    return re.findall(r"--[\w-]+", text)


def test_figures_of_the_readme() -> None:
    """They are what the kept results say."""
    sys.path.insert(0, str(ROOT / "benchmarks"))
    try:
        import report
    finally:
        sys.path.pop(0)
    rows = re.findall(
        r"^\| \[.*?\]\(docs/benchmarks/([\w-]+)\.md\) \| (.*) \|$",
        (ROOT / "README.md").read_text("utf-8"),
        re.MULTILINE,
    )
    assert len(rows) == 5
    for name, figures in rows:
        results = json.loads((ROOT / f"docs/benchmarks/{name}.json").read_text("utf-8"))["results"]
        means = [
            report.geometric_mean(report.ratio(r, report.best(r, only)) for r in part)
            for only in (lambda name: True, report.is_library)
            for part in ([r for r in results if r["threads"] == count] for count in (1, 2))
        ]
        assert figures.split(" | ") == [f"{mean:.2f}" for mean in means], name


def test_switches_and_variables() -> None:
    """The page on calls has every switch and every variable that is read."""
    page = (ROOT / "docs/calls.md").read_text("utf-8")
    rows = dict(re.findall(r"^\| `([\w-]+)` \| ([^|]*) \|$", page, re.MULTILINE))
    assert {name: rows.get(name) for name in SWITCHES} == SWITCHES
    sources = [*(ROOT / "execution").rglob("*.py"), *(ROOT / "dialect").rglob("*.py")]
    quoted = re.compile(r'"(MLIR_GS_[A-Z_]+)"')
    read = {name for path in sources for name in quoted.findall(path.read_text("utf-8"))}
    assert read == set(re.findall(r"\bMLIR_GS_[A-Z_]+\b", page))
