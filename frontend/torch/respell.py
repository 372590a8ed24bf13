"""Ops of Torch that torch-mlir decomposes to other numbers, or to what it does not take, spelled
before its decompositions."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce
from typing import ClassVar

from mlir_gs.dialect import scatter_elements
from mlir_gs.dialect._bindings import dialect, ir
from mlir_gs.dialect.checks import DYNAMIC
from mlir_gs.frontend.common.common import Refusal, Refused
from mlir_gs.frontend.common.elementwise import elementwise, filled
from mlir_gs.frontend.common.shapes import with_unit_dims, without_unit_dims
from mlir_gs.frontend.common.slices import Int, extent_of
from mlir_gs.frontend.torch.activations import ACTIVATIONS
from mlir_gs.frontend.torch.numbers import NUMBERS, Spelling, rounded, static
from mlir_gs.frontend.torch.op import TorchOp, as_index, number
from mlir_gs.frontend.torch.order import ORDER
from mlir_gs.frontend.torch.reduce_into import accumulated
from mlir_gs.frontend.torch.vtensor import TensorType, from_builtin, name_of
from mlir_gs.lowering import PassFailure, register_pass
from mlir_gs.lowering.ir.builders import producer, walk
from mlir_gs.lowering.ir.emit import mul

arith = dialect("arith")
math = dialect("math")
tensor = dialect("tensor")

COMPLEX = Refusal(
    "determinants and pools of complex elements", "is not supported: its elements are complex"
)
POOLED = Refusal("pools of fewer dims than they move along", "takes no tensor of rank {found}")
NORM = Refusal(
    "an instance_norm without weight or bias", "is not supported without weight and bias"
)

KTH = Refusal(
    "kthvalue of floats, or with its indices",
    "is not supported: which of equal elements it names, and NaN",
)

_POOL = re.compile(r"torch\.aten\.(?:adaptive_)?(?:avg|max)_pool(\d)d(?:_with_indices)?")
_CONVOLUTION = re.compile(r"torch\.aten\.conv(?:_transpose)?(\d)d(?:\.padding|\.input)?")
_SPREAD = re.compile(r"torch\.(?:aten\.(?:var|std)(?:_mean)?(?:\.correction|\.dim)?|prims\.var)")
_TENSOR = re.compile(r"!torch\.(?:vtensor<\[.*,|list<)")
_CORRECTIONS = {"prims": 2, ".correction": 2, ".dim": 2}
"""Which operand says what is taken from the number of elements; otherwise the second."""


@register_pass
@dataclass(frozen=True)
class RespellTorch:
    """Spell ops of Torch that torch-mlir decomposes to other numbers, or to what it does not take.

    Pools and convolutions without a batch get one of size 1. Variances by a correction that may be
    as large as the number of elements are scaled. Leaky ReLUs choose instead of adding, divisions
    that round down stay what their elements are, as do powers of integers. What orders elements,
    and what has factors and bounds, does as Torch does with NaN and infinities, bools and shifts
    that are too wide.
    """

    name: ClassVar[str] = "respell-torch"

    def run(self, module: ir.Operation) -> None:
        refused = False
        for op in [op for op in walk(module) if _spelling(op.name) and _is_known(op)]:
            spell = _spelling(op.name)
            assert spell is not None
            with op.location, ir.InsertionPoint(op):
                try:
                    made = spell(TorchOp(op))
                except Refused as refusal:
                    op.location.emit_error(f"'{name_of(op)}' op {refusal}")
                    refused = True
                    continue
                if made is not None:
                    op.results[0].replace_all_uses_with(from_builtin(made, op.results[0].type))
                    op.erase()
        if refused:
            raise PassFailure


def _spelling(name: str) -> Spelling | None:
    if _POOL.fullmatch(name) or _CONVOLUTION.fullmatch(name):
        return _batch
    if _SPREAD.fullmatch(name):
        return _scale
    return _SPELLINGS.get(name.removeprefix("torch.aten.")) if name.startswith("torch.") else None


def _is_known(op: ir.Operation) -> bool:
    """Whether the types of all tensors are; else torch-mlir finds out more of them first."""
    types = [value.type for value in (*op.operands, *op.results) if "vtensor" in str(value.type)]
    return all(_TENSOR.match(str(type_)) for type_ in types)


def _batch(t: TorchOp) -> None:
    """Pool or convolve a tensor without a batch as a batch of one; lists have a number for each
    dim."""
    found = _POOL.fullmatch(t.op.name)
    if found is None:
        found = _CONVOLUTION.fullmatch(t.op.name)
    assert found is not None
    _fill_lists(t, int(found[1]))
    if isinstance(t.type(0).element, ir.ComplexType):
        raise COMPLEX()
    if t.type(0).rank <= int(found[1]):
        raise POOLED(found=t.type(0).rank)
    if t.type(0).rank > int(found[1]) + 1:
        return
    single = with_unit_dims(t.tensor(0), [0])
    t.op.operands[0] = from_builtin(single, _with_batch(t.op.operands[0].type))
    for result in t.op.results:
        declared = result.type
        result.set_type(_with_batch(declared))
        uses = [(use.owner, use.operand_number) for use in result.uses]
        with ir.InsertionPoint.after(t.op):
            alone = without_unit_dims(_builtin(result), [0])
            found_value = from_builtin(alone, declared)
        for user, position in uses:
            user.operands[position] = found_value


def _fill_lists(t: TorchOp, count: int) -> None:
    """Repeat the number of a list of one; a stride that is not given is the size of the window."""
    for at, value in enumerate(t.op.operands):
        made = producer(value, "torch.prim.ListConstruct")
        if made is None or str(value.type) != "!torch.list<int>" or len(made.operands) > 1:
            continue
        given = list(made.operands)
        if not given and "max_pool" in t.op.name and at == 2:
            window = producer(t.op.operands[1], "torch.prim.ListConstruct")
            given = list(window.operands) if window is not None else []
        if len(given) == 1:
            given *= count
        if len(given) == count:
            t.op.operands[at] = ir.Operation.create(
                made.name, results=[value.type], operands=given
            ).result


def _builtin(value: ir.Value) -> ir.Value:
    type_ = TensorType.of(value.type).builtin
    return ir.Operation.create(
        "torch_c.to_builtin_tensor", results=[type_], operands=[value]
    ).result


def _with_batch(type_: ir.Type) -> ir.Type:
    return ir.Type.parse(str(type_).replace("[", "[1,", 1).replace("[1,]", "[1]"))


def _scale(t: TorchOp) -> ir.Value | None:
    """A variance or deviation whose correction may be as large as the number N of its elements.

    before: x by a correction c
    after:  x by a correction of 0, times N / max(N - c, 0), of which deviations take the root
    """
    at = next((at for part, at in _CORRECTIONS.items() if part in t.op.name), 1)
    correction = 1.0 if t.is_none(at) else float(t.constant(at))
    source = t.tensor(0)
    count = reduce(mul, (extent_of(source, dim) for dim in _dims(t, at)), 1)
    if t.op.name == "torch.prims.var" and not source.type.rank:
        return _of_one(source, correction)
    if not source.type.rank and at == 2:
        # torch-mlir dies of dims of a scalar.
        none = ir.Type.parse("!torch.none")
        t.op.operands[1] = ir.Operation.create("torch.constant.none", results=[none]).result
    if isinstance(count, int) and count > max(correction, 0):
        return None
    kind = "!torch.int" if t.is_none(at) else str(t.op.operands[at].type)
    t.op.operands[at] = _zero(kind)
    result = t.op.results[0]
    declared = TensorType.of(result.type)
    uses = [(use.owner, use.operand_number) for use in result.uses]
    with ir.InsertionPoint.after(t.op):
        factor = _factor(count, correction, "std" in t.op.name)
        wide = accumulated(declared.element)

        def body(element: ir.Value) -> ir.Value:
            scaled = arith.mulf(rounded(element, wide), rounded(factor, wide))
            return rounded(scaled, declared.element)

        found = from_builtin(elementwise([_builtin(result)], declared.element, body), result.type)
    for user, position in uses:
        user.operands[position] = found
    return None


def _of_one(source: ir.Value, correction: float) -> ir.Value:
    """The variance of one number, which is infinite or NaN where it is so or nothing is left."""
    element = source.type.element_type
    factor = 1 / (1 - correction) if correction < 1 else float("inf")

    def body(value: ir.Value) -> ir.Value:
        return arith.mulf(arith.subf(value, value), arith.constant(element, factor))

    return elementwise([source], element, body)


def _dims(t: TorchOp, at: int) -> Sequence[int]:
    rank = t.type(0).rank
    dims = [] if at == 1 or t.is_none(1) else t.dims(1, rank)
    return [dim for dim in dims if rank] or range(rank)


def _zero(kind: str) -> ir.Value:
    i64 = ir.IntegerType.get_signless(64)
    name, value = {
        "!torch.int": ("int", ir.IntegerAttr.get(i64, 0)),
        "!torch.bool": ("bool", ir.BoolAttr.get(False)),
        "!torch.float": ("float", ir.FloatAttr.get(ir.F64Type.get(), 0.0)),
    }[kind]
    type_ = ir.Type.parse(kind)
    return ir.Operation.create(
        f"torch.constant.{name}", results=[type_], attributes={"value": value}
    ).result


def _factor(count: Int, correction: float, is_root: bool) -> ir.Value:
    f64 = ir.F64Type.get()
    if isinstance(count, int):
        return arith.constant(f64, float("inf"))
    whole = arith.sitofp(f64, arith.index_cast(ir.IntegerType.get_signless(64), count))
    rest = arith.subf(whole, arith.constant(f64, correction))
    factor = arith.divf(whole, arith.maximumf(rest, arith.constant(f64, 0.0)))
    return math.sqrt(factor) if is_root else factor


def _unpool(t: TorchOp) -> ir.Value | None:
    """max_unpool2d(x, indices, output_size): each element at its index in the picture, of several
    the last one; torch-mlir looks for them where a pooling without overlap would have been."""
    source, declared = t.tensor(0), t.of_result()
    rank = declared.rank
    sizes: list[Int] = [extent_of(source, dim) for dim in range(rank - 2)]
    for size, given in zip(declared.shape[-2:], t.list(2), strict=True):
        sizes.append(as_index(given) if size == DYNAMIC else size)
    if 0 in (*sizes, *source.type.shape):
        return None
    element = source.type.element_type
    line = filled([*sizes[:-2], mul(sizes[-2], sizes[-1])], number(0, element))
    last = rank - 2
    indices = _joined(t.indices(1))
    found = scatter_elements(_joined(source), line, indices, last, mode="error")
    wanted = ir.RankedTensorType.get(list(map(static, sizes)), element)
    dynamic = [size for size in sizes if not isinstance(size, int)]
    return tensor.expand_shape(wanted, found, _groups(rank), dynamic, wanted.shape)


def _joined(value: ir.Value) -> ir.Value:
    """The last two dims as one."""
    *outer, rows, columns = value.type.shape
    last = DYNAMIC if DYNAMIC in (rows, columns) else rows * columns
    wanted = ir.RankedTensorType.get([*outer, last], value.type.element_type)
    return tensor.collapse_shape(wanted, value, _groups(value.type.rank))


def _groups(rank: int) -> list[list[int]]:
    return [*([dim] for dim in range(rank - 2)), [rank - 2, rank - 1]]


def _normalize(t: TorchOp) -> None:
    """Refuse an instance_norm without weight or bias, on which torch-mlir dies."""
    if t.is_none(1) or t.is_none(2):
        raise NORM()


def _split(t: TorchOp) -> None:
    """A split in one part is the tensor, also where the size of the parts is 0 or very large."""
    for use in list(t.op.results[0].uses):
        if use.owner.name == "torch.prim.ListUnpack" and len(use.owner.results) == 1:
            whole = from_builtin(t.tensor(0), use.owner.results[0].type)
            use.owner.results[0].replace_all_uses_with(whole)
            use.owner.operation.erase()
    if not list(t.op.results[0].uses):
        t.op.erase()


def _real(t: TorchOp) -> ir.Value | None:
    """real(x) of what is real, on which torch-mlir dies."""
    is_complex = isinstance(t.type(0).element, ir.ComplexType)
    return None if is_complex else t.tensor(0)


def _kth(t: TorchOp) -> None:
    """Refuse what torch-mlir takes otherwise: equal elements, and NaN."""
    type_ = t.type(0)
    is_open = isinstance(type_.element, ir.FloatType) or list(t.op.results[1].uses)
    if is_open and (not type_.rank or type_.shape[t.dim(2, type_.rank)] != 1):
        raise KTH()


def _determinant(t: TorchOp) -> None:
    """Refuse what torch-mlir dies of."""
    if isinstance(t.type(0).element, ir.ComplexType):
        raise COMPLEX()


_SPELLINGS: dict[str, Spelling] = {
    "max_unpool2d": _unpool,
    "instance_norm": _normalize,
    "split.Tensor": _split,
    "kthvalue": _kth,
    "real": _real,
    "linalg_det": _determinant,
    "_linalg_det": _determinant,
    **NUMBERS,
    **ORDER,
    **ACTIVATIONS,
}
