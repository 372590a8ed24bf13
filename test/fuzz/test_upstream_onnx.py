"""Some of the rows that `upstream_table.py onnx` prints, and that each ONNX op has one."""

import pytest

pytest.importorskip("onnxruntime")

import upstream_table

DEADLY = {
    "onnx.NonZero": "nonzero_example: x0 of rank 0",
    "onnx.Tile": "tile_precomputed: x1 starts with 0, constant",
    "onnx.Unique": "unique_sorted_without_axis",
}
"""Forms that end the process in upstream."""


def test_every_op_is_drawn() -> None:
    assert upstream_table.not_drawn("onnx") == {}


def test_deadly_forms() -> None:
    cases = upstream_table._cases("onnx")
    chosen = [k for k, case in enumerate(cases) if DEADLY.get(case.op) == case.form]
    rows = list(upstream_table.table("onnx", chosen, 1))
    assert {row.case.op for row in rows} == set(DEADLY)
    assert not [row for row in rows if row.fault]
