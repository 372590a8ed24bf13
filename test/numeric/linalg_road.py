"""Programs on the road of pipelines that go on upstream: `convert-gs-to-linalg`, upstream's passes
to LLVM, upstream's execution engine."""

import ctypes
import os
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from elements import NARROW, width
from harness import Failed, Finding, Outcome, difference, numbered, parsed, referenced
from mlir_gs import lowering
from mlir_gs.dialect._bindings import ir
from mlir_gs.dialect._bindings import module as provider_module
from mlir_gs.execution.compilation import engine
from mlir_gs.execution.generated import support
from mlir_gs.lowering.checks.sites import RAISE, message_format
from program import Program

OURS = (
    "gs-generalize,convert-gs-to-linalg",
    "gs-optimize,gs-generalize,convert-gs-to-linalg,canonicalize,cse",
    "gs-generalize,gs-fuse,gs-infer,convert-gs-to-linalg",
    "gs-canonicalize,gs-generalize,convert-gs-to-linalg,linalg-fuse-elementwise-ops,canonicalize",
)
"""What brings a program to linalg, alone and with what others may run around it."""

TO_LOOPS = (
    "one-shot-bufferize{bufferize-function-boundaries=true allow-return-allocs-from-loops=true "
    "function-boundary-type-conversion=identity-layout-map},"
    "func.func(convert-linalg-to-loops),"
)
# Upstream's emulation lowers no float of fewer than 16 bits.
SMALL_FLOATS = "gs-emulate-small-floats,gs-order-zeros,"
LOOPS_TO_LLVM = (
    "scf-forall-to-parallel,convert-scf-to-openmp,canonicalize,"
    "lower-affine,expand-strided-metadata,lower-affine,arith-expand{include-bf16=true},"
    # Loops within a memref.alloca_scope, which parallel loops are put into, stay loops until it is
    # lowered.
    "convert-vector-to-llvm,finalize-memref-to-llvm,convert-scf-to-cf,"
    "convert-math-to-llvm,convert-math-to-libm,convert-vector-to-llvm,"
    "convert-complex-to-llvm,finalize-memref-to-llvm,convert-arith-to-llvm,convert-index-to-llvm,"
    "convert-ub-to-llvm,convert-cf-to-llvm,convert-func-to-llvm,convert-openmp-to-llvm,"
    "reconcile-unrealized-casts"
)
"""Upstream's passes to the LLVM dialect."""

_ExecutionEngine = provider_module("execution_engine").ExecutionEngine


