"""Objects for any machine, by the LLVM of the package llvmlite: MLIR's wheel has that of its own
machine alone."""

import os
import re
import struct
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager

from mlir_gs.execution.machine import cpu
from mlir_gs.execution.signature.dtypes import named
from mlir_gs.execution.signature.signature import CompileError

# What Linux distributions for an architecture count on, and how they pass floats.
_FEATURES = {"riscv64": ("+m,+a,+f,+d,+c", "lp64d")}
_X86 = ("x86_64", "amd64")


def is_x86(triple: str | None) -> bool:
    """Whether code for a triple, by default for this machine, is for x86-64."""
    return cpu.is_x86() if triple is None else triple.partition("-")[0] in _X86


def object_code(text: str, triple: str, name: str) -> bytes:
    """The object of LLVM IR for a triple and a CPU of that name. Raises CompileError."""
    try:
        import llvmlite.binding as llvm
    except ImportError:
        raise CompileError(
            "a triple needs LLVM for all machines: pip install llvmlite, or '.[cross]' in a clone"
        ) from None
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    # Levels of x86-64 are asked for in assembly.
    llvm.initialize_native_asmparser()
    if is_x86(triple) and not cpu.is_x86():
        raise CompileError(f"'{triple}': llvmlite has no assembler for it on this machine")
    features, abi = _FEATURES.get(triple.partition("-")[0], ("", ""))
    try:
        target = llvm.Target.from_triple(triple)
    except RuntimeError:
        raise CompileError(f"'{triple}': expected a triple that LLVM knows") from None
    with _told() as told:
        machine = target.create_target_machine(
            cpu=name, features=features, opt=2, reloc="pic", abiname=abi
        )
    if "not a recognized processor" in told[0]:
        raise CompileError(f"'{name}': expected LLVM's name of a CPU for {triple}")
    layout = str(machine.target_data)
    if not layout.startswith("e") or re.search(r"-p(0)?:(?!64)", layout):
        raise CompileError(f"'{triple}': expected a little-endian machine with 64-bit pointers")
    try:
        module = llvm.parse_assembly(text)
    except RuntimeError as error:
        raise CompileError(f"llvmlite's LLVM: {' '.join(str(error).split())}") from error
    module.triple, module.data_layout = triple, layout
    tuning = llvm.create_pipeline_tuning_options(speed_level=2)
    builder = llvm.create_pass_builder(machine, tuning)
    builder.getModulePassManager().run(module, builder)
    return machine.emit_object(module)


@contextmanager
def _told() -> Iterator[list[str]]:
    """What LLVM writes to the process's stderr meanwhile, in place of it."""
    said = [""]
    kept = os.dup(2)
    with tempfile.TemporaryFile() as file:
        os.dup2(file.fileno(), 2)
        try:
            yield said
        finally:
            os.dup2(kept, 2)
            os.close(kept)
            file.seek(0)
            said[0] = file.read().decode(errors="replace")


# What is read of a line: a text, a name, a type of floats, a number of such a type.
_WORD = re.compile(
    r'"[^"]*"|[%@!][-\w.$]+|\b(half|bfloat|float|double)\b'
    r"|(?<![-+\w.])([-+]?(?:\d+\.\d*(?:e[-+]\d+)?|f0x[0-9A-F]+|inf|qnan|s?nan\(0x\w+\)))"
)
# By type: NumPy's name, how its bits are spelled, how many there are, how many are the fraction's.
_TYPES = {
    "half": ("float16", "H", 16, 10),
    "bfloat": ("bfloat16", "R", 16, 7),
    "float": ("float32", "", 32, 23),
    "double": ("float64", "", 64, 52),
}


def readable(text: str) -> str:
    """LLVM IR with floats as older releases of LLVM read them, too: by their bits."""
    return "\n".join(map(_with_bits, text.split("\n")))


def _with_bits(line: str) -> str:
    kind = ""

    def word(found: re.Match[str]) -> str:
        nonlocal kind
        kind = found[1] or kind
        return _spelled(kind, found[2]) if kind and found[2] else found[0]

    return _WORD.sub(word, line)


def _spelled(kind: str, number: str) -> str:
    name, letter, size, fraction = _TYPES[kind]
    bits = _bits(number, name, size, fraction)
    if kind == "float":
        # As a double, which holds its fraction and, but for what is no number, its value.
        if bits & 0x7FFFFFFF > 0x7F800000:
            bits = bits >> 31 << 63 | 0x7FF << 52 | (bits & (1 << 23) - 1) << 29
        else:
            (value,) = struct.unpack("<f", bits.to_bytes(4, "little"))
            (bits,) = struct.unpack("<Q", struct.pack("<d", value))
        size = 64
    return f"0x{letter}{bits:0{size // 4}X}"


def _bits(number: str, name: str, size: int, fraction: int) -> int:
    if number.startswith("f0x"):
        return int(number[3:], 16)
    if "n" in number:
        quiet = 0 if "s" in number or "inf" in number else 1 << fraction - 1
        payload = int(number.partition("0x")[2].rstrip(")") or "0", 16)
        high = (1 << size - 1 - fraction) - 1 << fraction
        return number.startswith("-") << size - 1 | high | quiet | payload
    return int.from_bytes(named(name).type(float(number)).tobytes(), "little")
