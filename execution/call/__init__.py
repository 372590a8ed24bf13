"""Kernels as Python callables on arrays."""
