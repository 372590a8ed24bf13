"""Lists of ops that a new op of upstream or of Torch must join: each op is in the list, or among
those that are left out here for a reason."""

import importlib
import re
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from mlir_gs import dialect, ir
from mlir_gs.dialect._bindings import PROVIDER
from mlir_gs.lowering.buffers import gs_limit_aliases
from mlir_gs.lowering.op.whole_bytes import VECTORS
from mlir_gs.lowering.scf.equal_ops import STAY

ROOT = Path(__file__).parents[2]
ROOMS = ("dialect", "lowering", "prove", "frontend", "execution", "integrations", "tools")


def ops_of(*dialects: str) -> Iterator[tuple[str, set[str]]]:
    """The name of each op of upstream's dialects, and those of its operands and attributes."""
    for name in dialects:
        module = importlib.import_module(f"{PROVIDER}.dialects._{name}_ops_gen")
        for each in vars(module).values():
            if isinstance(each, type) and issubclass(each, ir.OpView):
                operation = getattr(each, "OPERATION_NAME", None)
                if operation is not None:
                    found: Any = vars(each)
                    yield operation, {k for k, v in found.items() if isinstance(v, property)}


def test_ops_of_a_dialect_without_classes_search_no_disk() -> None:
    # dlti has attributes alone.
    texts = [path.read_text() for room in ROOMS for path in (ROOT / room).rglob("*.py")]
    named = {name for text in texts for name in re.findall(r'"([a-z_]+)\.[a-z_.]+"', text)}
    with dialect.context() as context:
        for name in sorted(named - {"dlti"}):
            try:
                context.get_dialect_descriptor(name)
            except ValueError:
                continue
            place = f"{PROVIDER}.dialects.{name}"
            assert place in sys.modules or find_spec(place) is not None, name


def test_what_reads_or_writes_elements_in_memory_does_it_by_whole_bytes() -> None:
    memory = {"base", "memref"}
    ops = ops_of("vector", "memref", "affine")
    found = {op for op, has in ops if "indices" in has and has & memory}
    # LLVM has no atomic integers of less than a byte, which is an error; nothing is read by a
    # prefetch; loads and stores of affine are memref's by then.
    left = {"memref.atomic_rmw", "memref.generic_atomic_rmw", "memref.prefetch", "affine.prefetch"}
    left |= {"affine.load", "affine.store"}
    assert found - left == set(VECTORS)


def test_what_allocates_calls_asserts_or_runs_in_parallel_stays_in_the_kernel() -> None:
    views = {"assume_alignment", "cast", "collapse_shape", "distinct_objects", "expand_shape"}
    views |= {"extract_aligned_pointer_as_index", "extract_strided_metadata", "get_global", "view"}
    views |= {"memory_space_cast", "reinterpret_cast", "reshape", "subview", "transpose"}
    # What is on the stack is gone with a function that has it, too.
    elements = {"alloca", "alloca_scope", "alloca_scope.return", "atomic_rmw", "atomic_yield"}
    elements |= {"dim", "generic_atomic_rmw", "load", "prefetch", "rank", "store"}
    # No kernel has these: nothing lowers them to a CPU.
    other = {"memref.dma_start", "memref.dma_wait", "memref.global", "func.call_indirect"}
    ends = {"func.constant", "func.func", "func.return", "cf.br", "cf.cond_br", "cf.switch"}
    loops = {"condition", "execute_region", "for", "forall.in_parallel", "if", "index_switch"}
    loops |= {"reduce", "reduce.return", "while", "yield"}
    left = other | ends | {f"memref.{n}" for n in views | elements} | {f"scf.{n}" for n in loops}
    found = {op for op, _ in ops_of("memref", "func", "cf", "scf")}
    assert found - left == STAY


def test_what_shows_or_fills_an_empty_tensor_is_looked_through() -> None:
    shows = {op for op, has in ops_of("tensor") if has & {"source", "src"}}
    # Of other bits or other elements, of some elements, or of two tensors.
    left = {"bitcast", "dim", "extract_slice", "gather", "insert_slice", "pad", "reshape"}
    left |= {"parallel_insert_slice", "scatter"}
    shown = {op for op in gs_limit_aliases._SHOWS if op.startswith("tensor.")} - {"tensor.empty"}
    assert shows - {f"tensor.{name}" for name in left} == shown


def test_what_a_kernel_of_torch_takes_moves_computes_or_is_left_to_loops() -> None:
    torch: Any = pytest.importorskip("torch")
    from mlir_gs.integrations.torch import whole
    from mlir_gs.integrations.torch.ops import INDEXING, TAKEN, VIEWS

    def computes_or_makes(name: str) -> bool:
        space, packet, *overload = name.split(".")
        op = getattr(getattr(getattr(torch.ops, space), packet), *overload or ("default",))
        takes = any("Tensor" in str(each.type) for each in op._schema.arguments[:1])
        fills = re.fullmatch(r"aten\.(\w+_like|new_\w+|masked_fill\.Tensor|_to_copy)", name)
        return torch.Tag.pointwise in op.tags or not takes or fills is not None

    others = {name for name in TAKEN - INDEXING - VIEWS if not computes_or_makes(name)}
    assert others == whole._LOOPS - whole.FUNCTIONS
