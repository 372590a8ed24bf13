"""Modules as they come in: from text, from a file, from the caller; and which function to run."""

from collections.abc import Callable, Collection
from typing import Any, TypeVar

from mlir_gs import dialect
from mlir_gs.dialect._bindings import ir
from mlir_gs.dialect.base import sources_of
from mlir_gs.execution.signature.signature import CompileError
from mlir_gs.execution.switches import is_on
from mlir_gs.frontend.languages import know_languages, read_model
from mlir_gs.frontend.parse import ParseError
from mlir_gs.frontend.parse import parse as parse_text
from mlir_gs.frontend.stablehlo.artifacts import ArtifactError
from mlir_gs.lowering import PassFailure
from mlir_gs.lowering.ir.builders import symbol
from mlir_gs.lowering.kernel import gs_choose_kernel
from mlir_gs.lowering.llvm.lowered_ops import defined
from mlir_gs.lowering.passes.diagnostics import error_text
from mlir_gs.lowering.passes.input_limits import fatal_op


def context_for(text: str | bytes) -> Any:
    """A new context that knows the source languages whose names `text` mentions."""
    context = dialect.context()
    know_languages(context, text)
    return context


T = TypeVar("T")


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
        return _sharded(text, context) or parse(text, context)

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


def _sharded(text: str, context: Any) -> Any | None:
    """The module of StableHLO's text with shardings; None of other text. Raises CompileError."""
    if "sdy." not in text:
        return None
    try:
        model = read_model("-", text.encode("utf-8", "surrogatepass"), context)
    except ArtifactError as error:
        raise CompileError(f"-:{error}") from None
    except ir.MLIRError as error:
        raise CompileError(error_text(error)) from error
    if model is not None:
        survivor(model)
    return model


def survivor(source: Any) -> Any:
    """The operation of a module. Raises CompileError for one that MLIR's verifier dies of,
    TypeError for anything else."""
    operation = getattr(source, "operation", None)
    name = getattr(operation, "name", type(source).__name__)
    if name != "builtin.module":
        raise TypeError(f"expected the text of a module, or an ir.Module, found {name}")
    if message := fatal_op(operation):
        raise CompileError(message)
    return operation


def copy_module(source: Any) -> Any:
    """A module, or the operation of one, again in its context, with `gs` loaded there. Raises
    CompileError where it does not verify."""
    operation = survivor(source)
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
    return _asked(gs_choose_kernel.find, module, name)


def entry_name(module: Any, wanted: str | None = None) -> str:
    """The function to run: `wanted`, the only public one, or `main`. Raises CompileError."""
    return _asked(gs_choose_kernel.entry_name, module, wanted)


def public_names(module: Any) -> list[str]:
    """The public functions of a module that have a body. Raises CompileError if it has none."""
    return _asked(gs_choose_kernel.public_names, module)


def _asked(question: Callable[..., T], *given: Any) -> T:
    try:
        return question(*given)
    except PassFailure as failure:
        raise CompileError(str(failure)) from failure
