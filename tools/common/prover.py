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
        return f"proved ({answer.seconds:.2f} s){answer.reason and ', ' + answer.reason}"
    found = answer.counterexample
    lines = [] if found is None else found.text().splitlines()
    if answer.status == "refuted":
        return "\n  ".join(["refuted by these arguments:", *lines] if lines
                           else [f"refuted: {answer.reason}"])  # fmt: skip
    first = f"unknown: could not show {answer.reason}"
    first = first.replace("could not show at ", "cannot read ")
    if found is not None:
        small = "with smaller static sizes " if found.is_of_small_sizes else ""
        lines.insert(0, f"{small}these arguments refute it:")
    return "\n  ".join([first, *lines])
