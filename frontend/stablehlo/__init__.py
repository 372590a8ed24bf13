"""StableHLO to `gs`, the way back where there is one, and the files that hold it."""

from mlir_gs.frontend.stablehlo.artifacts import ArtifactError, is_stablehlo, load
from mlir_gs.frontend.stablehlo.convert_gs_to_stablehlo import ConvertGsToStablehlo
from mlir_gs.frontend.stablehlo.convert_stablehlo_to_gs import ConvertStablehloToGs

__all__ = ["ArtifactError", "ConvertGsToStablehlo", "ConvertStablehloToGs", "is_stablehlo", "load"]
