"""Conversions of source languages to `gs`; importing this package registers them."""

from mlir_gs.frontend import tcp, tensor

__all__ = ["tcp", "tensor"]
