"""Arithmetic on floats that upstream's passes or LLVM would take in another sense."""
