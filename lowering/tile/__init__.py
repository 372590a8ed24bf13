"""Tiling and fusion on tensors: a `gs.generic` in loops over its tiles."""
