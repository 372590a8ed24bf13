"""Memrefs of integers whose elements are known at compile time."""

import numpy as np
from mlir_gs.dialect._bindings import ir
from mlir_gs.lowering.ir.builders import memory_of, module_of, producer


def constants_of(coordinates: ir.Value) -> np.ndarray | None:
    """The elements of a memref of integers that is a constant of its module; None of others."""
    made = producer(memory_of(coordinates), "memref.get_global")
    if made is None:
        return None
    symbols = ir.SymbolTable(module_of(made))
    named = symbols[ir.FlatSymbolRefAttr(made.attributes["name"]).value]
    attributes = named.operation.attributes
    if "constant" not in attributes or "initial_value" not in attributes:
        return None
    elements = attributes["initial_value"]
    return np.array(elements) if isinstance(elements, ir.DenseElementsAttr) else None
