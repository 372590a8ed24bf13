"""The builders: each op has one, which infers the types of results from the operands."""

from collections.abc import Iterator
from typing import Any

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


def test_operands_that_do_not_fit_are_refused(module: Any) -> None:
    module.context.allow_unregistered_dialects = True
    gs.gather(array("5x6"), array("2x1", "f32"), [0])
    with pytest.raises(ir.MLIRError, match=r"'gs\.gather' op operand 'indices' must have index"):
        module.operation.verify()
