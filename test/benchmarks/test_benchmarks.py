"""The benchmarks at tiny sizes: every result is right, every peer runs. No time is asserted."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from mlir_gs import dialect, parse
from mlir_gs.dialect._bindings import ir
from mlir_gs.lowering import run_pipeline

ROOT = Path(__file__).parents[2]
BENCHMARKS = ROOT / "benchmarks"
IDS = [
    *(f"G{number:02}" for number in range(1, 19)),
    "G05b",
    *("F01", "F01b", "F02"),
    *(f"U{number:02}" for number in range(1, 13)),
    *("U07b", "U09b"),
    *(f"S{number:02}" for number in range(1, 12)),
    "S07b",
    *(f"P{number:02}" for number in range(1, 5)),
    *(f"T{number:02}" for number in range(1, 56)),
]
KINDS = ("numpy", "torch", "jax", "onnxruntime", "numba", "scipy", "iree")
PACKAGES = {
    "onnxruntime": ("onnx", "onnxruntime"),
    "iree": ("iree.compiler", "iree.runtime", "jax"),
}
SECONDS = 300
Needs = Callable[..., Any]


def launch(script: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(BENCHMARKS / script), *arguments]
    # At these sizes numba and inductor's processes take longer to start than what they save.
    saved = {"NUMBA_DISABLE_JIT": "1", "TORCHINDUCTOR_COMPILE_THREADS": "1"}
    return subprocess.run(
        command, capture_output=True, text=True, timeout=SECONDS, env={**os.environ, **saved}
    )


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("benchmarks")


@pytest.fixture(scope="module")
def quick(folder: Path) -> dict[str, Any]:
    """Results of a quick run of everything on one thread, with the peers that are installed."""
    target = folder / "results.json"
    options = ("--quick", "--repeats", "1", "--threads", "1", "--peers", ",".join(KINDS))
    run = launch("run.py", *options, "--json", str(target))
    assert run.returncode == 0, run.stdout + run.stderr
    return json.loads(target.read_text("utf-8"))


def test_all_workloads_are_here(load: Callable[[str], Any]) -> None:
    assert set(load("catalogue").workloads()) == set(IDS)


@pytest.mark.parametrize("id", IDS)
def test_workload(id: str, quick: dict[str, Any]) -> None:
    """Ours is bitwise that of the sequential loop, or the run fails."""
    (result,) = (r for r in quick["results"] if r["id"] == id)
    assert result["ours"]["median"] > 0
    assert result["floor"] > 0


@pytest.mark.parametrize("id", [id for id in IDS if id[0] == "U"])
def test_chain(id: str, quick: dict[str, Any], load: Callable[[str], Any]) -> None:
    """It becomes one nest, which allocates no more than its result; unfused it is right too."""
    workload = load("catalogue").workloads()[id]
    with dialect.context(), ir.Location.unknown():
        module = parse(workload.source(True))
        run_pipeline(module, "builtin.module(gs-optimize,gs-bufferize,canonicalize,cse)")
        text = str(module)
    assert text.count('"gs.generic"') == 1
    assert text.count("memref.alloc") == (0 if "bufferization.writable" in workload.ir else 1)
    (result,) = (r for r in quick["results"] if r["id"] == id)
    assert result["unfused"]["median"] > 0
    assert result["temporaries"] > 0


@pytest.mark.parametrize("kind", KINDS)
def test_peer(kind: str, needs: Needs, quick: dict[str, Any], load: Callable[[str], Any]) -> None:
    for package in PACKAGES.get(kind, (kind,)):
        needs(package)
    workloads = load("catalogue").workloads()
    for result in quick["results"]:
        assert {name: why for name, why in result["left_out"].items() if kind in name} == {}
        names = {name for name in workloads[result["id"]].peers if name.split()[0] == kind}
        assert {name for name in result["peers"] if name.split()[0] == kind} == names


def test_patterns_as_they_are_published(load: Callable[[str], Any]) -> None:
    """The examples of Spatter's README."""
    suite = load("spatter_suite")
    assert suite.uniform(4, 3) == (0, 3, 6, 9)
    assert suite.mostly_one(8, (4,), 32) == (0, 1, 2, 3, 35, 36, 37, 38)
    assert suite.mostly_one(8, (2, 3), 20) == (0, 1, 21, 41, 42, 43, 44, 45)
    assert suite.laplacian(1, 1, 100) == (0, 1, 2)
    assert suite.laplacian(2, 1, 100) == (0, 99, 100, 101, 200)
    assert suite.laplacian(2, 2, 100) == (0, 100, 198, 199, 200, 201, 202, 300, 400)
    assert suite.laplacian(3, 1, 100) == (0, 9900, 9999, 10000, 10001, 10100, 20000)


