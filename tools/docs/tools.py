"""The flags of `gs-opt` in `docs/tools.md`."""

from mlir_gs.tools.docs.tables import table
from mlir_gs.tools.opt.flags import FLAGS


def flags() -> str:
    """Each flag that is no pass, and what mlir-opt has."""
    rows = ((f"`{flag.usage()}`", flag.origin or "has it", flag.help) for flag in FLAGS)
    return table("flag", "in mlir-opt", "", rows=rows)
