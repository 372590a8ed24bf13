"""The machine code of a kernel that is run here: which of its loops takes the time, and what each
instruction comes from.

A timer interrupts the kernel and notes where it is. Its handler is compiled, as the code that runs
knows nothing of Python. The op of an instruction is what DWARF calls a line, which LLVM writes of
locations: these are numbers of ops here, as several places have no line of their own.
"""

import ctypes
import io
import platform
import signal
import sys
import time
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable
from functools import cached_property
from typing import Any, NamedTuple

from mlir_gs.dialect._bindings import PassManager
from mlir_gs.execution.call.kernel import Kernel, make_kernel
from mlir_gs.execution.compilation import engine
from mlir_gs.execution.compilation.lower import choose, lower, pipeline_text
from mlir_gs.execution.compilation.source import copy_module
from mlir_gs.execution.generated.blocks import Function
from mlir_gs.execution.generated.plan import KERNEL_PREFIX, Plan
from mlir_gs.lowering.ir.builders import walk
from mlir_gs.tools.explore.listing import Places, number_ops, places

_LINES = "ensure-debug-info-scope-on-llvm-func{emission-kind=LineTablesOnly}"
_SAMPLES = 1 << 14
_SECONDS = 0.8
_INTERVAL = 0.001
_SA_SIGINFO, _SA_RESTART = 4, 0x10000000
_COUNTER = {"x86_64": 168, "aarch64": 440}
"""Where the program counter is in a ucontext of Linux, in bytes."""

_HANDLER = """
llvm.func @gs_sample(%signal: i32, %info: !llvm.ptr, %context: !llvm.ptr) {{
  %one = llvm.mlir.constant(1 : i64) : i64
  %most = llvm.mlir.constant({most} : i64) : i64
  %at = llvm.mlir.constant({address} : i64) : i64
  %samples = llvm.inttoptr %at : i64 to !llvm.ptr
  %place = llvm.getelementptr %context[{offset}] : (!llvm.ptr) -> !llvm.ptr, i8
  %counter = llvm.load %place : !llvm.ptr -> i64
  %count = llvm.load %samples : !llvm.ptr -> i64
  %next = llvm.add %count, %one : i64
  llvm.store %next, %samples : i64, !llvm.ptr
  %turn = llvm.and %count, %most : i64
  %number = llvm.add %turn, %one : i64
  %slot = llvm.getelementptr %samples[%number] : (!llvm.ptr, i64) -> !llvm.ptr, i64
  llvm.store %counter, %slot : i64, !llvm.ptr
  llvm.return
}}
"""


class Built:
    """A kernel of a function of `source`, compiled so that its code says of which op it is. `ops`
    are their names and places in the file `name`, by number. Raises CompileError."""

    def __init__(self, source: Any, entry: str, threads: int, target: str, name: str) -> None:
        self.ops: dict[int, tuple[str, Places]] = {}
        self.code, self._symbol, self._address = b"", KERNEL_PREFIX + entry, 0

        def compiled(strided: bool) -> tuple[Any, Any]:
            module = copy_module(source)
            choose(module, entry)
            found = lower(module, pipeline_text(strided, threads, target=target))
            engine.tune_functions(module, found.ops.builds_vectors, found.ops.gathers, target)
            if not strided:
                where = places(module.operation, name)
                named = (
                    (op.name, at) for op, at in zip(walk(module.operation), where, strict=True)
                )
                self.ops = dict(enumerate(named, 1))
                number_ops(module.operation, first=1)
                PassManager.parse(f"builtin.module({_LINES})").run(module.operation)
            symbol = KERNEL_PREFIX + found.entry.name
            on = engine.threads_of(module, found.ops.names)
            machine, address = engine.load(module, symbol, on, keep=True)
            if not strided:
                self.code = engine.object_code(machine, symbol)
                self._address = address
            return found.entry, Function(engine.shared(), address, Plan(found.entry), machine)

        self.kernel: Kernel = make_kernel(*compiled(False), lambda: compiled(True)[1])

    @cached_property
    def elf(self) -> Any:
        """The object, read by pyelftools."""
        from elftools.elf.elffile import ELFFile

        class WithoutFrames(ELFFile):
            # pyelftools knows not all relocations of frames, and refuses the lines with them.
            def get_section_by_name(self, name: str) -> Any:
                return None if name == ".eh_frame" else super().get_section_by_name(name)

        return WithoutFrames(io.BytesIO(self.code))

    @cached_property
    def text(self) -> tuple[int, bytes, int]:
        """Of the section with the code: its number, its bytes, and where it is in memory."""
        (symbol,) = self.elf.get_section_by_name(".symtab").get_symbol_by_name(self._symbol)
        number = symbol["st_shndx"]
        return number, self.elf.get_section(number).data(), self._address - symbol["st_value"]


class _Instruction(NamedTuple):
    offset: int
    text: str
    jumps: int | None


