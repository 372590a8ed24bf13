"""Code around kernels: calls, checks, errors, results.

What all kernels share is in C (`support.c`, `python.c`, `memory.c`, `cpu.c`), with the LLVM dialect
of it beside, which `tools/docs/from_c.py` writes. What differs between kernels is generated here.
"""
