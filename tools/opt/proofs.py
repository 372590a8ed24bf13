"""`--prove`: after each pass, whether each function still means what it did before it."""

from typing import Any

from mlir_gs.lowering import PassFailure
from mlir_gs.tools.common.prover import prover, text_of

# Seconds for each function after each pass.
_TIMEOUT = 5


class Proofs:
    """What the module was before the pass that runs; `report` takes each line."""

    def __init__(self, report: Any) -> None:
        self.report, self.prove = report, prover()
        self.before: Any = None

    def begin(self, module: Any) -> None:
        """The input of the first pass."""
        self.before = module.operation.clone()

    def check(self, module: Any, name: str) -> None:
        """Compare each function with what it was. PassFailure where one is refuted."""
        mine, theirs = (self.prove.functions(each) for each in (self.before, module))
        for entry in self.prove.compared(self.before, module):
            same = entry in theirs and self.prove.is_same(mine[entry], theirs[entry])
            if same:
                continue
            answer = self.prove.prove(self.before, module, entry, _TIMEOUT)
            self.report(f"{name}: @{entry}: {text_of(answer)}")
            if answer.status == "refuted":
                raise PassFailure(f"'{name}' changed what @{entry} means")
        self.begin(module)
