"""What the whole suite shares: the summary of what was left out, a flag that forbids it, and one
for the tests that other packages have a part in."""

import os
import re
import shutil
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from erasures import watch_erasures
from reaches import names_a_peer

_ROOT = Path(__file__).parents[1]

# A kernel from the disk has not been compiled. MLIR_GS_CACHE=<folder> runs the tests with them.
os.environ.setdefault("MLIR_GS_CACHE", "off")

# What comes out of each step of compiling is verified.
os.environ.setdefault("MLIR_GS_VERIFY", "1")

if "PYTEST_XDIST_WORKER" in os.environ:
    # The CPUs are shared: threads that wait give theirs to other tests.
    os.environ.setdefault("KMP_BLOCKTIME", "0")

watch_erasures()


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
        help="only tests that name a package of the extra `peers`, or reach what does: all others "
        "run the same without",
    )


CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser"))), None)
"""The browser of the tests of gs-explore's page. It is no Python package: where there is none,
these tests are not collected, and a line says that."""


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    if collection_path.name == "test_browser.py" and CHROMIUM is None:
        return True
    if not config.getoption("--with-peers-only") or collection_path.suffix != ".py":
        return None
    return None if names_a_peer(collection_path) else True


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    if config.getoption("dist") != "loadfile":
        return None
    # Only where xdist is.
    from scheduling import OnceScheduling

    # Files are in the order of `pytest_collection_modifyitems`.
    config.option.loadscopereorder = False
    return OnceScheduling(config, log)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if config.getoption("--with-peers-only"):
        others = [item for item in items if not _has_a_peer(item.nodeid)]
        items[:] = [item for item in items if _has_a_peer(item.nodeid)]
        config.hook.pytest_deselected(items=others)
    if "PYTEST_XDIST_WORKER" in os.environ:
        # A file that is begun last should be short: of those with few tests, generators are not.
        tests = Counter(item.path for item in items)
        items.sort(key=lambda item: (item.path.parent.name != "fuzz", -tests[item.path]))


def _has_a_peer(test: str) -> bool:
    """Whether a test, or any of a file that was skipped as one, names a peer."""
    file, _, name = test.partition("::")
    return names_a_peer(_ROOT / file, re.split(r"\[|::", name)[0])


def _forbidden(reporter: Any, config: Any) -> list[str]:
    """The reasons to leave tests out that the flags forbid."""
    reasons = list(_left_out(reporter))
    if config.getoption("--nothing-left-out"):
        return reasons
    if config.getoption("--only-packages-left-out"):
        return [reason for reason in reasons if not reason.startswith("could not import")]
    return []


def _unnamed(reporter: Any) -> list[str]:
    """Tests that miss a package which they do not name, and --with-peers-only would lose."""
    missing = [
        report.nodeid
        for report in reporter.stats.get("skipped", [])
        if "could not import" in report.longrepr[2]
    ]
    return [one for one in missing if not _has_a_peer(one)]


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
    if CHROMIUM is None:
        terminalreporter.write_line("left out: gs-explore in a browser: no chromium", yellow=True)
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


@pytest.fixture
def openmp_runtime() -> str:
    """The file of the OpenMP runtime. Where cmeel-libomp has no wheel, a system may have none."""
    # Not before the variables above are set.
    from mlir_gs.execution.machine import openmp

    found = openmp.runtime()
    if found is None and sys.platform == "win32":
        pytest.skip("cmeel-libomp has no wheel for this platform, and the system has no runtime")
    assert found is not None
    return found
