"""DirectML's operators, and their way to `gs`."""

from mlir_gs.frontend.dml.convert_dml_to_gs import DML, ConvertDmlToGs, gather, slice1

__all__ = ["DML", "ConvertDmlToGs", "gather", "slice1"]
