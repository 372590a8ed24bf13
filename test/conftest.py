"""What the whole suite shares: the summary of what was left out, a flag that forbids it, and one
for the tests that other packages have a part in."""

import ast
import os
import re
from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

# A kernel from the disk has not been compiled. MLIR_GS_CACHE=<folder> runs the tests with them.
os.environ.setdefault("MLIR_GS_CACHE", "off")

# What comes out of each step of compiling is verified.
os.environ.setdefault("MLIR_GS_VERIFY", "1")

if "PYTEST_XDIST_WORKER" in os.environ:
    # The CPUs are shared: threads that wait give theirs to other tests.
    os.environ.setdefault("KMP_BLOCKTIME", "0")


# What the packages of the extra `peers` are imported as; `needs` and `importorskip` name them too.
_PEERS = re.compile(
    r"\b(torch|jax\w*|onnx\w*|scipy|numba|llvmlite|iree|matplotlib|networkx|sklearn|PIL|gt_all\w+|z3"
    r"|importorskip|needs)\b"
)
_HERE = Path(__file__).parent


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--nothing-left-out",
        action="store_true",
        help="fail if a test was skipped, for a package that is missing or any other reason",
    )
    parser.addoption(
        "--only-packages-left-out",
        action="store_true",
        help="fail if a test was skipped for another reason than a package that is missing",
    )
    parser.addoption(
        "--with-peers-only",
        action="store_true",
        help="only files of tests that name a package of the extra `peers`, or whose helpers do: "
        "all others run the same without",
    )


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    if not config.getoption("--with-peers-only") or collection_path.suffix != ".py":
        return None
    return True if not _names_a_peer(collection_path) else None


@cache
def _helpers() -> dict[str, Path]:
    """The modules of the tests, by the name that other tests import them by."""
    return {path.stem: path for path in _HERE.rglob("*.py") if path.stem != "conftest"}


def _imports(path: Path) -> Iterator[Path]:
    """The helpers that a file imports."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom):
            names = [node.module]
        else:
            names = [each.name for each in node.names] if isinstance(node, ast.Import) else []
        yield from (_helpers()[name] for name in names if name in _helpers())


def _names_a_peer(path: Path) -> bool:
    """Whether the file of tests names a peer, or a helper that it imports, or theirs, does."""
    waiting, met = [path], {path}
    while waiting:
        one = waiting.pop()
        if _PEERS.search(one.read_text(encoding="utf-8")):
            return True
        found = set(_imports(one)) - met
        met |= found
        waiting += found
    return False


def _forbidden(reporter: Any, config: Any) -> list[str]:
    """The reasons to leave tests out that the flags forbid."""
    reasons = list(_left_out(reporter))
    if config.getoption("--nothing-left-out"):
        return reasons
    if config.getoption("--only-packages-left-out"):
        return [reason for reason in reasons if not reason.startswith("could not import")]
    return []


def _unnamed(reporter: Any) -> list[str]:
    """Tests that miss a package which their files do not name, and --with-peers-only would lose."""
    missing = [
        report.nodeid
        for report in reporter.stats.get("skipped", [])
        if "could not import" in report.longrepr[2]
    ]
    return [one for one in missing if not _names_a_peer(_HERE.parent / one.partition("::")[0])]


@pytest.fixture
def needs() -> Callable[..., Any]:
    """`needs("torch")` is the module, or skips the test if it is not installed."""
    return pytest.importorskip


def _left_out(reporter: Any) -> Counter[str]:
    """Reason to number of tests; a whole file that was skipped counts as one."""
    reasons: Counter[str] = Counter()
    for report in reporter.stats.get("skipped", []):
        _, _, reason = report.longrepr
        reasons[reason.removeprefix("Skipped: ")] += 1
    return reasons


def pytest_terminal_summary(terminalreporter: Any, exitstatus: int, config: Any) -> None:
    for reason in _forbidden(terminalreporter, config):
        terminalreporter.write_line(f"failed: tests were left out: {reason}", red=True)
    for one in _unnamed(terminalreporter):
        terminalreporter.write_line(f"failed: {one} names no package that it needs", red=True)
    for reason, count in sorted(_left_out(terminalreporter).items()):
        terminalreporter.write_line(f"left out: {count} x {reason}", yellow=True)


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session: pytest.Session, exitstatus: int) -> None:
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    if reporter is None:
        return
    if (
        _forbidden(reporter, session.config) or _unnamed(reporter)
    ) and exitstatus == pytest.ExitCode.OK:
        session.exitstatus = pytest.ExitCode.TESTS_FAILED
