"""The tcp dialect, and its gathers to `gs`."""

from mlir_gs.frontend.tcp.convert_tcp_to_gs import TCP, ConvertTcpToGs

__all__ = ["TCP", "ConvertTcpToGs"]
