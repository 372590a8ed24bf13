"""Kernels in two engines: the same results, from the disk as well, and nothing that can fail."""

import ctypes
import gc
import os
import platform
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import ml_dtypes
import numpy as np
import pytest
from disk_support import files
from mlir_gs.dialect._bindings import PROVIDER, ir
from mlir_gs.execution import compile
from mlir_gs.execution.compilation import engine, lower, second_engine
from mlir_gs.execution.disk import cached
from mlir_gs.execution.disk.elf_library import link_library
from mlir_gs.execution.disk.elf_object import ObjectError
from mlir_gs.execution.llvm import capi, engine_thread
from mlir_gs.lowering import PassFailure
from sources import GATHER

SUMS = """
func.func @sums(%updates: tensor<?xf32>, %dest: tensor<?xf32>, %ids: tensor<?x1xi64>)
    -> tensor<?xf32> {
  %r = "gs.scatter"(%updates, %dest, %ids) ({
  ^bb0(%current: f32, %update: f32):
    %new = arith.addf %current, %update fastmath<reassoc> : f32
    "gs.yield"(%new) : (f32) -> ()
  }) {scatter_dims = array<i64: 0>}
      : (tensor<?xf32>, tensor<?xf32>, tensor<?x1xi64>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}
"""
ALONG = """
func.func @along(%table: tensor<?x?xf32>, %ids: tensor<?x?xi64>) -> tensor<?x?xf32> {
  %r = "gs.gather_elements"(%table, %ids) {dim = 0 : i64}
      : (tensor<?x?xf32>, tensor<?x?xi64>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}
"""
HALVES = SUMS.replace("f32", "bf16")

IN_NEW_PROCESS = """
import sys
import numpy as np
from mlir_gs.execution import compile
from mlir_gs.execution.llvm import engine_thread
engine_thread.cpu_count = lambda: 2
threads = []
make = engine_thread.EngineThread.__init__
def noted(thread, *given, drop=False, **named):
    threads.append(drop)
    make(thread, *given, drop=drop, **named)
engine_thread.EngineThread.__init__ = noted
kernel = compile(sys.argv[1], threads=2)
found = kernel(np.ones(90000, np.float32), np.zeros(5, np.float32), np.arange(90000)[:, None] % 5)
assert (found == 18000).all()
is_built = "mlir_gs.execution.compilation.build" in sys.modules
print("built" if is_built else "found", "by", threads.count(False))
"""


def _sums(bins: int, points: int, dtype: Any = np.float32) -> list[np.ndarray]:
    rng = np.random.default_rng(bins)
    updates = rng.integers(-8, 9, points).astype(dtype)
    return [updates, np.zeros(bins, dtype), rng.integers(0, bins, (points, 1))]


def _added(updates: np.ndarray, dest: np.ndarray, ids: np.ndarray) -> np.ndarray:
    wanted = dest.copy()
    np.add.at(wanted, ids[:, 0], updates)
    return wanted


@pytest.fixture
def seconds(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[list[str]]]:
    """What is moved by each kernel that is built: on several CPUs, whatever this machine has."""
    found: list[list[str]] = []
    split = second_engine.split

    def noted(*given: Any) -> Any:
        second, names = split(*given)
        found.append(names)
        return second, names

    monkeypatch.setattr(lower, "split", noted)
    monkeypatch.setattr(cached, "enabled", lambda: False)
    monkeypatch.setattr(engine_thread, "cpu_count", lambda: 2)
    engine_thread.called_functions.cache_clear()
    system = (sys.platform, platform.machine())
    if system != ("linux", "x86_64"):
        pytest.skip(f"second engines are for x86-64 Linux, this system is {' '.join(system)}")
    if not capi.is_known():
        pytest.skip(f"{PROVIDER}'s ExecutionEngine takes other arguments than those that are known")
    assert engine_thread.called_functions() is not None, "the C API lacks functions, or all"
    yield found
    engine_thread.called_functions.cache_clear()


@pytest.mark.parametrize("threads", [1, 2, 3])
@pytest.mark.parametrize("bins", [3, 20_000, 3_000_000])
def test_sums(seconds: list[list[str]], threads: int, bins: int) -> None:
    kernel = compile(SUMS, threads=threads)
    arrays = _sums(bins, 400_000)
    np.testing.assert_array_equal(kernel(*arrays), _added(*arrays))
    if threads > 1:
        assert "gs_kernel_0_owned" in seconds[0]


@pytest.mark.parametrize("threads", [1, 2])
def test_strips(seconds: list[list[str]], threads: int) -> None:
    kernel = compile(ALONG, threads=threads, target="tiny")
    rng = np.random.default_rng(0)
    table = rng.normal(size=(2048, 515)).astype(np.float32)
    ids = rng.integers(0, 2048, (1024, 515))
    np.testing.assert_array_equal(kernel(table, ids), np.take_along_axis(table, ids, 0))
    assert "gs_kernel_0_strips" in seconds[0]


