"""`gs-describe-kernel`: what the function of a kernel takes, before passes change its types."""

from dataclasses import dataclass
from typing import Any, ClassVar

from mlir_gs.dialect._bindings import ir
from mlir_gs.lowering.kernel.attributes import (
    ARGUMENTS,
    UNSIGNED,
    WRITABLE,
    dictionaries,
    kernel_of,
    write,
)
from mlir_gs.lowering.kernel.gs_choose_kernel import argument_name
from mlir_gs.lowering.passes.registry import register_pass


@register_pass
@dataclass(frozen=True)
class GsDescribeKernel:
    """Write on the kernel what it takes: `gs.arguments`, with the types as they are.

    before: `func.func @f(%x: tensor<?xf32> {bufferization.writable = true}) attributes {gs.kernel}`
    after:  `... attributes {gs.arguments = [{donated, name = "x", type = tensor<?xf32>}], ...}`

    `donated`: a tensor that may be written. `memref`: the function takes memory, which it may share
    with other arguments. `unsigned`: integers that a front end has made signless. A kernel that is
    described stays as it is.
    """

    name: ClassVar[str] = "gs-describe-kernel"

    def run(self, module: ir.Operation) -> bool:
        function = kernel_of(module)
        if function is None or ARGUMENTS in function.attributes:
            return False
        arguments = function.regions[0].blocks[0].arguments
        marks = dictionaries(function, "arg_attrs", len(arguments))
        write(function, ARGUMENTS, map(_record, arguments, marks))
        return False


def _record(argument: Any, marks: dict[str, Any]) -> dict[str, Any]:
    name = argument_name(argument)
    return {
        "type": ir.TypeAttr.get(argument.type),
        "name": ir.StringAttr.get(name) if name else False,
        "donated": WRITABLE in marks and ir.BoolAttr(marks[WRITABLE]).value,
        "unsigned": UNSIGNED in marks,
        "memref": isinstance(argument.type, ir.MemRefType),
    }
