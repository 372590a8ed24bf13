"""Conversions of source languages to `gs`; importing this package registers them."""

from mlir_gs.frontend import dml, stablehlo, tcp, tensor, tosa

__all__ = ["dml", "stablehlo", "tcp", "tensor", "tosa"]
