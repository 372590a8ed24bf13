"""Rewrites of the LLVM dialect: errors as a status, threads that lose, what LLVM is told."""
