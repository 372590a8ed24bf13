"""The `gs` dialect object, and how it is loaded into a context."""

import sys
from types import ModuleType
from typing import Any

from mlir_gs.dialect._bindings import PROVIDER, Context, Operation, ext, ir


class Gs(ext.Dialect, name="gs"):
    """Gather and scatter: structured indirect reads and writes on tensors and memrefs."""


# Operands and attributes are declared `Any` and their kinds checked by the verifiers: loading runs
# CSE over the IRDL, which merges equal constraints, and one IRDL constraint used twice means "the
# same type".


_loaded_by_load: list[Any] = [Gs]


def load_with_gs(dialect_class: Any) -> Any:
    """Class decorator: `load` loads this Python-defined dialect too (source dialects)."""
    _loaded_by_load.append(dialect_class)
    return dialect_class


SPELLED: list[Any] = [Gs]
"""The Python-defined dialects whose ops all have an assembly form; see `spelled`."""


def spelled(dialect_class: Any) -> Any:
    """Class decorator: the ops of this Python-defined dialect have an assembly form."""
    SPELLED.append(dialect_class)
    return dialect_class


NAMED: dict[str, Any] = {}
"""The classes of the ops that are sugar over `gs.generic`, by name; see `named_op`."""


def named_op(op_class: Any) -> Any:
    """Class decorator: passes treat ops of this class, of `gs` or of your dialect, as named ops.

    What they need to know is in its method `structure`: the `gs.generic` that the op is sugar for.
    `mlir_gs.dialect.structure.Structure` says what that holds, and `named_maps` how named ops
    spell theirs.
    """
    NAMED[op_class.OPERATION_NAME] = op_class
    return op_class


def structure_of(op: Operation) -> Any:
    """The `Structure` of a named op; None of another op, and of gs.histogram, which has none."""
    if not hasattr(NAMED.get(op.name), "structure"):
        return None
    return op.opview.structure()


def drawn(op: Operation) -> Any:
    """The `Structure` that a picture shows of a named op: its own, or what `drawn` of its class
    says where it has none; None of another op."""
    if op.name in NAMED and hasattr(NAMED[op.name], "drawn"):
        return op.opview.drawn()
    return structure_of(op)


def sources_of(text: str, *, outside: bool = False) -> list[str]:
    """The Python-defined dialects besides `gs` that `text` may hold ops of, by name; `outside`:
    only those that are defined outside of this package."""
    return [
        each.DIALECT_NAMESPACE
        for each in _loaded_by_load[1:]
        if f"{each.DIALECT_NAMESPACE}." in text
        and not (outside and each.__module__.startswith("mlir_gs."))
    ]


def load(context: Context | None = None, *, sources: bool = True) -> None:
    """Load `gs` into `context` (default: the current one), and the Python-defined dialects of
    `sources`. Loading again changes nothing.

    The context becomes single-threaded: verifiers written in Python deadlock in a threaded one.
    """
    chosen: Any = context or ir.Context.current
    chosen.enable_multithreading(False)
    with chosen, ir.Location.unknown(chosen):
        for dialect_class in _loaded_by_load if sources else [Gs]:
            name = dialect_class.DIALECT_NAMESPACE
            if not chosen.is_dialect_loaded(name):
                dialect_class.load()
            # The bindings import this each time they meet an op, until it succeeds once.
            module = sys.modules.get(dialect_class.__module__) or ModuleType(name)
            sys.modules.setdefault(f"{PROVIDER}.dialects.{name}", module)
        _attach_effects(chosen)


class _AnyEffects(ir.MemoryEffectsOpInterface):
    """Reads and writes of memory, and no allocation."""

    @staticmethod
    def get_effects(op: Any, effects: Any) -> None:
        effects.append(ir.MemoryEffect.Read)
        effects.append(ir.MemoryEffect.Write)


def _attach_effects(ctx: Context) -> None:
    """Declare the memory effects of ops of LLVM that our loops hold: upstream's buffer deallocation
    refuses ops of unknown effects."""
    if ctx.is_dialect_loaded("llvm"):
        for name in ("llvm.fence", "llvm.call_intrinsic"):
            _AnyEffects.attach(name, context=ctx)


_OF_KERNELS = ["func", "scf", "memref", "tensor", "vector", "bufferization", "llvm"]
"""Upstream's dialects that `gs` and kernels are made of. What these build on comes with them."""


def context(
    *, allow_unregistered: bool = False, sources: bool = True, lean: bool = False
) -> Context:
    """A new context with every dialect of the provider registered and `gs` loaded; without
    `sources`, the Python-defined dialects of source languages are left to `load`.

    `lean`: of the provider's dialects only those that kernels are made of are loaded, others when
    a text or a pass brings them, as in mlir-opt. That takes half of the time; but Python cannot
    build ops of the others before.

    The context is single-threaded, as `load` makes it.
    """
    # First: loading canonicalizes the definition, which collects the patterns of loaded dialects.
    ctx = ir.Context(load_on_create_dialects=["irdl"])
    ctx.allow_unregistered_dialects = allow_unregistered
    load(ctx, sources=sources)
    if lean:
        for name in _OF_KERNELS:
            ctx.get_dialect_descriptor(name)
    else:
        ctx.load_all_available_dialects()
    _attach_effects(ctx)
    return ctx


def irdl_text() -> str:
    """The dialect as IRDL text, for stock tools: `mlir-opt --irdl-file=gs.irdl.mlir`.

    The package carries it as `dialect/gs.irdl.mlir`.
    """
    with context():
        return str(Gs._mlir_module).strip() + "\n"
