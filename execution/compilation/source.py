"""Modules as they come in: from text, from a file, from the caller; and which function to run."""

from collections.abc import Collection
from typing import Any

from mlir_gs import dialect
from mlir_gs.dialect._bindings import ir
from mlir_gs.dialect.base import sources_of
from mlir_gs.execution.signature.signature import CompileError
from mlir_gs.execution.switches import is_on
from mlir_gs.frontend.languages import know_languages
from mlir_gs.frontend.parse import ParseError
from mlir_gs.frontend.parse import parse as parse_text
from mlir_gs.lowering.llvm.lowered_ops import defined, symbol
from mlir_gs.lowering.passes.diagnostics import error_text


def context_for(text: str | bytes) -> Any:
    """A new context that knows the source languages whose names `text` mentions."""
    context = dialect.context()
    know_languages(context, text)
    return context


_INTERFACE = "llvm.emit_c_interface"


class Contexts:
    """Contexts one after the other: each serves several texts, as making one is slow, and no
    more than `uses`, as it keeps all types and attributes.

    Not for several threads at once.
    """

    def __init__(self, uses: int) -> None:
        self._uses = uses
        self._left = 0
        self._context: Any = None

    def parse(self, text: str) -> Any:
        """The module of a text. Raises CompileError."""
        context = self.current()
        know_languages(context, text)
        if sources_of(text):
            dialect.load(context)
        return parse(text, context)

    def current(self) -> Any:
        """The context to use now."""
        if self._left == 0 or not is_on("shared-contexts"):
            self._context = dialect.context(sources=False, lean=True)
            self._left = self._uses
        self._left -= 1
        return self._context


def parse(text: str, context: Any = None) -> Any:
    """The module of a text, in `context` or one of its own. Raises CompileError."""
    try:
        with context or dialect.context() as context:
            return parse_text(text, context)
    except ParseError as error:
        raise CompileError(str(error)) from None


def copy_module(source: Any) -> Any:
    """A module, or the operation of one, again in its context, with `gs` loaded there. Raises
    CompileError where it does not verify."""
    operation = source.operation
    with operation.context, operation.location:
        dialect.load(operation.context)
        module = ir.Module.create()
        for op in operation.regions[0].blocks[0].operations:
            module.body.append(op.operation.clone())
        for name in operation.attributes:
            module.operation.attributes[name] = operation.attributes[name]
        try:
            module.operation.verify()
        except ir.MLIRError as error:
            raise CompileError(error_text(error)) from error
        return module


def make_internal(module: Any, public: Collection[str] = ()) -> None:
    """Keep functions of the LLVM dialect, but for those of the names `public`, to their module: the
    engine would make an entry point for each."""
    internal = ir.Attribute.parse("#llvm.linkage<internal>")
    for function in defined(module):
        if symbol(function) not in public:
            function.attributes["linkage"] = internal


def find(module: Any, name: str) -> Any:
    """The function of that name. Raises CompileError."""
    for op in module.body.operations:
        if symbol(op) == name:
            return op
    raise CompileError(f"no function '{name}' in the module")


def entry_name(module: Any, wanted: str | None = None) -> str:
    """The function to run: `wanted`, the only public one, or `main`. Raises CompileError."""
    found = [
        op
        for op in module.operation.regions[0].blocks[0].operations
        if op.operation.name == "func.func" and len(op.regions[0].blocks) > 0
    ]
    names = [symbol(function) for function in found]
    listed = f"the module has {', '.join(names)}" if names else "the module has none"
    if wanted is not None:
        if wanted not in names:
            raise CompileError(f"no function '{wanted}' with a body: {listed}")
        return wanted
    public = [n for n, f in zip(names, found, strict=True) if not _is_private(f)]
    if len(public) == 1:
        return public[0]
    if "main" in names:
        return "main"
    if not names:
        lowered = any(op.operation.name == "llvm.func" for op in module.body.operations)
        hint = ": an llvm.func does not say which arguments are arrays" if lowered else ""
        raise CompileError(f"the module has no func.func with a body{hint}")
    raise CompileError(f"which function? Name one as the entry: {listed}")


def public_names(module: Any) -> list[str]:
    """The public functions of a module that have a body. Raises CompileError if it has none."""
    found = [
        symbol(op)
        for op in module.operation.regions[0].blocks[0].operations
        if op.operation.name == "func.func"
        and len(op.regions[0].blocks) > 0
        and not _is_private(op)
    ]
    if not found:
        raise CompileError("the module has no public func.func with a body")
    return found


def _is_private(function: Any) -> bool:
    attributes = function.operation.attributes
    return "sym_visibility" in attributes and attributes["sym_visibility"].value != "public"


def expose(module: Any, name: str) -> None:
    """Make `name` the only public function, so that the others can be inlined and dropped.

    Modules within the module go: no function calls into them.
    """
    for op in list(module.body.operations):
        if op.operation.name == "builtin.module":
            op.operation.erase()
            continue
        attributes = op.operation.attributes
        if op.operation.name != "func.func":
            continue
        if _INTERFACE in attributes:
            # The wrapper is the interface; a second one would be compiled for nothing.
            del attributes[_INTERFACE]
        if symbol(op) != name:
            attributes["sym_visibility"] = ir.StringAttr.get("private")
        elif "sym_visibility" in attributes:
            del attributes["sym_visibility"]
