"""What gs-prove and gs-opt --prove share: the solver, where it is installed, and its answers."""

from typing import Any

from mlir_gs.tools.common.command_line import UsageError

_MISSING = "the solver is not installed: pip install z3-solver, or '.[prove]' in a clone"


def prover() -> Any:
    """The module that proves. Raises UsageError where the solver is not installed."""
    try:
        from mlir_gs.prove import prove
    except ModuleNotFoundError as error:
        if error.name != "z3":
            raise
        raise UsageError(_MISSING) from None
    return prove


def text_of(answer: Any) -> str:
    """The answer in words."""
    if answer.status == "proved":
        return f"proved ({answer.seconds:.2f} s)"
    if answer.counterexample is not None:
        lines = answer.counterexample.text().splitlines()
        return "\n  ".join(["refuted by these arguments:", *lines])
    if answer.status == "refuted":
        return f"refuted: {answer.reason}"
    return f"unknown: could not show {answer.reason}".replace("could not show at ", "cannot read ")
