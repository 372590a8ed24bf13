"""The assembly form of `gs` ops: what is read and written in place of the generic form.

MLIR gives ops that are defined in Python the generic form only. `to_generic` rewrites the assembly
form in a text to it, and `to_assembly` the generic form in what MLIR printed to the assembly form.
"""

from mlir_gs.dialect.assembly.read import Generic, to_generic
from mlir_gs.dialect.assembly.scanner import AssemblyError
from mlir_gs.dialect.assembly.words import in_words_of
from mlir_gs.dialect.assembly.write import print, to_assembly

__all__ = ["AssemblyError", "Generic", "in_words_of", "print", "to_assembly", "to_generic"]
