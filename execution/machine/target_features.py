"""What LLVM has to know of the CPU that a kernel is compiled for."""

import platform
from functools import cache

from mlir_gs.execution.machine import cpu, host

_FLAGS = (
    *("avx2", "fma", "f16c", "avx512f", "avx512bw", "avx512dq", "avx512vl", "avx512cd"),
    *("avx512_fp16", "avx512_vp2intersect", "amx_tile"),
)
"""CPU flags, as Linux shows them, that a virtual machine may hide."""


ROUNDED_BY_CALLS = "-avx512bf16,-avxneconvert"
"""LLVM carries a bf16 from block to block as f32. What rounds it back flushes denormals on a CPU
that has instructions for it; else a function of `libcalls` is called, which does not."""


@cache
def target_features(gathers: bool = False, target: str | None = None) -> str | None:
    """LLVM's `target-features` for the functions of a kernel, None to leave them alone; `gathers`:
    their code has gathers; `target`: see `host.target`.

    Hardware scatters lose to scalar stores, gathers on most machines to scalar loads, and LLVM's
    vectorizer would form them. The attribute replaces what the engine found out about the
    CPU, so features that its name implies and the machine hides are taken away again.
    """
    if platform.machine() not in ("x86_64", "AMD64"):
        return None
    features = [ROUNDED_BY_CALLS, "+prefer-no-scatter"]
    if host.known(target).hardware_gather != "always" and not gathers:
        features.append("+prefer-no-gather")
    about = cpu.identity()
    if about is None:
        return ",".join(features)
    lines = about.splitlines()
    flags = next((set(line.split()) for line in lines if line.startswith("flags")), set())
    hidden = [flag for flag in _FLAGS if flag not in flags]
    features += ["-" + flag.replace("avx512_", "avx512").replace("_", "-") for flag in hidden]
    return ",".join(features)
