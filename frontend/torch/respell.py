"""Ops of Torch that torch-mlir decomposes to other numbers, or to what it does not take, spelled
before its decompositions."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from mlir_gs.dialect._bindings import dialect, ir
from mlir_gs.frontend.common.common import Refusal, Refused
from mlir_gs.frontend.common.elementwise import elementwise
from mlir_gs.frontend.common.shapes import with_unit_dims, without_unit_dims
from mlir_gs.frontend.common.slices import Int
from mlir_gs.frontend.torch.activations import ACTIVATIONS
from mlir_gs.frontend.torch.convolutions import TRANSPOSED, transposed
from mlir_gs.frontend.torch.numbers import NUMBERS, Spelling, rounded
from mlir_gs.frontend.torch.op import TorchOp, constant_of
from mlir_gs.frontend.torch.order import ORDER
from mlir_gs.frontend.torch.pools import INTEGERS, POOLS, fill_lists, place_maxima
from mlir_gs.frontend.torch.reduce_into import accumulated
from mlir_gs.frontend.torch.roll import roll
from mlir_gs.frontend.torch.vtensor import TensorType, from_builtin, name_of
from mlir_gs.lowering import PassFailure, register_pass
from mlir_gs.lowering.facts.numbers import limits
from mlir_gs.lowering.ir.builders import producer, replace_op, walk
from mlir_gs.lowering.ir.emit import product, size_of

arith = dialect("arith")
math = dialect("math")

COMPLEX = Refusal(
    "determinants and pools of complex elements", "is not supported: its elements are complex"
)
POOLED = Refusal("pools of fewer dims than they move along", "takes no tensor of rank {found}")
NORM = Refusal(
    "an instance_norm without weight or bias", "is not supported without weight and bias"
)

AMOUNT = Refusal(
    "reflection and replication pads by negative amounts",
    "is not supported: a pad by {found}",
)
LAYER = Refusal("a native_layer_norm over no elements", "is not supported: a mean of nothing")
KTH = Refusal(
    "kthvalue of floats, or with its indices",
    "is not supported: which of equal elements it names, and NaN",
)

GRID = Refusal("grid_sampler", "is not supported: torch-mlir reads out of bounds at its grid")
STFT = Refusal("stft of other elements than f32", "is not supported: its elements are {found}")

_POOL = re.compile(r"torch\.aten\.(?:adaptive_)?(?:avg|max)_pool(\d)d(?:_with_indices)?")
_CONVOLUTION = re.compile(r"torch\.aten\.conv(?:_transpose)?(\d)d(?:\.padding|\.input)?")
_SPREAD = re.compile(r"torch\.(?:aten\.(?:var|std)(?:_mean)?(?:\.correction|\.dim)?|prims\.var)")
_TENSOR = re.compile(r"!torch\.(?:vtensor<\[.*,|list<)")
_CORRECTIONS = {"prims": 2, ".correction": 2, ".dim": 2}
"""Which operand says what is taken from the number of elements; otherwise the second."""


@register_pass
@dataclass(frozen=True)
class RespellTorch:
    """Rewrite ops of Torch that torch-mlir decomposes wrongly, or to ops that it does not convert.

    Pools and convolutions without a batch get one of size 1. Variances are scaled where the
    correction may be as large as the number of elements. Transposed convolutions read no zeros
    between elements, and leaky ReLUs select instead of adding. Divisions that round down, and
    powers of integers, keep their element type. NaN, infinities, bools and shifts by too many bits
    give what they give in Torch.
    """

    name: ClassVar[str] = "respell-torch"

    def run(self, module: ir.Operation) -> None:
        refused = False
        for op in [op for op in walk(module) if _spelling(name_of(op)) and _is_known(op)]:
            spell = _spelling(name_of(op))
            assert spell is not None
            with op.location, ir.InsertionPoint(op):
                try:
                    made = spell(TorchOp(op))
                except Refused as refusal:
                    op.location.emit_error(f"'{name_of(op)}' op {refusal}")
                    refused = True
                    continue
                if made is not None:
                    replace_op(op, [from_builtin(made, op.results[0].type)])
        if refused:
            raise PassFailure


def _spelling(name: str) -> Spelling | None:
    if TRANSPOSED.fullmatch(name):
        return _transposed
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
    fill_lists(t, int(found[1]))
    element = t.type(0).element
    if isinstance(element, ir.ComplexType):
        raise COMPLEX()
    if "max_pool3d" in t.op.name and isinstance(element, ir.IntegerType):
        # torch-mlir dies of them.
        raise INTEGERS()
    if t.type(0).rank <= int(found[1]):
        raise POOLED(found=t.type(0).rank)
    if place_maxima(t, int(found[1])):
        return
    if t.type(0).rank > int(found[1]) + 1:
        return
    single = with_unit_dims(t.tensor(0), [0])
    t.op.operands[0] = from_builtin(single, _with_batch(t.op.operands[0].type))
    for result in t.op.results:
        declared = result.type
        result.set_type(_with_batch(declared))
        with ir.InsertionPoint.after(t.op):
            batch = _builtin(result)
            alone = from_builtin(without_unit_dims(batch, [0]), declared)
        result.replace_all_uses_except(alone, batch.owner.operation)


def _transposed(t: TorchOp) -> ir.Value | None:
    made = transposed(t)
    if made is None and _CONVOLUTION.fullmatch(t.op.name):
        _batch(t)
    return made


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
    count = product(size_of(source, dim) for dim in _dims(t, at))
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
    with ir.InsertionPoint.after(t.op):
        factor = _factor(count, correction, "std" in t.op.name)
        wide = accumulated(declared.element)

        def body(element: ir.Value) -> ir.Value:
            scaled = arith.mulf(rounded(element, wide), rounded(factor, wide))
            return rounded(scaled, declared.element)

        given = _builtin(result)
        found = from_builtin(elementwise([given], declared.element, body), result.type)
    result.replace_all_uses_except(found, given.owner.operation)
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


def _normalize(t: TorchOp) -> None:
    """Refuse an instance_norm without weight or bias, on which torch-mlir dies."""
    if t.is_none(1) or t.is_none(2):
        raise NORM()


def _pad(t: TorchOp) -> None:
    """constant_pad_nd(x, amounts, value): the least number of 64 bits, which torch-mlir pads for
    maxima of any integers, is the least that x may hold."""
    element = t.type(0).element
    made = producer(t.op.operands[2], "torch.constant.int")
    known = limits(element)
    if made is not None and known is not None and made.attributes["value"].value == -(1 << 63):
        least = ir.IntegerAttr.get(made.attributes["value"].type, known[0])
        t.op.operands[2] = ir.Operation.create(
            made.name, [t.op.operands[2].type], attributes={"value": least}
        ).result


def _reflect(t: TorchOp) -> None:
    """Refuse a pad by the elements inside that takes elements away."""
    made = [producer(each, "torch.constant.int") for each in t.list(1)]
    amounts = [each.attributes["value"].value for each in made if each is not None]
    if min(amounts, default=0) < 0:
        raise AMOUNT(found=min(amounts))


def _layers(t: TorchOp) -> None:
    """Refuse a mean of nothing, which Torch sets to no number that it says."""
    if 0 in [constant_of(each, 1) for each in t.list(1)]:
        raise LAYER()


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


def _frequencies(t: TorchOp) -> None:
    """Refuse other elements than f32, of which torch-mlir makes a constant without its value."""
    element = t.type(0).element
    if not isinstance(element, ir.F32Type):
        raise STFT(found=element)


def _sampled(_: TorchOp) -> None:
    """Refuse what torch-mlir reads unchecked, by one padding for all."""
    raise GRID()


def _determinant(t: TorchOp) -> None:
    """Refuse what torch-mlir dies of."""
    if isinstance(t.type(0).element, ir.ComplexType):
        raise COMPLEX()


_SPELLINGS: dict[str, Spelling] = {
    **POOLS,
    "instance_norm": _normalize,
    "kthvalue": _kth,
    "real": _real,
    "constant_pad_nd": _pad,
    "native_layer_norm": _layers,
    **{f"{kind}_pad{n}d": _reflect for kind in ("reflection", "replication") for n in (1, 2, 3)},
    "grid_sampler": _sampled,
    "grid_sampler_2d": _sampled,
    "stft": _frequencies,
    "stft.center": _frequencies,
    "linalg_det": _determinant,
    "_linalg_det": _determinant,
    **NUMBERS,
    **ORDER,
    **ACTIVATIONS,
    "roll": roll,
}
