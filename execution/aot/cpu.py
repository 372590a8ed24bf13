"""Versions of a kernel for several CPUs, and the choice between them at run time.

The x86-64 levels are those of the psABI. The choice reads `cpuid` itself: no loader and no
compiler's runtime library has to know it.
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


def _all(bits: Sequence[int]) -> int:
    mask = sum(1 << bit for bit in bits)
    return mask - (1 << 32) if mask >= 1 << 31 else mask


# The bits of each level: leaf 1 ecx; leaf 7 ebx; leaf 0x80000001 ecx; XCR0.
_V2 = (_all([0, 9, 13, 19, 20, 23]), 0, _all([0]), 0)
_V3 = (_all([12, 22, 27, 28, 29]), _all([3, 5, 8]), _all([5]), 0x6)
_V4 = (0, _all([16, 17, 28, 30, 31]), 0, 0xE6)

_CPUID = (
    'llvm.inline_asm has_side_effects "cpuid",'
    ' "={ax},={bx},={cx},={dx},{ax},{cx},~{dirflag},~{fpsr},~{flags}"'
)


def _cpuid(name: str, leaf: str) -> str:
    result = "!llvm.struct<(i32, i32, i32, i32)>"
    return f"  {name} = {_CPUID} {leaf}, %c0 : (i32, i32) -> {result}\n"


def _has(level: str, masks: Sequence[int]) -> str:
    lines = ""
    for number, (word, mask) in enumerate(zip("bdex", masks, strict=True)):
        lines += f"""
  %{level}_m{number} = llvm.mlir.constant({mask} : i32) : i32
  %{level}_a{number} = llvm.and %{word}, %{level}_m{number} : i32
  %{level}_h{number} = llvm.icmp "eq" %{level}_a{number}, %{level}_m{number} : i32"""
    return (
        lines
        + f"""
  %{level}_01 = llvm.and %{level}_h0, %{level}_h1 : i1
  %{level}_23 = llvm.and %{level}_h2, %{level}_h3 : i1
  %{level} = llvm.and %{level}_01, %{level}_23 : i1
"""
    )


LEVEL_TEXT = (
    """
llvm.mlir.global internal @__gs_level(0 : i32) : i32
llvm.func internal @__gs_cpu_level() -> i32 attributes {no_inline} {
  %c0 = llvm.mlir.constant(0 : i32) : i32
  %c1 = llvm.mlir.constant(1 : i32) : i32
  %at = llvm.mlir.addressof @__gs_level : !llvm.ptr
  %known = llvm.load %at : !llvm.ptr -> i32
  %is_known = llvm.icmp "ne" %known, %c0 : i32
  llvm.cond_br %is_known, ^known, ^read
^known:
  llvm.return %known : i32
^read:
  %c7 = llvm.mlir.constant(7 : i32) : i32
  %extended = llvm.mlir.constant(-2147483647 : i32) : i32
"""
    + _cpuid("%l0", "%c0")
    + _cpuid("%l1", "%c1")
    + _cpuid("%l7", "%c7")
    + _cpuid("%l8", "%extended")
    + """
  %most = llvm.extractvalue %l0[0] : !llvm.struct<(i32, i32, i32, i32)>
  %b = llvm.extractvalue %l1[2] : !llvm.struct<(i32, i32, i32, i32)>
  %d7 = llvm.extractvalue %l7[1] : !llvm.struct<(i32, i32, i32, i32)>
  %e = llvm.extractvalue %l8[2] : !llvm.struct<(i32, i32, i32, i32)>
  %has7 = llvm.icmp "uge" %most, %c7 : i32
  %d = llvm.select %has7, %d7, %c0 : i1, i32
  %osxsave = llvm.mlir.constant(134217728 : i32) : i32
  %saves = llvm.and %b, %osxsave : i32
  %has_xcr = llvm.icmp "ne" %saves, %c0 : i32
  llvm.cond_br %has_xcr, ^xcr, ^levels(%c0 : i32)
^xcr:
  %xcr = llvm.inline_asm has_side_effects "xgetbv", "={ax},={dx},{cx},~{dirflag},~{fpsr},~{flags}"
    %c0 : (i32) -> !llvm.struct<(i32, i32)>
  %low = llvm.extractvalue %xcr[0] : !llvm.struct<(i32, i32)>
  llvm.br ^levels(%low : i32)
^levels(%x: i32):
"""
    + _has("v2", _V2)
    + _has("v3", _V3)
    + _has("v4", _V4)
    + """
  %to2 = llvm.zext %v2 : i1 to i32
  %v23 = llvm.and %v2, %v3 : i1
  %to3 = llvm.zext %v23 : i1 to i32
  %v234 = llvm.and %v23, %v4 : i1
  %to4 = llvm.zext %v234 : i1 to i32
  %s0 = llvm.add %c1, %to2 : i32
  %s1 = llvm.add %s0, %to3 : i32
  %level = llvm.add %s1, %to4 : i32
  llvm.store %level, %at : i32, !llvm.ptr
  llvm.return %level : i32
}
"""
)
"""`__gs_cpu_level()` is the psABI level of the CPU it runs on, 1 to 4."""


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
