"""Kernels that travel: objects with C functions."""
