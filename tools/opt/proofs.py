"""`--prove`: after each pass, whether each function still means what it did before it."""

from argparse import ArgumentTypeError
from dataclasses import dataclass, replace
from typing import Any

from mlir_gs.lowering import PassFailure
from mlir_gs.lowering.buffers.gs_bufferize import carriers
from mlir_gs.tools.common.command_line import UsageError
from mlir_gs.tools.common.options import seconds
from mlir_gs.tools.common.prover import prover, text_of


@dataclass(frozen=True)
class ProofOptions:
    """`timeout`: seconds for each function after each pass."""

    timeout: float = 5
    fail_on_unknown: bool = False


def proof_options(text: str | None) -> ProofOptions | None:
    """What `--prove=text` says; None where it is not given, or false. Raises UsageError."""
    found = ProofOptions()
    for word in text.split(",") if text is not None else ():
        name, _, value = word.partition("=")
        if word == "fail-on-unknown":
            found = replace(found, fail_on_unknown=True)
        elif name == "timeout":
            try:
                found = replace(found, timeout=seconds(value))
            except ArgumentTypeError as error:
                raise UsageError(f"--prove: timeout: {error}") from None
        elif word in ("false", "0"):
            return None
        elif word not in ("true", "1"):
            raise UsageError(
                f"--prove: '{word:.100}' is none of timeout=SECONDS, fail-on-unknown, true, false"
            )
    return None if text is None else found


class Proofs:
    """What the module was before the pass that runs; `report` takes each line."""

    def __init__(self, report: Any, options: ProofOptions) -> None:
        self.report, self.options, self.prove = report, options, prover()
        self.before: Any = None

    def begin(self, module: Any) -> None:
        """The input of the first pass."""
        self.before = module.operation.clone()

    def check(self, module: Any, name: str) -> None:
        """Compare each function with what it was. PassFailure where one is refuted, or unknown and
        the options say so."""
        if carriers(module.operation):
            # Amid bufferization; what leaves it is compared with what went in.
            return
        mine, theirs = (self.prove.functions(each) for each in (self.before, module))
        for entry in self.prove.compared(self.before, module):
            is_same = entry in mine and entry in theirs
            if is_same and self.prove.is_same(mine[entry], theirs[entry]):
                continue
            answer = self.prove.prove(self.before, module, entry, self.options.timeout)
            self.report(f"{name}: @{entry}: {text_of(answer)}")
            if answer.status == "refuted":
                raise PassFailure(f"'{name}' changed what @{entry} means")
            if answer.status == "unknown" and self.options.fail_on_unknown:
                raise PassFailure(f"what '{name}' made of @{entry} is not proved")
        self.begin(module)
