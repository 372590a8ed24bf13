"""The builders: each op has one, which infers the types of results from the operands."""

import re
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from mlir_gs import dialect as gs
from mlir_gs.dialect._bindings import dialect, ir

arith, func, tensor = dialect("arith"), dialect("func"), dialect("tensor")


@pytest.fixture
def module() -> Iterator[Any]:
    with gs.context(), ir.Location.unknown():
        made = ir.Module.create()
        with ir.InsertionPoint(made.body):
            yield made


def array(sizes: str, element: str = "f32") -> Any:
    """A tensor of a type, from an op that the module keeps."""
    kind = ir.Type.parse(f"tensor<{sizes}x{element}>")
    return ir.Operation.create("test.array", results=[kind]).result


def add(current: Any, update: Any) -> Any:
    return arith.addf(current, update)


BUILT = {
    "gather": (
        lambda: gs.gather(array("5x?x7"), array("2x?x1", "i64"), [1], mode="fill"),
        ["tensor<2x?x5x7xf32>"],
    ),
    "gather, unit dims": (
        lambda: gs.gather(
            array("5x6x7"), array("3x2", "i32"), gather_dims=[0, 2], keep_unit_dims=True
        ),
        ["tensor<3x1x6x1xf32>"],
    ),
    "gather, batch": (
        lambda: gs.gather(array("?x6x7"), array("4x3x1", "index"), [1], batch_dims=1),
        ["tensor<4x3x7xf32>"],
    ),
    "scatter": (
        lambda: gs.scatter(array("?x7"), array("5x7"), array("?x1", "i64"), [0], add, mode="drop"),
        ["tensor<5x7xf32>"],
    ),
    "gather_elements": (
        lambda: gs.gather_elements(array("3x4"), array("3x?", "i64"), 1, mode="clip"),
        ["tensor<3x?xf32>"],
    ),
    "scatter_elements": (
        lambda: gs.scatter_elements(array("2x4"), array("8x4"), array("2x4", "i8"), 0, add),
        ["tensor<8x4xf32>"],
    ),
    "histogram": (
        lambda: gs.histogram(array("9x6"), array("9x2", "index"), add, sorted=True),
        ["tensor<?x6xf32>", "tensor<?x2xindex>"],
    ),
    "strided_slice": (
        lambda: gs.strided_slice(array("4x9"), [0, 1], [4, 6], [-2, 4]),
        ["tensor<2x2xf32>"],
    ),
}


@pytest.mark.parametrize("name", BUILT)
def test_the_result_type_is_inferred(module: Any, name: str) -> None:
    build, types = BUILT[name]
    module.context.allow_unregistered_dialects = True
    found = build()
    results = found if isinstance(found, tuple) else (found,)
    assert [str(result.type) for result in results] == types
    assert module.operation.verify()
    assert results[0].owner.name == f"gs.{name.partition(',')[0]}"
    assert ir.Module.parse(str(module)).operation.verify()


def test_generic_has_the_types_of_its_outputs(module: Any) -> None:
    module.context.allow_unregistered_dialects = True
    d, s = ir.AffineDimExpr.get(0), ir.AffineSymbolExpr.get(0)
    plain, addressed = ir.AffineMap.get(1, 1, [d]), ir.AffineMap.get(1, 1, [s])
    op = gs.generic(
        [array("?")],
        [array("?", "i32")],
        [array("6"), array("6", "i64")],
        indexing_maps=[plain, addressed, addressed],
        coordinate_maps=[[plain]],
        iterator_types=["reduction"],
        body=lambda value, total, count: (
            add(total, value),
            arith.addi(count, arith.constant(count.type, 1)),
        ),
        modes=["error"],
    )
    assert [str(result.type) for result in op.results] == ["tensor<6xf32>", "tensor<6xi64>"]
    assert module.operation.verify()
    assert ir.Module.parse(str(module)).operation.verify()


def test_every_op_has_a_builder() -> None:
    ops = {op.OPERATION_NAME.removeprefix("gs.") for op in gs.Gs.operations}
    assert ops - {"yield"} == {name.partition(",")[0] for name in BUILT} | {"generic"}
    assert all(callable(getattr(gs, name)) for name in ops - {"yield"})
    assert callable(gs.yield_)


