"""Options of the passes that make loops for a machine."""

from dataclasses import dataclass, field

from mlir_gs.lowering.scf.schedule import MOST_THREADS
from mlir_gs.lowering.scf.targets import machine


@dataclass(frozen=True)
class MachineOptions:
    """Threads and target. Raises ValueError for values that are out of their bounds."""

    threads: int = field(default=1, metadata={"help": "threads that share an op"})
    target: str = field(
        default="generic",
        metadata={
            "help": "the machine: a profile or a file with facts, and numbers to override, as in "
            "'generic:llc-bytes=16777216:stream-scattered=false'"
        },
    )

    def __post_init__(self) -> None:
        if not 1 <= self.threads <= MOST_THREADS:
            raise ValueError(f"threads must be from 1 to {MOST_THREADS}, found {self.threads}")
        machine(self.target)
