"""LLVM in this process, as the bindings and their library offer it."""
