"""Passes and pipelines by name, and pass managers that mix them with upstream's.

A pass is a frozen dataclass: its docstring is its documentation, its fields are its options, and
`run` gets the module and walks it. A pipeline is a function that returns pipeline texts.
"""

import dataclasses
import inspect
from collections.abc import Callable, Sequence
from typing import Any, ClassVar, NoReturn, Protocol, TypeVar

from mlir_gs.dialect._bindings import ir
from mlir_gs.dialect.current_op import emit_error
from mlir_gs.lowering.passes.conditions import GsIf, Names
from mlir_gs.lowering.passes.diagnostics import error_text
from mlir_gs.lowering.passes.options import (
    Option,
    nearest,
    option_text,
    options_of_class,
    options_of_function,
    parse_options,
)
from mlir_gs.lowering.passes.pipeline_text import Element, PipelineError, parse_pipeline
from mlir_gs.lowering.passes.python_passes import (
    MixedPassManager,
    PassFailure,
    PythonPass,
)

ANCHOR = "builtin.module"


class Pass(Protocol):
    """What `register_pass` takes; `run` may raise PassFailure.

    A pass may have `only_with: ClassVar[tuple[str, ...]]`: beginnings of names of ops. In a module
    without any such op it does nothing, and is not run. If `run` returns False there are no ops of
    other names than before.
    """

    name: ClassVar[str]

    def run(self, module: Any) -> Any:
        """Transform `module`, an `ir.Operation` that is a `builtin.module`."""


@dataclasses.dataclass(frozen=True)
class Pipeline:
    """A registered pipeline: its name, one sentence, its options and how it expands."""

    name: str
    doc: str
    options: tuple[Option, ...]
    expand: Callable[..., list[str]]


PassType = TypeVar("PassType", bound=type)
Expansion = TypeVar("Expansion", bound=Callable[..., list[str]])

CONVERTED: dict[str, str] = {}
"""By the name of an op of a source language, the pass that converts it. Front ends fill it."""

_passes: dict[str, Any] = {}
_pipelines: dict[str, Pipeline] = {}
_more: list[Callable[[], Any]] = []


def fail(operation: Any, message: str) -> NoReturn:
    """Emit `message` as an error at `operation` and raise PassFailure."""
    emit_error(operation, message)
    raise PassFailure


def fail_at_each(found: Sequence[tuple[ir.Operation, str]]) -> None:
    """Emit an error at each op, whose name comes before its text, and raise PassFailure if there
    are some."""
    for op, text in found:
        op.location.emit_error(f"'{op.name}' op {text}")
    if found:
        raise PassFailure


def register_pass(cls: PassType) -> PassType:
    """Class decorator: make the pass known by its `name`. Raises TypeError or ValueError."""
    if not getattr(getattr(cls, "__dataclass_params__", None), "frozen", False):
        raise TypeError(f"{cls.__name__}: a pass is a frozen dataclass")
    if not isinstance(getattr(cls, "name", None), str) or not callable(getattr(cls, "run", None)):
        raise TypeError(f"{cls.__name__}: a pass has a `name: ClassVar[str]` and a `run(module)`")
    if not cls.__doc__ or cls.__doc__.startswith(f"{cls.__name__}("):
        raise TypeError(f"{cls.__name__}: a pass has a docstring")
    options_of_class(cls)
    name: str = cls.name  # type: ignore[attr-defined]
    _claim(name)
    _passes[name] = cls
    return cls


def register_pipeline(name: str, doc: str) -> Callable[[Expansion], Expansion]:
    """Function decorator: the function's parameters are the options, its result the texts to run.

    Each text is a part of a pipeline at module level. Raises ValueError for a name that is taken.
    """

    def register(expand: Expansion) -> Expansion:
        _claim(name)
        _pipelines[name] = Pipeline(name, doc, options_of_function(expand), expand)
        return expand

    return register


def register_more(register: Callable[[], Any]) -> None:
    """`register` makes more passes of upstream known. It is called when a name is not: to load them
    takes time."""
    _more.append(register)


def _claim(name: str) -> None:
    if name in _passes or name in _pipelines:
        raise ValueError(f"'{name}' is registered twice")


register_pass(GsIf)


def registered_passes() -> dict[str, Any]:
    """Name to class of every pass of ours, by name."""
    return dict(sorted(_passes.items()))


def registered_pipelines() -> dict[str, Pipeline]:
    """Name to pipeline, by name."""
    return dict(sorted(_pipelines.items()))