# What a builder is given, and the sentence that it raises.
WRONG = {
    "indices of floats": (
        lambda: gs.gather(array("5x6"), array("2x1"), [0]),
        "'gs.gather' op operand 'indices' must have index or integer elements (coordinates), "
        "found f32",
    ),
    "a negative dim": (
        lambda: gs.gather(array("5x6"), array("2x1", "i64"), [-1]),
        "'gs.gather' op attribute 'gather_dims' must hold dims in [0, 2), found -1",
    ),
    "a dim past the rank": (
        lambda: gs.gather(array("5x6"), array("2x1", "i64"), [5]),
        "'gs.gather' op attribute 'gather_dims' must hold dims in [0, 2), found 5",
    ),
    "too many batch dims": (
        lambda: gs.gather(array("5x6"), array("2x1", "i64"), [0], batch_dims=9),
        "'gs.gather' op attribute 'batch_dims' must be in [0, 1] (source has rank 2, indices has "
        "rank 2), found 9",
    ),
    "a mode of NumPy": (
        lambda: gs.gather(array("5x6"), array("2x1", "i64"), [0], mode=word("wrap")),
        "'gs.gather' op attribute 'mode' must be one of promise_in_bounds, clip, fill, error, "
        'found "wrap"',
    ),
    "a scatter that fills": (
        lambda: gs.scatter(array("2x6"), array("5x6"), array("2x1", "i64"), [0], mode=word("fill")),
        "'gs.scatter' op attribute 'mode' must be one of promise_in_bounds, clip, drop, error, "
        'found "fill"',
    ),
    "a number as mode": (
        lambda: gs.gather(array("5x6"), array("2x1", "i64"), [0], mode=word(3)),
        "'gs.gather' op attribute 'mode' must be a string, found 3",
    ),
    "a word as dims": (
        lambda: gs.scatter(array("2x6"), array("5x6"), array("2x1", "i64"), word("0")),
        "'gs.scatter' op attribute 'scatter_dims' must be a sequence of integers, found '0'",
    ),
    "a fraction as dim": (
        lambda: gs.gather_elements(array("5"), array("2", "i64"), word(0.5)),
        "'gs.gather_elements' op attribute 'dim' must be an integer, found 0.5",
    ),
    "a word as promise": (
        lambda: gs.gather(array("5x6"), array("2x1", "i64"), [0], unique=word("yes")),
        "'gs.gather' op attribute 'unique' must be True or False, found 'yes'",
    ),
    "an array instead of a value": (
        lambda: gs.gather(word([1, 2]), array("2x1", "i64"), [0]),
        "'gs.gather' op operand 'source' must be a value of MLIR, found list",
    ),
    "a scalar instead of a tensor": (
        lambda: gs.scatter(array("2"), scalar(), array("2x1", "i64"), [0], add),
        "'gs.scatter' op operand 'dest' must be a ranked tensor, found f32",
    ),
    "unranked": (
        lambda: gs.gather_elements(array("*"), array("2", "i64"), 0),
        "'gs.gather_elements' op operand 'source' must be a ranked tensor, found tensor<*xf32>",
    ),
    "a fill value that is none": (
        lambda: gs.gather(array("5", "i8"), array("2x1", "i8"), [0], mode="fill", fill_value=300),
        "'gs.gather' op attribute 'fill_value' must be a constant of type i8, found 300",
    ),
    "a fill value without its mode": (
        lambda: gs.gather(array("5"), array("2x1", "i8"), [0], fill_value=0.0),
        "'gs.gather' op attribute 'fill_value' needs mode = \"fill\", found \"promise_in_bounds\"",
    ),
    "a combiner of another type": (
        lambda: gs.histogram(array("9"), array("9x1", "i8"), lambda a, b: arith.cmpf(0, a, b)),
        "'gs.histogram' op combiner region must yield (f32), found (i1)",
    ),
    "a combiner that gives nothing": (
        lambda: gs.histogram(array("9"), array("9x1", "i8"), word(lambda a, b: None)),
        "'gs.yield' op operand '#0' must be a value of MLIR, found NoneType",
    ),
    "a window past the end": (
        lambda: gs.strided_slice(array("4"), [2], [3], [1]),
        "'gs.strided_slice' op window [2, 5) of dim 0 must lie within source, found size 4",
    ),
    "a window of another rank": (
        lambda: gs.strided_slice(array("4"), [0, 0], [3], [1]),
        "'gs.strided_slice' op attribute 'offsets' must have one entry per dim of source (1), "
        "found 2",
    ),
    "a generic without outputs": (
        lambda: picked(outputs=[]),
        "'gs.generic' op expects 1 output or more, found 0",
    ),
    "a generic of a scalar": (
        lambda: picked(inputs=[scalar()]),
        "'gs.generic' op operand 'inputs #0' must be a ranked tensor or memref, found f32",
    ),
    "maps as texts": (
        lambda: picked(indexing_maps=["(d0)[s0] -> (s0)"]),
        "'gs.generic' op attribute 'indexing_maps' must hold maps, found '(d0)[s0] -> (s0)'",
    ),
    "a mode of another op": (
        lambda: picked(modes=["drop"]),
        "'gs.generic' op attribute 'modes' must hold promise_in_bounds, clip, fill_or_drop, error, "
        'found "drop"',
    ),
    "an unknown kind of loop": (
        lambda: picked(iterator_types=["window"]),
        "'gs.generic' op attribute 'iterator_types' must hold",
    ),
    "a body of another type": (
        lambda: picked(body=lambda a, b: arith.cmpf(0, a, b)),
        "'gs.generic' op body must yield (f32), found (i1)",
    ),
}


