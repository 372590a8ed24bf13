"""Torch programs to `gs`."""

from mlir_gs.frontend.torch.convert_torch_to_gs import (
    FAMILIES,
    ConvertTorchToGs,
    import_pipeline,
    load,
    read,
)

__all__ = ["FAMILIES", "ConvertTorchToGs", "import_pipeline", "load", "read"]