def pass_options(cls: Any) -> tuple[Option, ...]:
    """The options of a pass class."""
    return options_of_class(cls)


def pass_doc(cls: Any) -> str:
    """The docstring of a pass class, unindented."""
    return inspect.cleandoc(cls.__doc__)


def pass_text(instance: Any) -> str:
    """A pass as it is written in a pipeline, with the options that are not at their defaults."""
    given = [
        f"{option.name}={option_text(value)}"
        for option in options_of_class(type(instance))
        if (value := getattr(instance, option.field)) != option.default
    ]
    return f"{instance.name}{{{' '.join(given)}}}" if given else instance.name


def add_python_pass(manager: Any, instance: Any) -> None:
    """Append one of our passes to a pass manager of the bindings."""
    name, argument = type(instance).__name__, pass_text(instance)
    _add_python(manager, instance, name, argument, pass_doc(type(instance)).splitlines()[0])


def _add_python(manager: Any, instance: Any, name: str, argument: str, description: str) -> None:
    about = {"name": name, "argument": argument, "description": description}
    if isinstance(manager, MixedPassManager):
        manager.add_python(instance, **about)
    else:
        # A Python pass added with `op_name` does not run, and a wrong anchor aborts the process.
        manager.add(PythonPass(instance), **about)


class _Conditional:
    """Passes that run where a condition holds, in a pass manager of their own."""

    name = GsIf.name

    def __init__(self, condition: GsIf, text: str, manager: Any, names: Any) -> None:
        self.has_work, self.text, self.manager = condition.holds, text, manager
        self.names = names

    def run(self, module: Any) -> bool:
        if self.manager is None:
            self.manager = build_pass_manager(self.text, module.context)
        self.manager.run(module)
        # Ours at the end have said what they know to those outside.
        return self.manager.names is None or self.manager.names is not self.names


def build_pass_manager(
    text: str,
    ctx: Any = None,
    *,
    verify_each: bool = True,
    verify_ours: bool = False,
    timing: bool = False,
    statistics: bool = False,
    ir_printing: dict[str, Any] | None = None,
    after_each: Callable[[Any, str], None] | None = None,
    names: Names | None = None,
) -> MixedPassManager:
    """The pass manager for a module that `text` describes, `builtin.module(...)` or its inside.

    Names are our passes and pipelines, at module level, and upstream's anywhere. `ir_printing` are
    keywords of the bindings' `enable_ir_printing`. `verify_ours`: what each pass of ours leaves
    where it had work. `after_each` gets the module and the name of each pass at module level after
    it has run. `names`: of the ops that there are when it begins.
    Raises PipelineError.
    """
    context = ctx or ir.Context.current
    manager = MixedPassManager(ANCHOR, context)
    manager.after_each, manager.names = after_each, names
    manager.verify_ours = verify_ours
    nested = {"verify_each": verify_each, "ir_printing": ir_printing, "after_each": after_each}
    nested["verify_ours"] = verify_ours
    manager.nested = lambda text, names: build_pass_manager(text, context, names=names, **nested)
    manager.enable_verifier(verify_each)
    if timing:
        manager.enable_timing()
    if statistics:
        manager.enable_statistics()
    if ir_printing is not None:
        manager.enable_ir_printing(**ir_printing)
    add_text(manager, text)
    # The context may end before the manager.
    manager.nested = None
    return manager


def add_text(manager: Any, text: str) -> None:
    """Append what `text` describes to a pass manager of the bindings. Raises PipelineError."""
    elements = parse_pipeline(text)
    if len(elements) == 1 and elements[0].name in (ANCHOR, "any"):
        elements = elements[0].children or elements
    for element in elements:
        _add(manager, text, element, ())


def run_pipeline(module: Any, text: str, **instrumentation: Any) -> None:
    """Run `text` on `module`; the keywords are those of `build_pass_manager`.

    Raises PipelineError for a wrong text, PassFailure with all diagnostics for a failed run.
    """
    try:
        build_pass_manager(text, module.context, **instrumentation).run(module)
    except ir.MLIRError as error:
        raise PassFailure(error_text(error)) from error


