"""ONNX models to `gs`."""

from mlir_gs.frontend.onnx.convert_onnx_to_gs import (
    FAMILIES,
    ConvertOnnxToGs,
    import_pipeline,
    load,
    read,
)

__all__ = ["FAMILIES", "ConvertOnnxToGs", "import_pipeline", "load", "read"]
