"""Which strategy of the lowering a wrong result comes from: the one without which it is right."""

from collections.abc import Callable, Sequence

from mlir_gs.lowering.scf.table import STRATEGIES


def blame(is_right: Callable[[Sequence[str]], bool]) -> str:
    """A line that names it. `is_right(names)`: results are right without these strategies."""
    if not is_right(list(STRATEGIES)):
        return "no strategy of convert-gs-to-scf is the cause: plain loops differ as well"
    found = [f"'{name}'" for name in STRATEGIES if is_right([name])]
    if found:
        return f"equal without strategy {' or '.join(found)} of convert-gs-to-scf"
    return "equal with plain loops: more than one strategy of convert-gs-to-scf differs"
