"""Conversions of source languages to `gs`; importing this package registers them."""

from mlir_gs.frontend import tensor

__all__ = ["tensor"]
