"""Kernels that travel: an object with C functions, which needs neither Python nor MLIR.

Each function is compiled for C-contiguous arrays and for arrays of any strides, once for each CPU.
All versions, the checks that they share and the C functions are one module, and one object.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from mlir_gs.dialect._bindings import dialect, ir
from mlir_gs.execution.aot import cross
from mlir_gs.execution.aot.cpu import LEVELS, dispatch_text, is_known
from mlir_gs.execution.aot.sink import pass_sink
from mlir_gs.execution.aot.text import REDIRECTED, WEAK, c_functions
from mlir_gs.execution.compilation import engine
from mlir_gs.execution.compilation.lower import choose, lower, pipeline_text
from mlir_gs.execution.compilation.named_errors import naming_ops
from mlir_gs.execution.compilation.source import copy_module
from mlir_gs.execution.disk.elf_object import hide_symbols
from mlir_gs.execution.generated import support
from mlir_gs.execution.generated.plan import KERNEL_PREFIX
from mlir_gs.execution.generated.text import reference
from mlir_gs.execution.generated.wrapper import SIZES_PREFIX, SYMBOL_PREFIX
from mlir_gs.execution.machine import host
from mlir_gs.execution.machine.cpu import ROUNDED_BY_CALLS
from mlir_gs.execution.signature.signature import CompileError, Entry
from mlir_gs.lowering.ir.builders import symbol
from mlir_gs.lowering.llvm.llvm_ops import append
from mlir_gs.lowering.llvm.lowered_ops import add_attributes, defined
from mlir_gs.lowering.passes.diagnostics import error_text

NATIVE = "native"


@dataclass(frozen=True)
class Kernel:
    """One function: its name in C, and what it takes and gives."""

    name: str
    entry: Entry


@dataclass(frozen=True)
class Options:
    """How to compile: `cpus` from the least to the most able, LLVM's names or `native`; threads
    (above 1 the code calls LLVM's OpenMP runtime); whether promises are checked; what functions are
    called before their names in C; the target, by default this machine's for `native`, else one of
    which only the architecture is known; LLVM's triple, if not for this machine."""

    cpus: tuple[str, ...]
    threads: int = 1
    sanitize: bool = False
    prefix: str = ""
    target: str | None = None
    triple: str | None = None


@dataclass(frozen=True)
class Compiled:
    """An object, its functions, whether it calls OpenMP, and the module that it was made of, in
    the LLVM dialect."""

    code: bytes
    kernels: tuple[Kernel, ...]
    parallel: bool
    module: Any
    triple: str | None = None

    def llvm_ir(self) -> str:
        """The module as LLVM IR text, for other compilers."""
        return _llvm_ir(self.module, self.triple)


def _llvm_ir(module: Any, triple: str | None) -> str:
    text = cross.readable(dialect("llvm").translate_module_to_llvmir(module.operation))
    return f'target triple = "{triple}"\n{text}' if triple else text


def default_cpus(triple: str | None = None) -> tuple[str, ...]:
    """What code that travels is compiled for if nothing else is said."""
    return ("x86-64-v3",) if cross.is_x86(triple) else ("generic",)


def exports(kernel: Kernel) -> list[str]:
    """The symbols that others see."""
    return [kernel.name, f"{kernel.name}_sizes", SYMBOL_PREFIX + kernel.name]


def compile_ahead(source: Any, entries: Sequence[str], options: Options) -> Compiled:
    """Compile functions of a module, which is not changed. Raises CompileError."""
    _check_cpus(options)
    names = _c_names(entries, options.prefix)
    with source.context, ir.Location.unknown():
        made = _Made(options)
        for entry_name, name in zip(entries, names, strict=True):
            with naming_ops(source):
                made.add(source, entry_name, name)
        return made.finish()


class _Made:
    """The module that grows to all of an object."""

    def __init__(self, options: Options) -> None:
        self.options = options
        self.module = ir.Module.create()
        self.kernels: list[Kernel] = []
        self.roots: set[str] = set()
        self.parallel = self.rounds = False
        self.levels = options.cpus[0] in LEVELS
        append(self.module, support.text("support"))
        if self.levels:
            append(self.module, support.text("cpu"))
        self.target = _target(options, options.cpus[0])
        self.is_x86 = cross.is_x86(options.triple)
        self._tune(self.module, options.cpus[0], self.target)

    def add(self, source: Any, entry_name: str, name: str) -> None:
        """Compile the function `entry_name` in all versions; C calls it `name`."""
        versions, entries = [], []
        for cpu in self.options.cpus:
            entry, contiguous = self._version(source, entry_name, name, cpu, strided=False)
            _, strided = self._version(source, entry_name, name, cpu, strided=True)
            versions.append((cpu, contiguous, strided))
            entries.append(entry)
        # They differ in machine code alone.
        entry = entries[0]
        kernel = Kernel(name, entry)
        call = f"{name}.call"
        wrappers = [wrapper for _, *pair in versions for wrapper in pair]
        # Arrays of any strides have the same sizes.
        sizes = wrappers[1].replace(SYMBOL_PREFIX, SIZES_PREFIX, 1)
        text = "".join(f"llvm.func {reference(one)}{_SIGNATURE}" for one in (*wrappers, sizes))
        text += _REPORT + _CPU_LEVEL * self.levels + dispatch_text(call, versions)
        added = ir.Module.parse(text + c_functions(entry, name, call, sizes))
        self._tune(added, self.options.cpus[0], self.target)
        _absorb(self.module, added, f".{name}", (*exports(kernel), call))
        self.kernels.append(kernel)

    def _version(
        self, source: Any, entry_name: str, name: str, cpu: str, strided: bool
    ) -> tuple[Entry, str]:
        module = copy_module(source)
        choose(module, entry_name)
        target = _target(self.options, cpu)
        text = pipeline_text(
            strided,
            self.options.threads,
            sanitize=self.options.sanitize,
            target=target,
            # A CPU by its level computes with f32 alone; LLVM knows what another one has.
            halves=None if cpu == NATIVE else cpu not in LEVELS,
            is_x86=self.is_x86,
            disable=("unoptimized-callers",),
        )
        found = lower(module, text, travels=True)
        self.parallel = self.parallel or found.parallel
        self.rounds = self.rounds or found.ops.rounded
        self._tune(module, cpu, target)
        suffix = f".{name}.{'strided' if strided else 'contiguous'}.{cpu}"
        _absorb(self.module, module, suffix)
        prefixes = (SYMBOL_PREFIX, SIZES_PREFIX, KERNEL_PREFIX)
        names = [f"{prefix}{entry_name}{suffix}" for prefix in prefixes]
        self.roots |= set(names)
        return found.entry, names[0]

    def finish(self) -> Compiled:
        """Machine code of it all."""
        pass_sink(self.module, self.roots, REDIRECTED)
        _link_within(self.module, {one for kernel in self.kernels for one in exports(kernel)})
        if not self.rounds:
            for op in list(self.module.body.operations):
                if symbol(op) in support.ROUNDING:
                    op.operation.erase()
        return Compiled(
            self._code(), tuple(self.kernels), self.parallel, self.module, self.options.triple
        )

    def _code(self) -> bytes:
        triple = self.options.triple
        if triple is not None:
            text = _llvm_ir(self.module, triple)
            return cross.object_code(text, triple, self.options.cpus[0])
        try:
            code = engine.travelling_code(self.module, self.kernels[0].name, self.parallel)
        except ir.MLIRError as error:
            raise CompileError(error_text(error)) from error
        # The engine's own entry points.
        return hide_symbols(code, "_mlir_")

    def _tune(self, module: Any, cpu: str, target: str) -> None:
        """Compile every function of `module` for a CPU."""
        if cpu == NATIVE:
            engine.tune_functions(module, builds_vectors=True, target=target)
            return
        pairs = {"target-cpu": cpu}
        if self.is_x86:
            pairs["target-features"] = f"{ROUNDED_BY_CALLS},+prefer-no-gather,+prefer-no-scatter"
        marks = [
            ir.ArrayAttr.get([ir.StringAttr.get(k), ir.StringAttr.get(v)]) for k, v in pairs.items()
        ]
        for function in defined(module):
            add_attributes(function, marks)


_SIGNATURE = "(!llvm.ptr, !llvm.ptr, i32, !llvm.ptr) -> i32\n"
_REPORT = "llvm.func @__gs_report(!llvm.ptr, !llvm.ptr, !llvm.ptr)\n"
_CPU_LEVEL = "llvm.func @__gs_cpu_level() -> i32\n"


def _check_cpus(options: Options) -> None:
    cpus, is_x86 = options.cpus, cross.is_x86(options.triple)
    if options.triple is not None and NATIVE in cpus:
        raise CompileError(f"{NATIVE} is the CPU of this machine, not of {options.triple}")
    if len(cpus) == 1:
        if is_x86 and cpus[0] != NATIVE and not is_known(cpus[0]):
            levels = ", ".join(LEVELS)
            raise CompileError(
                f"'{cpus[0]}': expected {NATIVE}, {levels}, or LLVM's name of an x86-64 CPU"
            )
        return
    known = [cpu for cpu in LEVELS if cpu in cpus]
    if not is_x86 or set(known) != set(cpus):
        raise CompileError(f"several CPUs: expected some of {', '.join(LEVELS)}")
    if known != list(cpus):
        raise CompileError(f"several CPUs: expected the order {','.join(known)}")


def _target(options: Options, cpu: str) -> str:
    """What the loops of the version for a CPU are made for. Raises CompileError."""
    if options.target is None and cpu != NATIVE:
        return host.portable(cross.is_x86(options.triple))
    return host.target(options.target)


def _c_names(entries: Sequence[str], prefix: str) -> list[str]:
    names = [re.sub(r"\W", "_", prefix + entry, flags=re.ASCII) for entry in entries]
    for number, name in enumerate(names):
        if name in names[:number]:
            raise CompileError(f"two functions would be called {name} in C")
        if not name or name[0].isdigit():
            raise CompileError(f"'{name}' is no name in C: give a prefix")
    return names


def _absorb(combined: Any, module: Any, suffix: str, kept: Sequence[str] = ()) -> None:
    """Move what `module` defines into `combined`, under names with a suffix; what it only
    declares is declared once."""
    present = {symbol(op) for op in combined.body.operations}
    operations = list(module.body.operations)
    for op in operations:
        name = symbol(op)
        if name and name not in kept and not _is_declaration(op.operation):
            ir.SymbolTable.replace_all_symbol_uses(name, name + suffix, module.operation)
            ir.SymbolTable.set_symbol_name(op, name + suffix)
    for op in operations:
        if not _is_declaration(op.operation) or symbol(op) not in present:
            combined.body.append(op)


def _is_declaration(op: Any) -> bool:
    return op.name == "llvm.func" and not len(op.regions[0].blocks)


def _link_within(module: Any, visible: set[str]) -> None:
    """Nothing but `visible` is seen from outside; tvm-ffi's functions may be missing."""
    internal = ir.Attribute.parse("#llvm.linkage<internal>")
    for op in module.body.operations:
        name = symbol(op)
        attributes = op.operation.attributes
        if name in support.ROUNDING:
            # LLVM calls them by name, after it has dropped what is not called.
            attributes["linkage"] = ir.Attribute.parse("#llvm.linkage<weak>")
            attributes["visibility_"] = ir.IntegerAttr.get(ir.IntegerType.get_signless(64), 1)
        elif _is_declaration(op.operation):
            if name.startswith(WEAK):
                attributes["linkage"] = ir.Attribute.parse("#llvm.linkage<extern_weak>")
        elif name and name not in visible and "linkage" in attributes:
            attributes["linkage"] = internal