@pytest.mark.parametrize(("threads", "level"), [(1, 2), (2, 0)])
@pytest.mark.usefixtures("seconds")
def test_what_is_left_is_optimized_if_it_has_loops(
    threads: int, level: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    compile(ALONG, threads=threads, target="tiny")
    levels: list[int] = []
    engine_of = engine._engine

    def noted(module: Any, libraries: list[str], opt_level: int, keep: bool = False) -> Any:
        levels.append(opt_level)
        return engine_of(module, libraries, opt_level, keep)

    monkeypatch.setattr(engine, "_engine", noted)
    compile(ALONG.replace("@along", "@again"), threads=threads, target="tiny")
    assert levels == [level]


def test_what_rounds_calls_the_functions_that_all_kernels_share(seconds: list[list[str]]) -> None:
    ml_dtypes = pytest.importorskip("ml_dtypes")
    kernel = compile(HALVES, threads=2)
    arrays = _sums(3, 500, ml_dtypes.bfloat16)
    wanted = _added(*(a.astype(np.float32) if a.dtype != np.int64 else a for a in arrays))
    found = np.asarray(kernel(*arrays)).astype(np.float32)
    np.testing.assert_allclose(found, wanted, atol=2)
    assert seconds[0]


def test_kernels_come_and_go(seconds: list[list[str]]) -> None:
    arrays = _sums(100, 100_000)
    wanted = _added(*arrays)
    for number in range(12):
        kernel = compile(SUMS.replace("@sums", f"@sums_{number}"), threads=2)
        np.testing.assert_array_equal(kernel(*arrays), wanted)
        del kernel
        gc.collect()
    assert all(seconds)


def test_small_kernels_are_in_one(seconds: list[list[str]]) -> None:
    compile(GATHER, threads=1)
    assert seconds == [[]]


def test_one_cpu_has_one_engine(seconds: list[list[str]], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine_thread, "cpu_count", lambda: 1)
    engine_thread.called_functions.cache_clear()
    kernel = compile(SUMS, threads=2)
    arrays = _sums(100, 100_000)
    np.testing.assert_array_equal(kernel(*arrays), _added(*arrays))
    assert not seconds


def test_without_another_thread(seconds: list[list[str]], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine_thread, "_begin", lambda *given: None)
    kernel = compile(SUMS, threads=2)
    arrays = _sums(100, 100_000)
    np.testing.assert_array_equal(kernel(*arrays), _added(*arrays))
    assert seconds[0]


@pytest.mark.parametrize("code", [b"llvm.func @f(", b"llvm.func @f() { llvm.return }"])
def test_no_code_is_an_error(
    code: bytes, seconds: list[list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(second_engine, "code_of", lambda *given: code)
    with pytest.raises(RuntimeError, match="LLVM made no code of the functions in the second"):
        compile(SUMS, threads=2)
    assert seconds[0]


def test_what_fails_meanwhile_waits_for_the_thread(
    seconds: list[list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    waited: list[engine.Second] = []
    wait = engine.Second.wait

    def noted(second: engine.Second) -> int:
        waited.append(second)
        return wait(second)

    def failing(*given: Any) -> None:
        raise PassFailure("no")

    monkeypatch.setattr(engine.Second, "wait", noted)
    monkeypatch.setattr(lower, "call_by_table", failing)
    with pytest.raises(PassFailure, match="no"):
        compile(SUMS, threads=2)
    assert len(waited) == 1
    assert waited[0].engine is not None


CONTENTS = """
func.func @entry() { return }
func.func private @large() attributes {no_inline} { return }
func.func private @middle() attributes {no_inline} { return }
func.func private @small() attributes {no_inline} { return }
func.func private @calling() attributes {no_inline} { return }
func.func private @inlined() { return }
"""


@pytest.mark.parametrize(
    ("sizes", "wanted"),
    [
        # The other thread takes what is as long for it as the rest is for this one.
        ({"large": 300, "middle": 280, "small": 100}, ["large", "small"]),
        ({"large": 1000, "middle": 700, "small": 600, "calling": 100}, ["large", "small"]),
        # To optimize here as well takes longer than another thread does for the rest.
        ({"large": 300, "small": 40}, ["large", "small"]),
        ({"large": 200, "calling": 900}, ["large"]),
        ({"large": 19, "calling": 90}, []),
        ({"calling": 900, "inlined": 900}, []),
    ],
)
def test_what_is_moved(sizes: dict[str, int], wanted: list[str]) -> None:
    with ir.Context(), ir.Location.unknown():
        module = ir.Module.parse(CONTENTS)
        contents = {
            name: second_engine.Contents(
                {"func.call"} if name in ("entry", "calling") else {"scf.for"}, count
            )
            for name, count in ({"entry": 100} | sizes).items()
        }
        second, names = second_engine.split(module, contents)
        assert names == wanted
        here, there = ({s.name.value: s.is_external for s in m.body} for m in (module, second))
        assert there == dict.fromkeys(wanted, False)
        assert [name for name, is_declared in here.items() if is_declared] == wanted


READING = """
memref.global "private" constant @known : memref<2xindex> = dense<[3, 5]>
memref.global "private" @changing : memref<2xindex> = dense<[3, 5]>
func.func @entry() { return }
func.func private @reads() attributes {no_inline} {
  %0 = memref.get_global @NAME : memref<2xindex>
  return
}
"""


@pytest.mark.parametrize(("name", "wanted"), [("known", ["known", "reads"]), ("changing", [])])
def test_constant_arrays_go_along(name: str, wanted: list[str]) -> None:
    with ir.Context(), ir.Location.unknown():
        module = ir.Module.parse(READING.replace("NAME", name))
        contents = {
            n: second_engine.Contents({"memref.get_global"}, 100) for n in ("entry", "reads")
        }
        second, _ = second_engine.split(module, contents)
        assert sorted(op.attributes["sym_name"].value for op in second.body) == wanted


@pytest.mark.usefixtures("seconds")
def test_both_are_kept_on_the_disk(tmp_path: Path) -> None:
    environment = {**os.environ, "MLIR_GS_CACHE": str(tmp_path)}
    command = [sys.executable, "-P", "-c", IN_NEW_PROCESS, SUMS]
    said = [
        subprocess.run(command, env=environment, text=True, check=True, stdout=-1).stdout.strip()
        for _ in range(2)
    ]
    assert said == ["built by 1", "found by 0"]
    assert any(b"__gs_kernel_sums" in file.read_bytes() for file in files(tmp_path))


CALLER = """
llvm.func @far(i32) -> i32
llvm.mlir.global external @number() : i32
llvm.func @near(%x: i32) -> i32 {
  %at = llvm.mlir.addressof @number : !llvm.ptr
  %n = llvm.load %at : !llvm.ptr -> i32
  %sum = llvm.add %x, %n : i32
  %r = llvm.call @far(%sum) : (i32) -> i32
  llvm.return %r : i32
}
"""
CALLED = """
llvm.mlir.global external constant @number(40 : i32) : i32
llvm.func @far(%x: i32) -> i32 {
  %two = llvm.mlir.constant(2 : i32) : i32
  %r = llvm.mul %x, %two : i32
  llvm.return %r : i32
}
"""


@pytest.fixture
def objects() -> Callable[..., bytes]:
    if not cached._is_supported():
        pytest.skip("objects are linked on x86-64 Linux")

    def compiled(text: str, name: str, *absent: str) -> bytes:
        with ir.Context(), ir.Location.unknown():
            module = ir.Module.parse(text)
            made = engine._engine(module, [], 2, keep=True)
            for one in absent:
                made.raw_register_runtime(one, ctypes.c_void_p(64))
            return engine.object_code(made, name)

    return compiled


@pytest.mark.parametrize("order", [1, -1])
def test_objects_that_need_each_other_become_one_library(
    order: int, objects: Callable[..., bytes], tmp_path: Path
) -> None:
    made = [objects(CALLER, "near", "far", "number"), objects(CALLED, "far")][::order]
    library = tmp_path / "both.so"
    library.write_bytes(link_library(made, "both.so", ["near"], ["libc.so.6"]))
    loaded = ctypes.CDLL(str(library))
    assert loaded.near(1) == 82
    assert not hasattr(loaded, "far")


def test_what_is_no_object_is_refused(objects: Callable[..., bytes]) -> None:
    with pytest.raises(ObjectError):
        link_library([objects(CALLED, "far"), b"no object"], "both.so", ["far"])


SET = """
func.func @f(%places: tensor<?xsi16>, %dest: tensor<5x?x?xcomplex<bf16>>)
    -> tensor<5x?x?xcomplex<bf16>> {
  %r = "gs.generic"(%places, %dest) ({
  ^bb0(%old: complex<bf16>):
    %one = complex.constant [1.0 : bf16, 2.0 : bf16] : complex<bf16>
    "gs.yield"(%one) : (complex<bf16>) -> ()
  }) {
    coordinate_maps = [[affine_map<(d)[s] -> (0)>]],
    indexing_maps = [affine_map<(d)[s] -> (d, s + d * 2, d)>],
    iterator_types = ["parallel"], modes = ["fill_or_drop"], unique,
    operandSegmentSizes = array<i32: 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0>,
    resultSegmentSizes = array<i32: 1, 0, 0, 0>
  } : (tensor<?xsi16>, tensor<5x?x?xcomplex<bf16>>) -> tensor<5x?x?xcomplex<bf16>>
  return %r : tensor<5x?x?xcomplex<bf16>>
}"""


def test_an_argument_of_16_bits_is_stored() -> None:
    """No operation of the function gives it: LLVM calls a function to round it all the same."""
    dest = np.zeros((5, 10, 5), ml_dtypes.bcomplex32)
    expected = dest.copy()
    for d in range(5):
        expected[d, 1 + 2 * d, d] = 1 + 2j
    found = compile(SET, threads=2)(np.array([1], np.int16), dest)
    np.testing.assert_array_equal(found, expected)
