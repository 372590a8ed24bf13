"""Kernels on the disk, and the shared libraries that hold them."""
