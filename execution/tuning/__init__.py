"""Measuring this machine with kernels of ours."""
