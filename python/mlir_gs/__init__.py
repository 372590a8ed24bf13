"""Gather and scatter for MLIR: the `gs` dialect, its lowering, and running it on the CPU."""

__version__ = "0.1.0"
