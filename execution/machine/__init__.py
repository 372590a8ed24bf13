"""The machine that kernels run on: its CPU, its threads."""
