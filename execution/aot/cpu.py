"""Versions of a kernel for several CPUs, and the choice between them at run time.

The x86-64 levels are those of the psABI; `generated/cpu.c` finds that of the CPU it runs on.
"""

from collections.abc import Sequence

from mlir_gs.execution.generated.messages import string_global
from mlir_gs.execution.generated.text import reference

LEVELS = ("x86-64", "x86-64-v2", "x86-64-v3", "x86-64-v4")

_CPUS = """
nocona core2 penryn nehalem corei7 westmere sandybridge corei7-avx ivybridge core-avx-i haswell
core-avx2 broadwell skylake skylake-avx512 skx cascadelake cooperlake cannonlake icelake-client
icelake-server rocketlake tigerlake sapphirerapids emeraldrapids graniterapids graniterapids-d
diamondrapids alderlake raptorlake meteorlake arrowlake arrowlake-s lunarlake pantherlake bonnell
atom silvermont slm goldmont goldmont-plus tremont gracemont sierraforest grandridge
clearwaterforest knl knm k8 opteron athlon64 athlon-fx k8-sse3 opteron-sse3 athlon64-sse3 amdfam10
barcelona btver1 btver2 bdver1 bdver2 bdver3 bdver4 znver1 znver2 znver3 znver4 znver5
"""


def is_known(cpu: str) -> bool:
    """Whether LLVM knows an x86-64 CPU by that name; with another it ends the process."""
    return cpu in LEVELS or cpu in _CPUS.split()


def dispatch_text(call: str, versions: Sequence[tuple[str, str, str]]) -> str:
    """The internal function `call`, which takes what tvm-ffi's takes, and the sink for the handle.

    `versions`: for each CPU its name, the wrapper for C-contiguous arrays and that for any; the
    last that the CPU can run is run.
    """
    lines = [
        "  %one = llvm.mlir.constant(1 : i32) : i32",
        "  %zero = llvm.mlir.constant(0 : i32) : i32",
        "  %nothing = llvm.mlir.constant(0 : i64) : i64",
    ]
    checked = any(cpu in LEVELS[1:] for cpu, _, _ in versions)
    if checked:
        lines.append("  %level = llvm.call @__gs_cpu_level() : () -> i32")
    blocks: list[str] = []
    for number, (cpu, contiguous, strided) in reversed(list(enumerate(versions))):
        if checked and cpu in LEVELS:
            least = LEVELS.index(cpu) + 1
            lines += [
                f"  %least{number} = llvm.mlir.constant({least} : i32) : i32",
                f'  %fits{number} = llvm.icmp "sge" %level, %least{number} : i32',
                f"  llvm.cond_br %fits{number}, ^run{number}, ^below{number}",
                f"^below{number}:",
            ]
        else:
            lines.append(f"  llvm.br ^run{number}")
        blocks.append(_version(number, contiguous, strided))
    text = ""
    if checked and versions[0][0] in LEVELS:
        lowest = versions[0][0]
        text = string_global("__gs_no_cpu", f"this CPU is not an {lowest}")
        text += string_global("__gs_no_cpu_kind", "RuntimeError")
        lines += [
            "  %kind = llvm.mlir.addressof @__gs_no_cpu_kind : !llvm.ptr",
            "  %message = llvm.mlir.addressof @__gs_no_cpu : !llvm.ptr",
            "  llvm.call @__gs_report(%kind, %message, %sink)"
            " : (!llvm.ptr, !llvm.ptr, !llvm.ptr) -> ()",
            "  %failed = llvm.mlir.constant(-1 : i32) : i32",
            "  llvm.return %failed : i32",
        ]
    head = "%sink: !llvm.ptr, %args: !llvm.ptr, %count: i32, %result: !llvm.ptr"
    body = "\n".join(lines) + "\n" + "".join(blocks)
    return text + f"llvm.func internal {reference(call)}({head}) -> i32 {{\n{body}}}\n"


def _version(number: int, contiguous: str, strided: str) -> str:
    kinds = "(!llvm.ptr, !llvm.ptr, i32, !llvm.ptr) -> i32"
    n = number
    return f"""^run{n}:
  %s{n} = llvm.call {reference(contiguous)}(%sink, %args, %count, %result) : {kinds}
  %good{n} = llvm.icmp "eq" %s{n}, %zero : i32
  llvm.cond_br %good{n}, ^look{n}, ^end{n}(%s{n} : i32)
^look{n}:
  %kind{n} = llvm.load %result : !llvm.ptr -> i32
  %again{n} = llvm.icmp "eq" %kind{n}, %one : i32
  llvm.cond_br %again{n}, ^strided{n}, ^end{n}(%s{n} : i32)
^strided{n}:
  llvm.store %nothing, %result : i64, !llvm.ptr
  %t{n} = llvm.call {reference(strided)}(%sink, %args, %count, %result) : {kinds}
  llvm.br ^end{n}(%t{n} : i32)
^end{n}(%status{n}: i32):
  llvm.return %status{n} : i32
"""
