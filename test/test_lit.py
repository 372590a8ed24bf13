"""The lit tests as pytest tests, so that one command runs everything: lit runs once for all."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from forked_tools import forked_tools

ROOT = Path(__file__).parent
WORKERS = 2
SECONDS = 360
"""The limit of time of lit, below that of a test: it names the files that are not done."""

FILES = sorted(
    path.relative_to(ROOT).as_posix()
    for path in ROOT.rglob("*.mlir")
    if "Inputs" not in path.parts and "Output" not in path.parts
)


@pytest.fixture(scope="module")
def results(request: pytest.FixtureRequest, tmp_path_factory: Any) -> dict[str, Any]:
    """What lit says of each selected test, by its path below `test/`."""
    selected = [
        str(ROOT / item.callspec.params["file"])
        for item in request.session.items
        if item.path == Path(__file__) and hasattr(item, "callspec")
    ]
    # A place of its own: pytest-xdist may run tests of this file in several processes.
    place = tmp_path_factory.mktemp("lit")
    report = place / "results.json"
    # lit has no `-m` form; its script need not be on PATH.
    lit = [sys.executable, "-P", "-c", "from lit.main import main; main()"]
    environment = {**os.environ, "PYTHONSAFEPATH": "1"}
    environment.pop("MLIR_GS_VERIFY", None)
    # The C library overwrites what is freed: an op that is read after it was erased is found.
    environment["MALLOC_PERTURB_"] = "165"
    with forked_tools(place / "forked", environment) as tools:
        parameters = [f"-Dexec_root={place}", f"-Dtools={tools}"]
        command = [*lit, f"-j{WORKERS}", *parameters, "-o", str(report), *selected]
        done = None
        try:
            run = subprocess.run(
                command, capture_output=True, text=True, check=False, timeout=SECONDS
            )
        except subprocess.TimeoutExpired as late:
            # Each file has a line when it is done.
            done = (late.stdout or b"").decode("utf-8", "replace")
    if done is not None:
        files = [Path(one).relative_to(ROOT).as_posix() for one in selected]
        left = [file for file in files if f":: {file} (" not in done]
        pytest.fail(f"lit is not done after {SECONDS} s with {', '.join(left)}", pytrace=False)
    if not report.exists():
        pytest.fail(f"lit did not run:\n{run.stdout}{run.stderr}", pytrace=False)
    tests = json.loads(report.read_text())["tests"]
    return {test["name"].removeprefix("mlir-gs :: "): test for test in tests}


@pytest.mark.parametrize("file", FILES)
def test_lit(file: str, results: dict[str, Any]) -> None:
    result = results.get(file)
    if result is None:
        pytest.fail(f"lit did not find {file}", pytrace=False)
    if result["code"] == "UNSUPPORTED":
        pytest.skip(f"lit: unsupported here: {file}")
    if result["code"] != "PASS":
        pytest.fail(f"{result['code']}\n{result['output']}", pytrace=False)
