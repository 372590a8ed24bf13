"""The one module that names the package which carries MLIR's Python bindings.

`mlir` is upstream's own package, `torch_mlir` the wheel on PyPI that carries the same bindings.
`MLIR_GS_BINDINGS=mlir` or `=torch_mlir` overrides the choice; everything else imports from here.
"""

import importlib
import os
import sys
from importlib.util import find_spec
from types import ModuleType
from typing import TYPE_CHECKING, Any, TypeAlias

from mlir_gs._forks import uninterrupted

_CANDIDATES = ("mlir", "torch_mlir")
_VARIABLE = "MLIR_GS_BINDINGS"


def _provider_name() -> str:
    chosen = os.environ.get(_VARIABLE)
    if chosen:
        if chosen not in _CANDIDATES:
            raise ImportError(f"{_VARIABLE}={chosen}: expected one of {', '.join(_CANDIDATES)}")
        if find_spec(chosen) is None:
            raise ImportError(f"{_VARIABLE}={chosen}: no such package is installed")
        return chosen
    for name in _CANDIDATES:
        # A namespace folder that happens to be called `mlir` is not the bindings.
        if find_spec(name) is not None and find_spec(f"{name}.ir") is not None:
            return name
    raise ImportError(
        "MLIR's Python bindings are missing: install torch-mlir, or upstream's mlir package"
    )


PROVIDER = _provider_name()


def module(name: str) -> Any:
    """The provider's submodule `name`, such as `dialects.scf`; ImportError if it has none."""
    with uninterrupted:
        return importlib.import_module(f"{PROVIDER}.{name}")


class _Dialect:
    """A dialect's module, imported when something of it is first used: linalg's and llvm's take a
    tenth of a second each, and most runs need neither."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __getattr__(self, attribute: str) -> Any:
        found = getattr(module(f"dialects.{self._name}"), attribute)
        setattr(self, attribute, found)
        return found


def dialect(name: str) -> Any:
    """The provider's Python module for the upstream dialect `name`."""
    return _Dialect(name)


def _leave_out_classes(*names: str) -> None:
    """For the dialects of which the provider has no module: while there is none, MLIR searches the
    disk for one whenever it meets an op of theirs."""
    for place in (f"{PROVIDER}.dialects.{name}" for name in names):
        if place not in sys.modules and find_spec(place) is None:
            sys.modules[place] = ModuleType(place)


_leave_out_classes("chlo", "omp", "stablehlo", "tcp", "tm_tensor", "torch_c")

ir: Any = module("ir")
ext: Any = module("dialects.ext")
passmanager: Any = module("passmanager")
rewrite: Any = module("rewrite")
PassManager: Any = passmanager.PassManager

# What signatures of public functions name: of the members of Any a strict type checker knows none.
if TYPE_CHECKING:
    AffineMap: TypeAlias = Any
    Context: TypeAlias = Any
    InsertionPoint: TypeAlias = Any
    Location: TypeAlias = Any
    Operation: TypeAlias = Any
    Region: TypeAlias = Any
    Type: TypeAlias = Any
    Value: TypeAlias = Any
else:
    AffineMap, Context, InsertionPoint = ir.AffineMap, ir.Context, ir.InsertionPoint
    Location, Operation, Region = ir.Location, ir.Operation, ir.Region
    Type, Value = ir.Type, ir.Value