def test_two_threads() -> None:
    if len(os.sched_getaffinity(0)) < 2:
        pytest.skip("there is one CPU")
    options = ("--quick", "--repeats", "1", "--threads", "2", "--peers", "none")
    run = launch("run.py", "G07", "F", "S03", *options)
    assert run.returncode == 0, run.stdout + run.stderr
    assert "## 2 threads" in run.stdout


@pytest.mark.usefixtures("quick")
def test_report_has_every_workload(folder: Path) -> None:
    text = (folder / "results.md").read_text("utf-8")
    assert "Tiny sizes" in text
    assert "Geometric means over workloads: " in text
    for id in IDS:
        assert f"\n| {id} |" in text


@pytest.mark.usefixtures("quick")
def test_plot(needs: Needs, folder: Path) -> None:
    needs("matplotlib")
    assert (folder / "results.png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.usefixtures("quick")
def test_report_of_a_file(folder: Path) -> None:
    before = (folder / "results.md").read_text("utf-8")
    run = launch("run.py", "--report", str(folder / "results.json"))
    assert (run.returncode, run.stdout.startswith(before)) == (0, True)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["G99"], "no workload G99"),
        (["--peers", "fortran"], "no peer fortran"),
        (["--threads", "0"], "numbers of 1 or more"),
        (["--threads", "100000"], "this process may use"),
        (["--repeats", "0"], "--repeats: at least 1"),
        (["--processes", "0"], "--processes: at least 1"),
        (["--begin", "8"], "invalid choice: 8"),
        (["--report", "no such file"], "no such file: No such file"),
    ],
)
def test_wrong_arguments(arguments: list[str], message: str) -> None:
    run = launch("run.py", *arguments)
    assert run.returncode == 2
    assert message in run.stderr.splitlines()[-1]


def test_a_wrong_result_fails(load: Callable[[str], Any], monkeypatch: pytest.MonkeyPatch) -> None:
    contest, workload = load("contest"), load("catalogue").workloads()["S03"]
    case = workload.case(True, 1)
    case.expected = case.expected.copy()
    case.expected.reshape(-1)[-1] += 1
    with pytest.raises(AssertionError, match="S03: our result differs in 1 of"):
        contest.contestants(workload, case, [], True)


