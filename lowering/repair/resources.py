"""Constants held as resources that LLVM's translation does not read."""

import re
from collections.abc import Sequence
from math import prod
from typing import Any

import numpy as np
from mlir_gs.dialect._bindings import ir
from mlir_gs.lowering.passes.registry import fail
from mlir_gs.lowering.repair.repairs import repairs

_HELD = {"arith.constant": "value", "memref.global": "initial_value"}
"""Which attribute holds the elements."""

_RESOURCE = re.compile(r"dense_resource<[^>]*>")
_BLOB = re.compile(r': "0x([0-9A-Fa-f]*)"')
_ALIGNMENT = 4
"""So many bytes come before the elements."""


def is_held_oddly(op: Any) -> bool:
    """Whether a constant or global holds a resource that is not there, or whose bytes are not those
    of an array that LLVM takes: without elements, of rank 0, of elements that are complex or no
    whole bytes."""
    type_ = _type(op)
    if not isinstance(type_, ir.ShapedType) or not _is_resource(op):
        return False
    element = type_.element_type
    is_there = "{-#" in op.operation.get_asm(large_resource_limit=0)
    if not is_there or isinstance(element, ir.ComplexType) or not type_.rank or 0 in type_.shape:
        return True
    # What has no width in the bindings, f80 and tf32, is in no array.
    return getattr(element, "width", 8) % 8 != 0


def _type(op: Any) -> Any:
    return op.results[0].type if op.name == "arith.constant" else op.attributes["type"].value


def _is_resource(op: Any) -> bool:
    name = _HELD[op.name]
    try:
        held = op.attributes.get(name)
    except TypeError:
        return False  # The bindings have no class for dense complex numbers.
    if held is None or isinstance(held, ir.DenseElementsAttr):
        return False
    # Nor one for resources that are parsed. Only their name is printed.
    return str(held).startswith("dense_resource<")


@repairs(*_HELD, where=is_held_oddly)
def odd_resource(op: Any) -> Sequence[ir.Value]:
    """Elements in a resource that is read byte by byte, where they are something else.

    before: `arith.constant dense_resource<r> : tensor<f32>`
    after:  `arith.constant dense<"0x..."> : tensor<f32>`

    Does not apply to other resources: they may be large.
    """
    alone = ir.Module.create()
    with ir.InsertionPoint(alone.body):
        op.operation.clone()
    text, _, blobs = alone.operation.get_asm(
        print_generic_op_form=True, enable_debug_info=True
    ).partition("{-#")
    type_ = _type(op)
    blob = _BLOB.search(blobs)
    count = prod(type_.shape)
    if blob is None and count:
        fail(op, f"'{op.name}' op has no data: the resource that it names is not there")
    data = bytes.fromhex(blob[1])[_ALIGNMENT:] if blob is not None and count else b""
    element = type_.element_type
    if element == ir.IntegerType.get_signless(1) and len(data) == -(-count // 8) != count:
        packed = np.frombuffer(data, np.uint8)
        data = np.unpackbits(packed, count=count, bitorder="little").tobytes()
    width = _bytes(element)
    if len(data) != count * width:
        fail(op, f"'{op.name}' op takes {count * width} bytes for {type_}, found {len(data)}")
    spelled = f'"0x{data.hex()}"' if data else ""
    held = ir.Module.parse(_RESOURCE.sub(lambda _: f"dense<{spelled}>", text, count=1))
    made = held.body.operations[0]
    made.detach_from_parent()
    ir.InsertionPoint(op).insert(made)
    return made.operation.results


def _bytes(element: Any) -> int:
    if isinstance(element, ir.ComplexType):
        return 2 * _bytes(element.element_type)
    return 8 if isinstance(element, ir.IndexType) else -(-getattr(element, "width", 128) // 8)
