"""`frontend.stablehlo.load`: the kinds of files, and what is said of those that cannot be read."""

import io
import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from mlir_gs import dialect, execution
from mlir_gs.dialect._bindings import ir
from mlir_gs.frontend.stablehlo import ArtifactError, is_stablehlo, load
from mlir_gs.frontend.stablehlo.common import bindings
from stablehlo_harness import compiled, imported

TEXT = """
func.func @main(%x: tensor<4xf32>, %i: tensor<2x1xi32>) -> tensor<2xf32> {
  %r = "stablehlo.gather"(%x, %i) <{dimension_numbers = #stablehlo.gather<
      collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>,
      slice_sizes = array<i64: 1>}> : (tensor<4xf32>, tensor<2x1xi32>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}"""

SHARDED = """
module @jit_f attributes {mhlo.num_partitions = 2 : i32} {
  sdy.mesh @mesh = <["x"=2]> {stablehlo.mesh = {axes = [{name = "x", size = 2 : i64}]}}
  func.func public @main(%x: tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>})
      -> tensor<4xf32> {
    %0 = stablehlo.add %x, %x : tensor<4xf32>
    %1 = sdy.sharding_constraint %0 <@mesh, [{"x"}]> : tensor<4xf32>
    return %1 : tensor<4xf32>
  }
}"""

X, AT = np.array([1, 2, 3, 4], np.float32), np.array([[3], [9]], np.int32)


def artifact(version: str) -> bytes:
    context = dialect.context()
    return bindings().serialize_portable_artifact_str(str(load(TEXT, context)), version)


def bytecode() -> bytes:
    file = io.BytesIO()
    load(TEXT, dialect.context()).operation.write_bytecode(file)
    return file.getvalue()


def runs(source: str | bytes) -> None:
    np.testing.assert_array_equal(compiled(imported(source), [X, AT])[0], [4, 4])


def test_text() -> None:
    assert is_stablehlo(TEXT.encode())
    runs(TEXT)
    runs(TEXT.encode())


@pytest.mark.parametrize("version", ["current", "minimum"])
def test_portable_artifact(version: str) -> None:
    saved = artifact(getattr(bindings(), f"get_{version}_version")())
    assert is_stablehlo(saved)
    runs(saved)


def test_artifact_inside_of_another_file() -> None:
    saved = artifact(bindings().get_current_version())
    runs(b"\x10\0\0\0header.." + len(saved).to_bytes(4, "little") + saved + b"\0\0")


def test_bytecode() -> None:
    runs(bytecode())


def test_not_stablehlo() -> None:
    assert not is_stablehlo(b"func.func @f() { return }")
    assert not is_stablehlo(bytecode())


def test_shardings_are_left_out() -> None:
    np.testing.assert_array_equal(compiled(imported(SHARDED), [X])[0], X + X)
    np.testing.assert_array_equal(execution.compile(SHARDED)(X), X + X)


@pytest.mark.parametrize("more", ["{i=4}, custom", "reduction={i}", "{i=4}"])
def test_rules_of_shardings(more: str) -> None:
    """What is said of a call is not hidden by how devices would share it."""
    rule = f"sdy.sharding_rule = #sdy.op_sharding_rule<([i])->([i]) {more}>"
    call = "stablehlo.custom_call @lapack(%x)"
    text = f"""
  func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {{
    %0 = {call} {{{rule}, has_side_effect = false}} : (tensor<4xf32>) -> tensor<4xf32>
    return %0 : tensor<4xf32>
  }}"""
    message = r"^-:3:\d+: error: 'stablehlo.custom_call' op calls @lapack"
    with pytest.raises(execution.CompileError, match=message):
        execution.compile(text)


def test_shards_and_text_that_does_not_parse_in_a_kernel() -> None:
    with pytest.raises(execution.CompileError, match=r"^-:6:.*manual_computation"):
        execution.compile(SHARDED.replace("stablehlo.add %x, %x", "sdy.manual_computation(%x)"))
    with pytest.raises(execution.CompileError, match=r"^-:6:.*error: "):
        execution.compile(SHARDED.replace("stablehlo.add %x, %x", "stablehlo.add %x"))


def test_shards_of_several_devices() -> None:
    text = """
  func.func @main(%x: tensor<6xf32>) -> tensor<6xf32> {
    %0 = sdy.manual_computation(%x) in_shardings=[<@mesh, [{"x"}]>]
        out_shardings=[<@mesh, [{"x"}]>] manual_axes={"x"} (%y: tensor<3xf32>) {
      sdy.return %y : tensor<3xf32>
    } : (tensor<6xf32>) -> tensor<6xf32>
    return %0 : tensor<6xf32>
  }"""
    why = "computes on the shards of several devices (jax.shard_map): make its mesh of one device"
    message = re.escape(f"3:10: error: 'sdy.manual_computation' op {why}")
    with pytest.raises(ArtifactError, match=f"^{message}$"):
        load(text, dialect.context())


def test_truncated_artifact() -> None:
    wanted = r"^portable artifact of StableHLO_v.+ cannot be read by StableHLO .+: .+"
    with pytest.raises(ArtifactError, match=wanted):
        load(artifact(bindings().get_current_version())[:150], dialect.context())


def test_neither() -> None:
    with pytest.raises(ArtifactError, match="neither MLIR text nor a StableHLO portable artifact"):
        load(b"\xff\xfe\x00", dialect.context())


def test_text_that_does_not_parse() -> None:
    with pytest.raises(ir.MLIRError, match=r"'stablehlo\.nonsense'"):
        load("func.func @f() {\n  stablehlo.nonsense\n  return\n}", dialect.context())


def test_what_jax_exports(needs: Callable[..., Any]) -> None:
    jax = needs("jax")
    exported = jax.export.export(jax.jit(lambda x, i: x[i[:, 0]]))(X, AT)
    expected = np.asarray(exported.call(X, AT))
    for source in (exported.mlir_module(), exported.mlir_module_serialized):
        np.testing.assert_array_equal(compiled(imported(source), [X, AT])[0], expected)


def test_what_jax_saves(needs: Callable[..., Any]) -> None:
    jax = needs("jax")
    needs("flatbuffers")
    exported = jax.export.export(jax.jit(lambda x, i: x[i[:, 0]]))(X, AT)
    saved = exported.serialize()
    assert is_stablehlo(saved)
    np.testing.assert_array_equal(
        compiled(imported(saved), [X, AT])[0], np.asarray(exported.call(X, AT))
    )