def word(given: Any) -> Any:
    """What a type checker would refuse."""
    return given


def scalar() -> Any:
    return ir.Operation.create("test.scalar", results=[ir.F32Type.get()]).result


def picked(**changed: Any) -> Any:
    d, s = ir.AffineDimExpr.get(0), ir.AffineSymbolExpr.get(0)
    plain, addressed = ir.AffineMap.get(1, 1, [d]), ir.AffineMap.get(1, 1, [s])
    parts: dict[str, Any] = dict(
        inputs=[array("6")],
        indices=[array("4", "i32")],
        outputs=[array("4")],
        indexing_maps=[addressed, plain],
        coordinate_maps=[[plain]],
        iterator_types=["parallel"],
        body=lambda value, old: value,
    )
    return gs.generic(**parts | changed)


@pytest.mark.parametrize("name", WRONG)
def test_what_does_not_fit_is_refused_where_it_is_built(module: Any, name: str) -> None:
    module.context.allow_unregistered_dialects = True
    build, sentence = WRONG[name]
    with pytest.raises(gs.InvalidOp, match=re.escape(sentence)) as raised:
        build()
    assert "\n" not in str(raised.value)
    left = [view.operation.name for view in module.body.operations]
    assert all(each.startswith("test.") for each in left), "nothing is left of it"
    assert module.operation.verify()


FILLS = {
    "f32": (0.5, "5.000000e-01 : f32"),
    "bf16": (1, "1.000000e+00 : bf16"),
    "f8E4M3FN": (2.0, "2.000000e+00 : f8E4M3FN"),
    "i8": (-3, "-3 : i8"),
    "ui8": (255, "255 : ui8"),
    "si16": (np.int16(-7), "-7 : si16"),
    "i1": (True, "true"),
    "i128": (1 << 100, f"{1 << 100} : i128"),
    "index": (5, "5 : index"),
    "complex<f32>": (1 - 2j, "[1.000000e+00 : f32, -2.000000e+00 : f32]"),
    "f64": (np.float32(0.25), "2.500000e-01 : f64"),
}


@pytest.mark.parametrize("element", FILLS)
def test_a_fill_value_is_a_number(module: Any, element: str) -> None:
    module.context.allow_unregistered_dialects = True
    number, text = FILLS[element]
    made = gs.gather(array("5", element), array("2x1", "i8"), [0], mode="fill", fill_value=number)
    assert str(made.owner.attributes["fill_value"]) == text
    again = picked(
        inputs=[array("6", element)],
        outputs=[array("4", element)],
        modes=["fill_or_drop"],
        fill_values=[number],
    )
    assert again.attributes["fill_values"][0] == made.owner.attributes["fill_value"]


def test_what_a_body_raises_is_raised(module: Any) -> None:
    module.context.allow_unregistered_dialects = True
    with pytest.raises(ZeroDivisionError):
        picked(body=lambda value, old: 1 // 0)
    assert all(view.operation.name != "gs.generic" for view in module.body.operations)