def hottest_loop(built: Built, call: Callable[[], Any]) -> dict[str, Any]:
    """The loop of the kernel in which `call` spends its time: each instruction with the share of
    samples there, whether it is among the hottest, where it comes from, and its op."""
    try:
        instructions = list(_disassembled(built.text[1]))
    except ModuleNotFoundError:
        return {"missing": "assembly needs capstone and pyelftools: pip install '.[explore]'"}
    if not instructions:
        return {"missing": f"no assembly of {platform.machine()}"}
    samples = _sampled(call, built.text[2], len(built.text[1]))
    where = _loop(instructions, samples)
    if where is None:
        return {"missing": "the kernel has no loop"}
    first, last = where
    inside = [one for one in instructions if first <= one.offset <= last]
    by_offset = _attributed(instructions, samples)
    total, here = sum(samples.values()), sum(by_offset[one.offset] for one in inside)
    lines = _op_numbers(built)
    at = [line[0] for line in lines]
    shown = []
    for one in inside:
        share = by_offset[one.offset] / total if total else 0.0
        number = bisect_right(at, one.offset) - 1
        op = built.ops.get(lines[number][1] or 0) if number >= 0 else None
        name, places = op or ("", [])
        text = f"{share:.1%}" if share >= 0.0005 else ""
        shown.append([text, one.text, share >= 0.05, places, name])
    title = (
        f"The hottest loop: {here / total:.0%} of {total} samples"
        if total
        else "The innermost loop"
    )
    return {"title": title, "lines": shown}


def _disassembled(data: bytes) -> list[_Instruction]:
    import capstone

    machines = {
        "x86_64": (capstone.CS_ARCH_X86, capstone.CS_MODE_64),
        "aarch64": (capstone.CS_ARCH_ARM64, capstone.CS_MODE_ARM),
    }
    if platform.machine() not in machines:
        return []
    reader = capstone.Cs(*machines[platform.machine()])
    reader.skipdata = True
    found = []
    for offset, _, mnemonic, operands in reader.disasm_lite(data, 0):
        is_jump = mnemonic.startswith(("j", "b.", "cb", "tb")) or mnemonic == "b"
        target = operands.rpartition("#")[2].split(",")[-1].strip() if is_jump else ""
        jumps = int(target, 16) if target.startswith("0x") else None
        found.append(_Instruction(offset, f"{mnemonic:<14} {operands}".rstrip(), jumps))
    return found


def _loop(instructions: list[_Instruction], samples: Counter[int]) -> tuple[int, int] | None:
    """The first and last offset of the innermost loop with the most samples, and of those with as
    many the deepest."""
    jumps = {(at, one.offset) for one in instructions if (at := one.jumps) is not None}
    backwards = [loop for loop in jumps if loop[0] <= loop[1]]
    loops = sorted(backwards, key=lambda loop: loop[1] - loop[0])
    own: Counter[tuple[int, int]] = Counter()
    for offset, count in samples.items():
        inner = next((loop for loop in loops if loop[0] <= offset <= loop[1]), None)
        if inner is not None:
            own[inner] += count

    def depth(loop: tuple[int, int]) -> int:
        return sum(outer[0] <= loop[0] and loop[1] <= outer[1] for outer in loops)

    return max(loops, key=lambda loop: (own[loop], depth(loop)), default=None)


def _attributed(instructions: list[_Instruction], samples: Counter[int]) -> Counter[int]:
    """Samples by the offsets of instructions."""
    offsets = [one.offset for one in instructions]
    found: Counter[int] = Counter()
    for offset, count in samples.items():
        found[offsets[bisect_right(offsets, offset) - 1]] += count
    return found


def _sampled(call: Callable[[], Any], base: int, size: int) -> Counter[int]:
    """How often a timer found the kernel at which offset of its code; nothing but on Linux."""
    offset = _COUNTER.get(platform.machine())
    if offset is None or sys.platform != "linux":
        return Counter()
    buffer = (ctypes.c_uint64 * (1 + _SAMPLES))()
    values = {"most": _SAMPLES - 1, "address": ctypes.addressof(buffer), "offset": offset}
    handler = engine.compile_shared(_HANDLER.format(**values), ["gs_sample"])["gs_sample"]
    # struct sigaction of glibc: the handler, 128 bytes of mask, flags, the restorer.
    action = (ctypes.c_uint64 * 19)(handler, *[0] * 16, _SA_SIGINFO | _SA_RESTART, 0)
    before = (ctypes.c_uint64 * 19)()
    libc = ctypes.CDLL(None)
    libc.sigaction(signal.SIGPROF, ctypes.byref(action), ctypes.byref(before))
    signal.setitimer(signal.ITIMER_PROF, _INTERVAL, _INTERVAL)
    until = time.perf_counter() + _SECONDS
    try:
        while time.perf_counter() < until:
            call()
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        libc.sigaction(signal.SIGPROF, ctypes.byref(before), None)
    found = buffer[1 : 1 + min(buffer[0], _SAMPLES)]
    return Counter(one - base for one in found if base <= one < base + size)


def _op_numbers(built: Built) -> list[tuple[int, int | None]]:
    """Offsets from which on the code is that of the op of a number, by offset."""
    found: list[tuple[int, int | None]] = []
    for unit in built.elf.get_dwarf_info().iter_CUs():
        program = built.elf.get_dwarf_info().line_program_for_CU(unit)
        states = (entry.state for entry in program.get_entries()) if program else ()
        for state in filter(None, states):
            found.append((state.address, None if state.end_sequence else state.line))
    return sorted(found, key=lambda one: one[0])
