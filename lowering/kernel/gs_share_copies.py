"""`gs-share-copies`: each thread copies a range of the elements."""

from dataclasses import dataclass
from typing import Any, ClassVar

from mlir_gs.dialect._bindings import dialect, ir
from mlir_gs.lowering.ir.emit import (
    all_at_least,
    dynamic_and_static,
    either,
    memref,
    mul,
    sub,
    value,
)
from mlir_gs.lowering.kernel.attributes import kernel_of
from mlir_gs.lowering.op.body import bytes_of
from mlir_gs.lowering.op.compact import view
from mlir_gs.lowering.op.volume import elements_in
from mlir_gs.lowering.passes.registry import register_pass
from mlir_gs.lowering.scf.machine_options import MachineOptions
from mlir_gs.lowering.scf.policy import Policy
from mlir_gs.lowering.scf.strategy import unless_always
from mlir_gs.lowering.scf.targets import machine
from mlir_gs.lowering.scf.threads import SEQUENTIAL, in_parallel, share

linalg = dialect("linalg")

_NUMBERS = (ir.IntegerType, ir.IndexType, ir.FloatType, ir.ComplexType)


@register_pass
@dataclass(frozen=True)
class GsShareCopies(MachineOptions):
    """Let threads share each memref.copy that moves enough for that.

    before: `memref.copy %a, %b`
    after:  `scf.parallel (%t) = (0) to (threads) { linalg.copy of a range }`, or, where the size is
    not known, that and the copy under scf.if

    Applies to copies that a call of the kernel runs once, from and to memrefs whose elements lie in
    order. Does not apply to a kernel that is `gs.sequential`.
    """

    name: ClassVar[str] = "gs-share-copies"
    only_with: ClassVar[tuple[str, ...]] = ("memref.copy",)

    def run(self, module: ir.Operation) -> None:
        function = kernel_of(module)
        if function is None or self.threads == 1 or SEQUENTIAL in function.attributes:
            return
        policy = machine(self.target).policy(self.threads)
        for op in [op.operation for block in function.regions[0] for op in block]:
            if op.name == "memref.copy" and all(_is_range(each.type) for each in op.operands):
                with op.location, ir.InsertionPoint(op):
                    _share(op, policy)


def _is_range(type_: Any) -> bool:
    plain = type_ == ir.MemRefType.get(type_.shape, type_.element_type)
    return plain and type_.rank > 0 and isinstance(type_.element_type, _NUMBERS)


def _share(op: Any, policy: Policy) -> None:
    source, target = map(_flat, op.operands)
    size = elements_in(op.operands[1])
    element = bytes_of(target.type.element_type)
    pays = all_at_least([(mul(size, 2 * element), policy.serial_bytes)])
    if pays is False:
        return

    def part(number: Any) -> None:
        lower, upper = share(number, size, max(1, policy.line // element), policy.threads)
        length = value(sub(upper, lower))
        parts = [view(one, [value(lower)], [length]) for one in (source, target)]
        linalg.copy(parts[0], outs=parts[1:])

    def on_threads() -> None:
        in_parallel(policy.threads, part)

    either(unless_always(pays), on_threads, lambda: memref.copy(*op.operands))
    op.erase()


def _flat(array: Any) -> Any:
    given, known = dynamic_and_static([elements_in(array)])
    type_ = ir.MemRefType.get(known, array.type.element_type)
    return memref.reinterpret_cast(type_, array, [], given, [], [0], known, [1])
