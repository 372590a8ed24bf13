"""Conversions of source languages to `gs`; importing this package registers them."""

from mlir_gs.frontend import dml, languages, onnx, stablehlo, tcp, tensor, torch, tosa

__all__ = ["dml", "languages", "onnx", "stablehlo", "tcp", "tensor", "torch", "tosa"]
