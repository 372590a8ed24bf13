"""`torch.compile(backend="mlir_gs")`: gathers and scatters as kernels, the rest eager, on the CPU.

Forward and backward graphs are cut into parts. One with gathers or scatters, and what goes along
with them element by element, becomes a kernel; every other op runs as in eager Torch.
"""

from mlir_gs.integrations.torch.dynamo_backend import Explanation, backend, explain, register

__all__ = ["Explanation", "backend", "explain", "register"]