@dataclass(frozen=True)
class Way:
    """One of `OURS`; `protected`: arguments may not be written; LLVM's `level` of optimization."""

    ours: str
    protected: bool
    level: int = 0

    @classmethod
    def turn(cls, number: int) -> "Way":
        level = 2 if number % 5 == 4 else 0
        return cls(OURS[number % len(OURS)], number // len(OURS) % 2 == 1, level)


def check_linalg(
    programs: Sequence[Program], way: Way, before: Callable[[Program], None] = lambda _: None
) -> list[Finding]:
    """Where programs on tensors differ from the reference on the road of linalg. `before` is told
    of each before it runs."""
    programs = numbered(programs)
    module = parsed(programs)
    expected = [referenced(module, program) for program in programs]
    try:
        machine = _compiled(module, way)
    except (lowering.PassFailure, ir.MLIRError) as error:
        if len(programs) > 1:
            return [found for program in programs for found in check_linalg([program], way, before)]
        return [Finding(programs[0], f"linalg by {way}", str(error), refused=True)]
    found = []
    for program, wanted in zip(programs, expected, strict=True):
        before(program)
        wrong = difference(program, machine.call(program, wanted), wanted)
        if wrong is not None:
            found.append(Finding(program, f"linalg by {way} against reference", wrong))
    return found


@dataclass(frozen=True)
class Machine:
    """Functions in upstream's engine, and what they need."""

    engine: Any
    raising: dict[str, object]
    sites: list[str]

    def call(self, program: Program, wanted: Outcome) -> Outcome:
        """What the code gives; where an error is wanted, in a process that ends with it."""
        if not isinstance(wanted, Failed):
            return self._run(program, wanted)
        reading, writing = os.pipe()
        child = os.fork()
        if child == 0:
            os.dup2(writing, 2)
            self._run(program, ())
            os._exit(0)
        os.close(writing)
        with os.fdopen(reading) as pipe:
            said = pipe.read()
        _, status = os.waitpid(child, 0)
        if os.waitstatus_to_exitcode(status) == _RAISED:
            return Failed(said)
        return ()

    def _run(self, program: Program, wanted: Sequence[np.ndarray]) -> Outcome:
        arrays = [_stored(argument) for argument in program.arguments]
        descriptors = [_descriptor(array) for array in arrays]
        ranks = [one.ndim for one in wanted] or [8] * 4
        results = np.zeros(sum(3 + 2 * rank for rank in ranks), np.int64)
        pointers = [one.ctypes.data for one in descriptors]
        if not program.written:
            pointers.insert(0, results.ctypes.data)
        values = (ctypes.c_void_p * len(pointers))(*pointers)
        step = ctypes.sizeof(ctypes.c_void_p)
        places = [ctypes.addressof(values) + step * n for n in range(len(pointers))]
        packed = (ctypes.c_void_p * len(pointers))(*places)
        function = self.engine.raw_lookup(f"_mlir_ciface_{program.name}")
        ctypes.CFUNCTYPE(None, ctypes.c_void_p)(function)(ctypes.addressof(packed))
        if program.written:
            return tuple(arrays[number] for number in program.written)
        found, start = [], 0
        for one in wanted:
            found.append(_array(results[start:], one.ndim, one.dtype))
            start += 3 + 2 * one.ndim
        return tuple(found)


def _compiled(module: ir.Module, way: Way) -> Machine:
    with module.context, ir.Location.unknown():
        lowering.run_pipeline(module, way.ours)
        assert '"gs.' not in str(module)
        passes = TO_LOOPS + SMALL_FLOATS + LOOPS_TO_LLVM
        to_llvm = partial(lowering.run_pipeline, module, passes)
        return machine_of(module, to_llvm, way.protected, way.level)


def machine_of(
    module: ir.Module, to_llvm: Callable[[], None], protected: bool, level: int = 0
) -> Machine:
    """The functions of `module` as upstream's engine compiles them; `to_llvm` brings the module to
    LLVM's dialect. In the module's context."""
    sites = [text.value for text in module.operation.attributes.get("gs.sites", ())]
    raising = {}
    for view in module.body.operations:
        function = view.operation
        if function.name != "func.func":
            continue
        name = function.attributes["sym_name"].value
        if name.startswith(RAISE):
            raising[name] = _raiser(name, sites)
        elif protected:
            _protect(view)
        function.attributes["llvm.emit_c_interface"] = ir.UnitAttr.get()
    to_llvm()
    parallel = "omp.parallel" in str(module)
    libraries = engine.libraries(parallel)
    machine = _ExecutionEngine(module, opt_level=level, shared_libs=libraries)
    for name, function in {**raising, "memrefCopy": _COPY}.items():
        for one in (name, f"_mlir_ciface_{name}"):
            machine.raw_register_runtime(one, ctypes.cast(function, ctypes.c_void_p))
    for name in support.ROUNDING:
        machine.raw_register_runtime(name, ctypes.c_void_p(engine.shared()[name]))
    return Machine(machine, raising, sites)


def _protect(function: ir.OpView) -> None:
    mark = ir.DictAttr.get({"bufferization.writable": ir.BoolAttr.get(False)})
    count = len(function.type.inputs)
    function.operation.attributes["arg_attrs"] = ir.ArrayAttr.get([mark] * count)


_RAISED = 77


def _raiser(name: str, sites: Sequence[str]) -> object:
    """What a check calls: it says what is wrong and ends the process."""
    shown, order = message_format(name)
    count = len(order)

    def call(site: int, *numbers: int) -> None:
        unsigned = [n % 2**64 for n in numbers]
        values = iter(order)
        pieces = shown.split("%")
        text = pieces[0]
        for piece in pieces[1:]:
            number = next(values)
            given = unsigned if piece.startswith("llu") else numbers
            text += str(given[number]) + piece[3:]
        sys.stderr.flush()
        os.write(2, f"{sites[site]}: {text}".encode())
        os._exit(_RAISED)

    return ctypes.CFUNCTYPE(None, *[ctypes.c_int64] * (1 + count))(call)


def _copy(size: int, source: int, target: int) -> None:
    """`memrefCopy` of upstream's runner library, which the bindings do not carry."""
    views = []
    for pointer in (source, target):
        rank, at = np.ctypeslib.as_array((ctypes.c_int64 * 2).from_address(pointer)).tolist()
        numbers = np.ctypeslib.as_array((ctypes.c_int64 * (3 + 2 * rank)).from_address(at))
        views.append(_view(numbers, rank, np.dtype(f"V{size}")))
    if views[0].size:
        views[1][...] = views[0]


_COPY = ctypes.CFUNCTYPE(None, ctypes.c_int64, ctypes.c_void_p, ctypes.c_void_p)(_copy)


def _stored(array: np.ndarray) -> np.ndarray:
    """A copy as LLVM's integers lie in memory: the bits beside those of the type are 0."""
    array = np.array(array, order="C")
    if array.dtype in NARROW:
        bits = array.view(np.uint8)
        bits &= np.uint8((1 << width(NARROW[array.dtype])) - 1)
    return array


def _descriptor(array: np.ndarray) -> np.ndarray:
    """A memref of it: two pointers, the offset, sizes and strides, all of 64 bits."""
    strides = [stride // array.itemsize for stride in array.strides]
    at = array.ctypes.data
    return np.array([at, at, 0, *array.shape, *strides], np.int64)


def _array(numbers: np.ndarray, rank: int, dtype: np.dtype) -> np.ndarray:
    return np.array(_view(numbers, rank, np.dtype(f"V{dtype.itemsize}"))).view(dtype)


def _view(numbers: np.ndarray, rank: int, dtype: np.dtype) -> np.ndarray:
    """The elements of a memref."""
    _, at, offset, *rest = numbers[: 3 + 2 * rank].tolist()
    shape, strides = rest[:rank], [n * dtype.itemsize for n in rest[rank:]]
    if 0 in shape:
        return np.empty(shape, dtype)
    low = sum((n - 1) * s for n, s in zip(shape, strides, strict=True)) + dtype.itemsize
    memory = (ctypes.c_char * low).from_address(at + offset * dtype.itemsize)
    return np.ndarray(shape, dtype, memory, 0, strides)
