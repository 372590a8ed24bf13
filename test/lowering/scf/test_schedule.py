"""`gs.schedule`: loops are the same with it and without, and what is wrong in one is refused."""

import dataclasses
import re
from pathlib import Path

import pytest
from mlir_gs import dialect
from mlir_gs.dialect._bindings import ir
from mlir_gs.frontend.parse import ParseError, parse
from mlir_gs.lowering import PassFailure, run_pipeline
from mlir_gs.lowering.ir.builders import walk_named
from mlir_gs.lowering.scf import schedule
from mlir_gs.lowering.scf.policy import NUMBERS, Policy
from mlir_gs.lowering.scf.table import EVERY
from mlir_gs.lowering.scf.targets import machine

INPUTS = sorted(Path(__file__).parent.rglob("*.mlir"))
OPTIONS = ("threads=1", "threads=2 target=zen5", "threads=2 target=emerald-rapids", "target=tiny")
COPY = """
func.func @f(%x: memref<?xf32>, %y: memref<?xf32>) {{
  gs.generic (d0) ins(%x[d0]) outs(%y[d0]) iterators(d0 = parallel) {{gs.schedule = {}}}
      : (memref<?xf32>, memref<?xf32>) -> () {{
  ^bb0(%a: f32, %old: f32):
    gs.yield %a : f32
  }}
  return
}}"""


def lowered(text: str, pipeline: str) -> list[str] | None:
    """The lines of what comes of it, without names of values, constants last; None for an input
    that is for another pass or shows a diagnostic."""
    with dialect.context() as context, ir.Location.unknown():
        context.allow_unregistered_dialects = True
        try:
            module = parse(text, context)
            run_pipeline(module, pipeline)
        except (ParseError, PassFailure):
            return None
        lines = re.sub(r"%\w+(:\d+|#\d+)?", "%", str(module)).splitlines()
    constants = [line for line in lines if "arith.constant" in line]
    return [line for line in lines if "arith.constant" not in line] + sorted(constants)


@pytest.mark.parametrize("path", INPUTS, ids=lambda path: path.name)
def test_loops_are_the_same(path: Path) -> None:
    for text in path.read_text(encoding="utf-8").split("// -----"):
        for options in OPTIONS:
            convert = f"convert-gs-to-scf{{{options}}},canonicalize"
            usual = lowered(text, convert)
            scheduled = lowered(text, f"gs-schedule{{{options}}},{convert}")
            assert usual == scheduled, options


# Of loops without a strategy, and of another pass alone.
PLAIN = {"together"}
PREFETCHES = {
    *("prefetch_level", "elements_ahead", "row_ahead", "rows_ahead"),
    *(
        "read_ahead",
        "write_ahead",
        "far_bytes",
        "memory_bytes",
        "long_row_bytes",
        "kept_row_bytes",
    ),
    "coordinates_per_ahead",
}


def test_every_number_of_a_policy_has_a_strategy() -> None:
    numbers = {*schedule.COMMON, *(name for one in EVERY for name in one.numbers)}
    assert not numbers & (PLAIN | PREFETCHES)
    assert numbers | PLAIN | PREFETCHES == {one.name for one in NUMBERS} | {"threads"}


@pytest.mark.parametrize("name", ["generic", "zen5", "cascade-lake", "granite-rapids", "tiny"])
def test_what_is_written_is_read(name: str) -> None:
    policy = machine(name).policy(2)
    others = {one: getattr(policy, one) for one in PLAIN | PREFETCHES}
    with dialect.context(), ir.Location.unknown():
        module = parse(COPY.format("{}"))
        (op,) = walk_named(module.operation, "gs.generic")
        schedule.write(op, policy, EVERY)
        assert schedule.read(op, dataclasses.replace(Policy(), **others)) == policy
        schedule.write(op, policy, [])
        assert set(schedule.read(op, policy).disabled) == {one.name for one in EVERY}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("3", "'gs.schedule' that is no dictionary: 3 : i64"),
        ("{strip = {}}", "'gs.schedule' with an unknown entry 'strip'"),
        ("{strips = {rows = 3}}", "'strips' with an unknown entry 'rows' (there are: cache_bytes"),
        (
            "{masked_reads = {rows = 3}}",
            "'masked_reads' with an unknown entry 'rows' (there are: n",
        ),
        ("{cuts = 3}", "'cuts' that is no dictionary"),
        ('{threads = "2"}', "whose 'threads' is not an integer: \"2\""),
        ("{threads = true}", "whose 'threads' is not an integer"),
        ("{threads = 0}", "whose 'threads' is 0, not 1 to 65536"),
        ("{threads = 1000000}", "whose 'threads' is 1000000, not 1 to 65536"),
        ("{vector_bytes = 48}", "whose 'vector_bytes' is 48, no power of 2 from 8 to 4096"),
        ("{cuts = {column_bytes = -1}}", "whose 'column_bytes' is -1, not 0 to"),
        ("{streaming = {stream_scattered = 1}}", "whose 'stream_scattered' is not a bool"),
        ('{gathers = {gathered_bytes = "some"}}', "whose 'gathered_bytes' is not an integer"),
    ],
)
def test_what_is_wrong_is_refused(text: str, message: str) -> None:
    with dialect.context(), ir.Location.unknown():
        module = parse(COPY.format(text))
        with pytest.raises(PassFailure) as caught:
            run_pipeline(module, "convert-gs-to-scf")
    assert message in str(caught.value)


def test_an_empty_schedule_is_plain_loops() -> None:
    plain = lowered(COPY.format("{}"), "convert-gs-to-scf{threads=2 target=zen5}")
    assert plain is not None
    assert not any("scf.parallel" in line or "nontemporal" in line for line in plain)


def test_a_schedule_goes_through_bufferization() -> None:
    text = COPY.format("{cuts = {}}").replace("memref", "tensor")
    text = text.replace("-> () {", "-> tensor<?xf32> {").replace("gs.generic", "%r = gs.generic")
    text = text.replace("%y: tensor<?xf32>)", "%y: tensor<?xf32>) -> tensor<?xf32>")
    text = text.replace("  return\n", "  return %r : tensor<?xf32>\n")
    found = lowered(text, "gs-bufferize,convert-gs-to-scf{threads=2 target=zen5}")
    assert found is not None
    assert any("scf.parallel" in line for line in found)
    assert not any("nontemporal" in line for line in found)