def _add(manager: Any, text: str, element: Element, outer: tuple[str, ...]) -> None:
    """Append `element`; `outer` are the pipelines that are being expanded."""
    name = element.name
    if name == GsIf.name:
        _add_condition(manager, text, element)
    elif element.children is None and name in _passes:
        cls = _passes[name]
        values = _values(text, element, options_of_class(cls))
        try:
            instance = cls(**values)
        except ValueError as error:
            raise PipelineError(f"'{name}': {error}", text, element.start) from error
        add_python_pass(manager, instance)
        _add_check(manager, name)
    elif element.children is None and name in _pipelines:
        if name in outer:
            raise PipelineError(f"pipeline '{name}' contains itself", text, element.start)
        pipeline = _pipelines[name]
        try:
            parts = pipeline.expand(**_values(text, element, pipeline.options))
        except PipelineError:
            raise
        except ValueError as error:
            raise PipelineError(f"'{name}': {error}", text, element.start) from error
        for part in parts:
            try:
                for inner in parse_pipeline(part):
                    _add(manager, part, inner, (*outer, name))
            except PipelineError as error:
                # The reader wrote `text`, and not what the pipeline stands for.
                raise PipelineError(f"'{name}': {error.reason}", text, element.start) from error
    elif element.name == "func.func" and any(c.name in _passes for c in element.children or ()):
        _add_to_functions(manager, text, element, outer)
    else:
        _add_upstream(manager, text, element)


def _add_condition(manager: Any, text: str, element: Element) -> None:
    """Append `gs-if{...}(passes)`, whose passes are in a pass manager of their own."""
    if not element.children:
        raise PipelineError(f"'{GsIf.name}' needs passes in parentheses", text, element.start)
    try:
        condition = GsIf(**_values(text, element, options_of_class(GsIf)))
    except ValueError as error:
        raise PipelineError(f"'{GsIf.name}': {error}", text, element.start) from error
    inner = text[element.children[0].start : element.children[-1].end]
    nested, names = getattr(manager, "nested", None), getattr(manager, "names", None)
    about = {"name": GsIf.__name__, "argument": text[element.start : element.end]}
    about["description"] = pass_doc(GsIf).splitlines()[0]
    _add_python(
        manager, _Conditional(condition, inner, nested and nested(inner, names), names), **about
    )


def _add_to_functions(manager: Any, text: str, element: Element, outer: tuple[str, ...]) -> None:
    """Our passes walk all functions of the module: in `func.func(...)` they run as they do there,
    upstream's before and behind them in each function."""
    waiting: list[Element] = []

    def flush() -> None:
        if waiting:
            part = f"func.func({text[waiting[0].start : waiting[-1].end]})"
            _add_upstream(manager, text, element, part)
            waiting.clear()

    for child in element.children or ():
        if child.name in _passes and child.children is None:
            flush()
            _add(manager, text, child, outer)
        else:
            waiting.append(child)
    flush()


def _values(text: str, element: Element, options: tuple[Option, ...]) -> dict[str, Any]:
    try:
        return parse_options(element.name, options, element.options or "")
    except ValueError as error:
        raise PipelineError(str(error), text, element.start) from error


def _add_upstream(manager: Any, text: str, element: Element, part: str = "") -> None:
    """Append `element`, or `part` of it, which has none of our passes."""
    for inner in element.walk():
        ours = inner.name in _passes and not part
        if ours or inner.name in _pipelines:
            raise PipelineError(
                f"'{inner.name}' runs on the module: it cannot be nested in '{element.name}(...)'",
                text,
                inner.start,
            )
    try:
        add_upstream(manager, part or text[element.start : element.end])
    except ValueError as error:
        raise _upstream_error(text, element, str(error)) from error
    _add_check(manager, text[element.start : element.end])


def _add_check(manager: Any, name: str) -> None:
    if isinstance(manager, MixedPassManager):
        manager.add_check(name)


UNKNOWN = "does not refer to a registered pass"


def add_upstream(manager: Any, text: str) -> None:
    """Append passes of upstream, those of source languages among them. Raises ValueError."""
    try:
        manager.add(text)
    except ValueError as error:
        if UNKNOWN not in str(error) or not _more:
            raise
        while _more:
            _more.pop()()
        manager.add(text)


def _upstream_error(text: str, element: Element, message: str) -> PipelineError:
    """Upstream's message with its place moved from the element's text to the whole text."""
    for inner in element.walk():
        reason = f"'{inner.name}' does not refer to a registered pass or pass pipeline"
        if reason in message:
            hint = nearest(inner.name, [*_passes, *_pipelines])
            return PipelineError(reason + hint, text, inner.start)
    # The last lines only say which element could not be added, which the place does too.
    lines = [line for line in message.splitlines() if line.strip()]
    kept = [line for line in lines if not line.startswith("failed to add")]
    reason = "; ".join(kept or lines)
    return PipelineError(reason, text, element.start)
