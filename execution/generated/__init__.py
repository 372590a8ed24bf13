"""Generated code around kernels: calls, checks, errors, results."""
