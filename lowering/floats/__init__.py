"""Arithmetic on floats that upstream's passes or LLVM compute otherwise than specified."""
