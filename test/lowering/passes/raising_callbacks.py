"""An exception in every callback that MLIR calls, each kept past its context, and work after it.

    python test/lowering/passes/raising_callbacks.py

Ends with 0 if each reached the caller. Memory that an exception left broken ends the process later.
"""

import gc
import sys
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import ClassVar

import mlir_gs
from mlir_gs import lowering
from mlir_gs.dialect import effects
from mlir_gs.dialect._bindings import PassManager, ir
from mlir_gs.dialect.build import checked
from mlir_gs.lowering.algebra import patterns
from mlir_gs.lowering.ir.builders import walk, walk_named
from mlir_gs.lowering.passes.registry import run_pipeline
from mlir_gs.lowering.transform import dialect as transform

GATHER = """
func.func @f(%t: tensor<?x4xf32>, %i: tensor<?x1xi64>) -> tensor<?x4xf32> {
  %r = gs.gather %t[%i] gather_dims([0]) : (tensor<?x4xf32>, tensor<?x1xi64>) -> tensor<?x4xf32>
  return %r : tensor<?x4xf32>
}
"""
TRANSFORM = f"""
module attributes {{transform.with_named_sequence}} {{
  {GATHER}
  transform.named_sequence @__transform_main(%m: !transform.any_op) {{
    %0 = transform.structured.match ops{{["gs.gather"]}} in %m
        : (!transform.any_op) -> !transform.any_op
    %1 = gs_transform.generalize %0 : (!transform.any_op) -> !transform.any_op
    transform.yield
  }}
}}
"""
LOOP = """
func.func @f(%a: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<4xf32> {
  %r = linalg.generic {
    indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>],
    iterator_types = ["parallel"]
  } ins(%a : tensor<4xf32>) outs(%b : tensor<4xf32>) {
  ^bb0(%x: f32, %y: f32):
    %i = linalg.index 0 : index
    %j = arith.index_cast %i : index to i32
    %k = arith.sitofp %j : i32 to f32
    %z = arith.addf %x, %k : f32
    linalg.yield %z : f32
  } -> tensor<4xf32>
  return %r : tensor<4xf32>
}
"""


class Raised(BaseException):
    """As KeyboardInterrupt, no Exception."""


raising: list[str] = []


def callback(name: str) -> bool:
    """What the callback of this name calls."""
    if name in raising:
        raise Raised
    return True


@lowering.register_pass
@dataclass(frozen=True)
class RaisingPass:
    """Raise."""

    name: ClassVar[str] = "raising-pass"

    def run(self, module: ir.Operation) -> None:
        held = [(op, list(op.results), list(op.regions)) for op in walk(module)]
        callback("pass")
        del held


@lowering.register_pass
@dataclass(frozen=True)
class Spoil:
    """Let the verifier raise from here on."""

    name: ClassVar[str] = "spoil"

    def run(self, module: ir.Operation) -> None:
        raising.append("verifier")


@lowering.register_pass
@dataclass(frozen=True)
class OuterPass:
    """Run a pass that raises."""

    name: ClassVar[str] = "outer-pass"

    def run(self, module: ir.Operation) -> None:
        run_pipeline(module, "cse,raising-pass")


def of_pipeline(pipeline: str, text: str = GATHER) -> None:
    run_pipeline(mlir_gs.parse(text, ir.Context.current), pipeline)


def of_a_host() -> None:
    """Whose pass manager says it as a diagnostic."""
    module = mlir_gs.parse(GATHER, ir.Context.current)
    try:
        lowering.add_passes(PassManager("builtin.module"), "cse", "outer-pass").run(
            module.operation
        )
    except ir.MLIRError as error:
        if "failed: Raised" in str(error.error_diagnostics[0].message):
            raise Raised from error


def of_a_walk() -> None:
    module = mlir_gs.parse(GATHER, ir.Context.current)
    try:
        module.operation.walk(lambda op: callback("walk"))
    except RuntimeError as error:
        raise Raised from error


def of_a_builder() -> None:
    """That has moved ops into its op which another still uses."""
    module = mlir_gs.parse(LOOP, ir.Context.current)
    (op,) = walk_named(module.operation, "linalg.generic")

    def fill(region: ir.Region) -> None:
        moved = list(op.regions[0].blocks[0].operations)[:-1]
        block = region.blocks.append()
        for each in moved:
            block.append(each)
        callback("builder")

    with ir.InsertionPoint(op):
        checked(ir.Operation.create("scf.execute_region", results=[], regions=1), fill)


CALLBACKS: dict[str, tuple[str, Callable[[], None]]] = {
    "a pass": ("pass", lambda: of_pipeline("canonicalize,raising-pass,cse")),
    "a pass in a pass": ("pass", lambda: of_pipeline("canonicalize,outer-pass,cse")),
    "a pass of a host": ("pass", of_a_host),
    "a pattern": ("pattern", lambda: of_pipeline("gs-canonicalize")),
    "a transform op": ("transform", lambda: of_pipeline("transform-interpreter", TRANSFORM)),
    "effects": ("effects", lambda: of_pipeline("canonicalize,cse")),
    "a walk": ("walk", of_a_walk),
    "a builder": ("builder", of_a_builder),
    "a verifier of a text": ("verifier", lambda: of_pipeline("cse")),
    "a verifier after a pass": ("late verifier", lambda: of_pipeline("spoil,cse")),
}


def main() -> int:
    patterns.pattern("gs.gather")(lambda op, rewriter: not callback("pattern"))
    transform.Payload.of = lambda self, handle: callback("transform") and []
    vars(sys.modules["mlir_gs.dialect.gather"])["check_tensor"] = lambda *_, **__: callback(
        "verifier"
    )
    effects._modes = lambda attributes: callback("effects") and ()
    kept: list[BaseException] = []
    missing = []
    for number in range(10):
        for name, (kind, call) in CALLBACKS.items():
            with mlir_gs.context(), ir.Location.unknown():
                raising.append(kind)
                try:
                    call()
                    missing.append(name)
                except Raised as error:
                    kept.append(error)
                finally:
                    raising.clear()
                with suppress(lowering.PassFailure):
                    of_pipeline("gs-canonicalize,canonicalize,cse")
        if number % 2:
            kept.clear()
        gc.collect()
    print(f"{len(CALLBACKS)} callbacks; not raised: {sorted(set(missing))}")
    return len(missing)


if __name__ == "__main__":
    sys.exit(main())
