"""Passes written in Python in MLIR's pass managers: exceptions, names of ops, checks after each."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from mlir_gs._forks import uninterrupted
from mlir_gs.dialect._bindings import PassManager, ir
from mlir_gs.lowering.passes.conditions import Names, has_any
from mlir_gs.lowering.passes.context_store import store_of
from mlir_gs.lowering.passes.diagnostics import error_text


class PassFailure(Exception):
    """A pass gives up, or a pipeline failed.

    A pass raises it without text after it has emitted its diagnostics (`fail` does both); a text
    is emitted as one more error at the module. From `run_pipeline` the text is all diagnostics.
    """


class PythonPass:
    """One of our passes as the callable that a pass manager takes.

    An exception is kept, and the pass fails (`keep_raised`). Ctrl-C waits for the pass to end. The
    module's context and location are the current ones meanwhile. `verify` what it leaves, where it
    had work.
    """

    def __init__(self, instance: Any, names: Names | None = None, verify: bool = False) -> None:
        self.instance, self.names, self.verify = instance, names or Names(), verify
        self.begins = names is None
        self.has_work = getattr(instance, "has_work", self._finds_ops)

    def _finds_ops(self, module: Any, names: Names) -> bool:
        starts = getattr(self.instance, "only_with", ())
        return not starts or has_any(names.of(module), starts)

    def __call__(self, operation: Any, external: Any) -> None:
        if self.begins:
            self.names.forget()
        try:
            with uninterrupted, operation.context, operation.location:
                if self.has_work(operation, self.names):
                    changed = self.instance.run(operation)
                    if changed is not False:
                        self.names.forget()
                    if self.verify:
                        operation.verify()
        except PassFailure as failure:
            cause = failure.__cause__
            if cause is not None and isinstance(cause, ir.MLIRError):
                keep_raised(operation, self.instance.name, cause)
            elif str(failure):
                operation.location.emit_error(str(failure))
            external.signal_pass_failure()
        except BaseException as error:
            keep_raised(operation, self.instance.name, error)
            external.signal_pass_failure()


_RAISED = "raised"
"""What is kept with a context while a `MixedPassManager` runs: the exceptions that it raises."""


def keep_raised(operation: Any, name: str, error: BaseException) -> None:
    """For an exception in a callback, which must not unwind through MLIR's own frames: `error` is
    kept for the pass manager of ours that runs, or, where none does, an error at `operation`."""
    raised = store_of(operation.context).get(_RAISED)
    if raised is not None:
        raised.append(error)
    elif isinstance(error, ir.MLIRError):
        operation.location.emit_error(error_text(error))
    else:
        operation.location.emit_error(f"'{name}' failed: {type(error).__name__}: {error}")


@dataclass(frozen=True)
class _After:
    """Looks at what a pass has made of the module."""

    name: str
    check: Callable[[Any, str], None]

    def run(self, module: Any) -> None:
        self.check(module, self.name)


class MixedPassManager(PassManager):
    """A pass manager whose `run` takes a module or its operation and raises what a pass raised.

    `after_each` gets the module and the name of the pass after each one.
    """

    after_each: Callable[[Any, str], None] | None = None
    verify_ours: bool = False
    names: Names | None = None
    """What the last of the passes knows of the names of ops, if it is one of ours."""
    nested: Callable[[str, Names | None], "MixedPassManager"] | None = None
    """Makes a pass manager with the same instrumentation, while passes are added."""

    def add_python(self, instance: Any, name: str, argument: str, description: str) -> None:
        """Append one of our passes."""
        call = PythonPass(instance, self.names, self.verify_ours)
        super().add(call, name=name, argument=argument, description=description)
        self.names = call.names

    def add(self, text: str) -> None:
        """Append passes of upstream."""
        super().add(text)
        self.names = None

    def add_check(self, name: str) -> None:
        """Append the call of `after_each`, if there is one."""
        if self.after_each is not None:
            call = _After(name, self.after_each)
            self.add_python(call, "After", f"after-{name}", "looks at the IR")

    def run(self, operation: Any) -> None:
        """Run on `operation`; raises ir.MLIRError, or the exception that one of our passes met."""
        chosen = getattr(operation, "operation", operation)
        store = store_of(chosen.context)
        raised: list[BaseException] = []
        outer, store[_RAISED] = store.get(_RAISED), raised
        try:
            super().run(chosen)
        except ir.MLIRError:
            if raised:
                raise raised.pop() from None
            raise
        finally:
            store[_RAISED] = outer
