"""MLIR's Python bindings, as mlir-gs found them: the package `mlir` or the wheel `torch_mlir`.

`ir` and `passmanager.PassManager` are the bindings' own; `dialect("func")` is their module for an
upstream dialect, `ext` what ops are defined with, `rewrite` what patterns are applied with.
"""

from mlir_gs.dialect._bindings import (
    PROVIDER,
    PassManager,
    dialect,
    ext,
    ir,
    module,
    passmanager,
    rewrite,
)

__all__ = ["PROVIDER", "PassManager", "dialect", "ext", "ir", "module", "passmanager", "rewrite"]
