"""What the whole suite shares: the summary of what was left out, and a flag that forbids it."""

import os
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest

# A kernel from the disk has not been compiled. MLIR_GS_CACHE=<folder> runs the tests with them.
os.environ.setdefault("MLIR_GS_CACHE", "off")

# What comes out of each step of compiling is verified.
os.environ.setdefault("MLIR_GS_VERIFY", "1")

if "PYTEST_XDIST_WORKER" in os.environ:
    # The CPUs are shared: threads that wait give theirs to other tests.
    os.environ.setdefault("KMP_BLOCKTIME", "0")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--nothing-left-out",
        action="store_true",
        help="fail if a test was skipped, for a package that is missing or any other reason",
    )


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
    if config.getoption("--nothing-left-out") and _left_out(terminalreporter):
        terminalreporter.write_line("failed: tests were left out (--nothing-left-out)", red=True)
    for reason, count in sorted(_left_out(terminalreporter).items()):
        terminalreporter.write_line(f"left out: {count} x {reason}", yellow=True)


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session: pytest.Session, exitstatus: int) -> None:
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    if reporter is None or not session.config.getoption("--nothing-left-out"):
        return
    if _left_out(reporter) and exitstatus == pytest.ExitCode.OK:
        session.exitstatus = pytest.ExitCode.TESTS_FAILED
