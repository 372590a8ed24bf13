"""Whatever stands where an operand, attribute, region or result belongs, the answer is one clear
diagnostic or a valid op: no exception of Python's, and nothing without a message."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import mlir_gs.dialect
import pytest
from mlir_gs.dialect._bindings import ir

# The context is not the current one, as when gs-opt parses.
CONTEXT = mlir_gs.dialect.context()

TYPES = (
    *("tensor<4x5xf32>", "tensor<*xf32>", "tensor<f32>", "tensor<4x2xi32>", "tensor<4x1xindex>"),
    *("tensor<?x?xf32>", "tensor<4x?xi64>", "tensor<4x1xi1>", "tensor<0x1xi32>", "tensor<4xi128>"),
    *("tensor<4xvector<4xf32>>", 'tensor<4xf32, "encoding">', "tensor<1x1x1x1x1x1x1x1x1x1xf32>"),
    *("memref<4x5xf32>", "memref<*xf32>", "memref<4xmemref<4xf32>>", "memref<4xf32, 3>"),
    *("f32", "index", "none", "vector<4xf32>", "tuple<i32>", "complex<f32>", "() -> ()"),
)
ATTRIBUTES = (
    *("3", "1", "0", "0 : index", "0 : i1", "5 : i128", "-1 : si8", "1.0", "true", "unit", "i32"),
    *('"x"', "@x", "[]", "[1]", "[[1]]", "[[]]", "[unit]", '["parallel"]', '["clip"]', "{}"),
    *("{a = 1}", "array<i64>", "array<i64: 0>", "array<i64: 0, 1>", "array<i64: -1>"),
    *("array<i32: 0>", "array<i8: 1>", "array<i1: true>", "array<f32: 1.0>", "loc(unknown)"),
    *("array<i64: 9223372036854775807, -9223372036854775808>", "[loc(unknown)]"),
    *("99999999999999999999 : i128", "-170141183460469231731687303715884105728 : i128"),
    *("dense<1> : tensor<2xi64>", "sparse<[[0]], [1]> : tensor<4xi64>", "[[loc(unknown)]]"),
    *("affine_map<(d0) -> (d0)>", "[affine_map<(d0) -> (d0)>]", "[[affine_map<(d0) -> (d0)>]]"),
    *("[affine_map<(d0)[s0] -> (d0 floordiv 0)>]", "[[affine_map<(d0)[s0] -> (s0 * s0)>]]"),
)
GOOD_REGION = """({
^bb0(%c: f32, %u: f32):
  "gs.yield"(%c) : (f32) -> ()
})"""
REGIONS = (
    "",
    "({})",
    "({}, {})",
    GOOD_REGION,
    "({\n^bb0:\n})",
    '({ "gs.yield"() : () -> () })',
    GOOD_REGION.replace("})", '^bb1:\n  "gs.yield"(%c) : (f32) -> ()\n})'),
    GOOD_REGION.replace("%c: f32", "%c: i32"),
    GOOD_REGION.replace("%c: f32, %u: f32", "%c: f32"),
    GOOD_REGION.replace("(%c) : (f32)", "() : ()"),
    GOOD_REGION.replace("(%c) : (f32)", "(%c, %u, %u) : (f32, f32, f32)"),
    GOOD_REGION.replace('"gs.yield"(%c) : (f32) -> ()', "llvm.unreachable"),
    GOOD_REGION.replace('"gs.yield"(%c) : (f32) -> ()', "cf.br ^bb0(%c, %u : f32, f32)"),
)
# What MLIR itself says of any op; all else is said by the verifiers, and begins with the op.
UPSTREAM = (
    *("empty block: expect at least a terminator", "entry block of region may not have predec"),
    *("expected 'i32' but got 'f32'", "expects different type than prior uses"),
    *("use of value '%c' expects", "dialect 'builtin' provides no attribute parsing hook"),
)


@dataclass(frozen=True)
class Op:
    """The parts of an op as text."""

    name: str
    operands: tuple[str, ...]
    attributes: dict[str, str]
    results: tuple[str, ...]
    region: str = ""

    def module(self) -> str:
        arguments = ", ".join(f"%a{i}: {type_}" for i, type_ in enumerate(self.operands))
        values = ", ".join(f"%a{i}" for i in range(len(self.operands)))
        attributes = ", ".join(f"{name} = {value}" for name, value in self.attributes.items())
        results = f"%r:{len(self.results)} = " if self.results else ""
        return (
            f"func.func @f({arguments}) {{\n"
            f'{results}"gs.{self.name}"({values}) {self.region} {{{attributes}}} : '
            f"({', '.join(self.operands)}) -> ({', '.join(self.results)})\nreturn\n}}"
        )


SOURCE, INDICES, UPDATES = "tensor<4x5xf32>", "tensor<7x1xi32>", "tensor<7x5xf32>"
GOOD = (
    Op("gather", (SOURCE, INDICES), {"gather_dims": "array<i64: 0>"}, (UPDATES,)),
    Op(
        "scatter",
        (UPDATES, SOURCE, INDICES),
        {"scatter_dims": "array<i64: 0>"},
        (SOURCE,),
        GOOD_REGION,
    ),
    Op("gather_elements", (SOURCE, "tensor<2x5xi32>"), {"dim": "0"}, ("tensor<2x5xf32>",)),
    Op(
        "scatter_elements",
        ("tensor<2x5xf32>", SOURCE, "tensor<2x5xi32>"),
        {"dim": "0"},
        (SOURCE,),
        GOOD_REGION,
    ),
    Op("histogram", (UPDATES, INDICES), {}, ("tensor<?x5xf32>", "tensor<?x1xi32>"), GOOD_REGION),
    Op(
        "strided_slice",
        ("tensor<4xf32>",),
        {"offsets": "array<i64: 0>", "sizes": "array<i64: 4>", "strides": "array<i64: 2>"},
        ("tensor<2xf32>",),
    ),
    Op(
        "generic",
        ("tensor<7xf32>", "tensor<7xi32>", "tensor<4xf32>"),
        {
            "indexing_maps": "[affine_map<(d0)[s0] -> (d0)>, affine_map<(d0)[s0] -> (s0)>]",
            "coordinate_maps": "[[affine_map<(d0)[s0] -> (d0)>]]",
            "iterator_types": '["reduction"]',
            "operandSegmentSizes": "array<i32: 1,0,0,0,0,0,0,0, 1,0,0,0,0,0,0,0, 1,0,0,0>",
            "resultSegmentSizes": "array<i32: 1,0,0,0>",
        },
        ("tensor<4xf32>",),
        GOOD_REGION,
    ),
)


def other_operands(good: Op) -> Iterator[Op]:
    for count in range(6):
        for type_ in TYPES[:4]:
            yield replace(good, operands=(type_,) * count)
    for position in range(len(good.operands)):
        for type_ in TYPES:
            before, after = good.operands[:position], good.operands[position + 1 :]
            yield replace(good, operands=(*before, type_, *after))


def other_results(good: Op) -> Iterator[Op]:
    for count in range(6):
        yield replace(good, results=(SOURCE,) * count)
    for position in range(len(good.results)):
        for type_ in TYPES:
            before, after = good.results[:position], good.results[position + 1 :]
            yield replace(good, results=(*before, type_, *after))


def other_attributes(good: Op) -> Iterator[Op]:
    kinds: Any = getattr(mlir_gs.dialect, "".join(map(str.title, good.name.split("_"))) + "Op")
    known = [*kinds.ATTRIBUTES.required, *kinds.ATTRIBUTES.optional]
    for name in known:
        rest = {key: value for key, value in good.attributes.items() if key != name}
        yield replace(good, attributes=rest)
        for value in ATTRIBUTES:
            yield replace(good, attributes={**rest, name: value})
            if name == "fill_value":
                yield replace(good, attributes={**rest, name: value, "mode": '"fill"'})
            if (
                kinds.ATTRIBUTES.required.get(name, kinds.ATTRIBUTES.optional.get(name))
                is ir.ArrayAttr
            ):
                yield replace(good, attributes={**rest, name: f"[{value}]"})
                yield replace(good, attributes={**rest, name: f"[{value}, {value}]"})
                yield replace(good, attributes={**rest, name: f"[[{value}]]"})
    yield replace(good, attributes={**good.attributes, "moed": '"clip"'})


def other_regions(good: Op) -> Iterator[Op]:
    for region in REGIONS:
        yield replace(good, region=region)


def test_every_op_has_a_good_one() -> None:
    ops = set(re.findall(r"irdl\.operation @(\w+)", mlir_gs.dialect.irdl_text())) - {"yield"}
    assert {good.name for good in GOOD} == ops


@pytest.mark.parametrize("change", [other_operands, other_results, other_attributes, other_regions])
@pytest.mark.parametrize("good", GOOD, ids=lambda op: op.name)
def test_wrong_part_gets_one_diagnostic(good: Op, change: Any) -> None:
    ir.Module.parse(good.module(), CONTEXT)
    refused = 0
    for op in change(good):
        text = op.module()
        try:
            ir.Module.parse(text, CONTEXT)
        except ir.MLIRError as error:
            refused += 1
            messages = [diagnostic.message for diagnostic in error.error_diagnostics]
            assert len(messages) == 1, f"{messages}\n{text}"
            assert messages[0].startswith(("'gs.", *UPSTREAM)), f"{messages[0]}\n{text}"
    assert refused