def test_a_wrong_peer_is_left_out(load: Callable[[str], Any]) -> None:
    contest, workload = load("contest"), load("catalogue").workloads()["G07"]
    peers = {"numpy nothing": lambda d: lambda: d.out, "numpy failing": lambda d: 1 // 0}
    wrong = type(workload)(**{**vars(workload), "peers": peers})
    found, left_out, _ = contest.contestants(wrong, wrong.case(True, 1), ["numpy"], True)
    assert [each.name for each in found] == ["ours"]
    assert left_out["numpy nothing"].startswith("differs in")
    assert left_out["numpy failing"].startswith("ZeroDivisionError")


def test_bytes_of_lines(load: Callable[[str], Any]) -> None:
    lines = load("workload").lines
    assert lines(np.array([0, 0, 5]), 256) == 512
    assert lines(np.array([0, 1, 15, 16]), 4) == 128
    assert lines(np.array([0, 1]), 96) == 192
    assert lines(np.array([], np.int64), 4) == 0


def test_bytes_of_lines_after_one_begins(
    load: Callable[[str], Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Rows of whole lines touch one more, which two of them share, and write two in part."""
    workload = load("workload")
    monkeypatch.setattr(workload, "begin", 16)
    array = workload.empty((3, 16), "f4")
    assert array.ctypes.data % 64 == 16
    assert workload.empty((3, 16), "f4", 0).ctypes.data % 64 == 0
    assert workload.lines(np.array([0, 0, 5]), 256) == 640
    assert workload.lines(np.array([1, 2]), 256) == 576
    rows = workload.Slices(array, np.array([0, 2], np.int32), "set")
    assert (rows.read, rows.written) == (8 + 256, 256)


def test_floor(load: Callable[[str], Any]) -> None:
    bandwidth = load("bandwidth").Bandwidth(read=100.0, copy=50.0, write=25.0)
    assert bandwidth.floor(100, 0) == pytest.approx(1)
    assert bandwidth.floor(50, 50) == pytest.approx(2)
    assert bandwidth.floor(75, 25) == pytest.approx(1.5)
    assert bandwidth.floor(0, 50) == pytest.approx(2)
    assert bandwidth.floor(25, 75) == pytest.approx(3)
    assert bandwidth.floor(0, 0) == 0


def test_slices(load: Callable[[str], Any]) -> None:
    slices = load("workload").Slices
    table = np.ones((10, 3, 8), np.float64)
    positions = np.array([0, 0, 5], np.int32)
    each = [slices(table, positions, access) for access in ("read", "set", "update")]
    assert [s.bytes for s in each] == [192] * 3
    assert [(s.read, s.written) for s in each] == [(396, 0), (12, 384), (396, 384)]
    # Of the line that has an element the rest is read.
    element = slices(table.reshape(-1), positions, "set")
    assert (element.read, element.written) == (12 + 64, 64)


@pytest.mark.parametrize("access", ["read", "set", "update"])
@pytest.mark.parametrize(
    ("type", "shape"), [("f4", (300,)), ("f2", (300, 5)), ("i8", (300,)), ("f4", (300, 7, 48))]
)
@pytest.mark.parametrize("threads", [1, 2])
def test_slices_alone(
    threads: int, type: str, shape: tuple[int, ...], access: str, load: Callable[[str], Any]
) -> None:
    """All slices are touched once in a repetition, and the workload's own table stays."""
    slices, table = load("slices"), np.arange(np.prod(shape)).reshape(shape).astype(type)
    before = table.copy()
    positions = np.arange(64)[::-1] * 3
    one = load("workload").Slices(table, positions, access)
    assert slices.measure(one, threads, 1e-6) > 0
    assert table.tobytes() == before.tobytes()
    for way in slices.ways(one.bytes):
        found = table.copy()
        sums = slices.touch(one, found, threads, way)(1)
        words = found.reshape(300, -1).view(f"i{sums.itemsize}")
        if access == "read":
            total = words[positions].reshape(-1, sums.size // threads).sum(0, sums.dtype)
            start = threads  # What a sum begins with, in each thread.
            assert (
                sums.reshape(threads, -1).sum(0, sums.dtype) == total + sums.dtype.type(start)
            ).all()
            continue
        expected = before.reshape(300, -1).view(words.dtype).copy()
        expected[positions] = expected[positions] + 1 if access == "update" else 1
        assert (words == expected).all()


def test_reasons(load: Callable[[str], Any]) -> None:
    def of(floor: float, slices: float | None, streams: float, why: str = "") -> str:
        times = {"floor": floor, "slices": slices, "streams": streams, "why": why}
        return load("report").reason({"ours": {"median": 1.0}, **times})

    assert of(0.9, 0.9, 0.1) == "bandwidth"
    assert of(0.8, 0.9, 0.1) == "slices"
    assert of(0.8, 0.8, 0.1) == "slices, then bandwidth"
    assert of(0.8, None, 0.9, "branches") == "branches"
    assert of(0.8, 0.5, 0.1) == "-"
    assert of(0.8, 0.5, 0.1, "branches") == "branches"
    # A result from before slices were measured.
    assert load("report").reason({"ours": {"median": 1.0}, "floor": 0.5}) == "-"


def test_limits(load: Callable[[str], Any]) -> None:
    limit, ours = load("report").limit, {"median": 1.0}
    assert limit({"ours": ours, "floor": 0.5, "slices": 0.7}) == 0.7
    assert limit({"ours": ours, "floor": 0.8, "slices": 0.7}) == 0.8
    assert limit({"ours": ours, "floor": 0.8, "slices": 1.2}) == 1.0
    assert limit({"ours": ours, "floor": 0.8, "slices": None}) == 0.8
    assert limit({"ours": ours, "floor": 0.8}) == 0.8


def test_ratios(load: Callable[[str], Any]) -> None:
    report = load("report")
    ours = {"q1": 1.0, "median": 2.0, "q3": 4.0}
    slow, fast = ({"q1": 8 * k, "median": 8 * k, "q3": 16 * k} for k in (2.0, 1.0))
    result = {"ours": ours, "peers": {"torch slow": slow, "numba fast": fast}}
    assert report.best(result) == "numba fast"
    assert report.best(result, report.is_library) == "torch slow"
    assert report.ratio(result, "numba fast") == 4
    assert report.spread(result, "numba fast") == (2, 16)
    assert report.geometric_mean([1.0, 4.0]) == pytest.approx(2)


def test_turns_time_every_contestant(load: Callable[[str], Any]) -> None:
    timing = load("timing")
    parties = [timing.Contestant(name, name, lambda: None) for name in "abc"]
    turns = list(timing.compete(parties, 3, 0.0, 1e-5))
    assert sorted(turns) == sorted((number, name) for number in range(3) for name in "abc")
    assert {name for _, name in turns[::3]} == set("abc")
    assert all(len(party.samples) >= 9 for party in parties)


def test_turns_of_other_moments_do_not_count(load: Callable[[str], Any]) -> None:
    """Each contestant has a turn among those that do."""
    timing, within = load("timing"), (2.0, 1.5)
    hops = [1.0, 1.1, 5.0, 5.0, 6.0, 5.5, 1.2, 1.0, 1.3]
    moments = iter([(hop, 1.0) for hop in hops])
    parties = [timing.Contestant(name, name, lambda: None) for name in "abc"]
    list(timing.compete(parties, 3, 0.0, 1e-5, lambda: next(moments)))
    span = timing.alike(parties, within)
    assert span == ((1.0, 1.0), (2.0, 1.5))
    assert sum(len(party.turns_in(span)) for party in parties) == 5
    assert all(len(party.samples_in(span)) < len(party.samples) for party in parties)
    parties[0].turns = [timing.Turn((5.0, 1.0), [1.0])]
    assert timing.alike(parties, within) == ((5.0, 1.0), (10.0, 1.5))
    parties[1].turns = [timing.Turn((1.0, 1.0), [1.0])]
    assert timing.alike(parties, within) is None
    parties[1].turns = [timing.Turn((5.0, 2.0), [1.0])]
    assert timing.alike(parties, within) is None
    parties[1].turns = [timing.Turn(None, [1.0])]
    assert timing.alike(parties, within) == ((5.0, 1.0), (10.0, 1.5))
    for party in parties:
        party.turns = [timing.Turn(None, [1.0])]
    assert len(parties[0].samples_in(timing.alike(parties, within))) == 1


def test_moments(load: Callable[[str], Any]) -> None:
    moments = load("moments")
    assert moments.measure(1) is None
    found = moments.measure(2)
    if found is not None:
        assert 1e-9 < found.hop < 1e-2
        assert 0.1 < found.beside < 100


def test_who_waits_alone_gives_up(load: Callable[[str], Any]) -> None:
    moments = load("moments")
    hand = moments._kernel(moments.HAND)
    assert hand(np.zeros(16, "i8"), 1, 2, 10, 1000) == 0


def test_call_overhead() -> None:
    run = launch("call_overhead.py", "--repeats", "1")
    assert run.returncode == 0, run.stderr
    assert "| ours, out= |" in run.stdout
    assert "| np.take, out=, clip |" in run.stdout


def test_compile_time() -> None:
    run = launch("compile_time.py", "--processes", "1", "--parties", "mlir-gs")
    assert run.returncode == 0, run.stderr
    assert run.stdout.count("| mlir-gs |") == 2


def test_compile_kernels(tmp_path: Path) -> None:
    path = tmp_path / "compile.json"
    run = launch("compile_kernels.py", "S07", "--repeats", "1", "--json", str(path))
    assert run.returncode == 0, run.stderr
    assert "Threads: 2. Median of 2 kernels" in run.stdout
    assert path.with_suffix(".md").read_text(encoding="utf-8") == run.stdout
    kernels = json.loads(path.read_text(encoding="utf-8"))["kernels"]
    assert set(kernels) == {"S07", "S07b"}
    for kernel in kernels.values():
        for parts in kernel["threads"].values():
            whole, *rest = (figures["median"] for figures in parts.values())
            assert all(part > 0 for part in rest)
            assert whole > sum(rest)


def test_compile_no_kernel() -> None:
    run = launch("compile_kernels.py", "X99")
    assert (run.returncode, "no workload X99" in run.stderr.splitlines()[-1]) == (2, True)


def test_sanitize() -> None:
    run = launch("sanitize.py", "--rows", "10", "--rounds", "1")
    assert run.returncode == 0, run.stderr
    assert run.stdout.count("gather rows of") == 6
    assert run.stdout.count("scatter rows of") == 4


def test_wrong_party() -> None:
    run = launch("compile_time.py", "--parties", "fortran")
    assert (run.returncode, "no party fortran" in run.stderr.splitlines()[-1]) == (2, True)


def test_statistics(load: Callable[[str], Any]) -> None:
    found = SimpleNamespace(**load("timing").statistics([3.0, 1.0, 2.0]))
    assert (found.min, found.median, found.samples) == (1, 2, 3)
