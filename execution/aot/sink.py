"""The way of an error to its caller: one more argument down the calls.

before:  @kernel(%sink, ...) { call @rows(%x) }
         @rows(%x) { call @__gs_set_error(%k, %m); call %function(%any, %y) }
after:   @kernel(%sink, ...) { call @rows(%x, %sink) }
         @rows(%x, %sink) { call @__gs_report(%k, %m, %sink); call %function(%sink, %y) }
"""

from collections.abc import Mapping
from typing import Any

from mlir_gs.dialect._bindings import ir
from mlir_gs.lowering.ir.builders import callee_of, symbol, walk_named
from mlir_gs.lowering.llvm.llvm_ops import call
from mlir_gs.lowering.llvm.lowered_ops import defined


def pass_sink(module: Any, roots: set[str], redirected: Mapping[str, str]) -> None:
    """Rewrite `module`, in the LLVM dialect. The functions `roots`, and those that are called by
    their address, have the sink as their first argument; `redirected` are functions and what to
    call in their place, with the sink last."""
    functions = {symbol(op): op for op in defined(module)}
    own = set(redirected.values())
    calls = {
        name: [(call, callee_of(call)) for call in walk_named(op, "llvm.call")]
        for name, op in functions.items()
        if name not in own
    }
    takes = set(redirected)
    grown = True
    while grown:
        found = {
            name
            for name, made in calls.items()
            if any(callee in takes and callee not in roots for _, callee in made)
        }
        grown = not found <= takes
        takes |= found
    sinks = {}
    for name in sorted((takes - set(redirected)) & set(calls)):
        first = functions[name].regions[0].blocks[0]
        sinks[name] = first.arguments[0] if name in roots else _add_argument(functions[name])
    for name, sink in sinks.items():
        for op, callee in calls[name]:
            if callee in takes and callee not in roots:
                _replace(op, redirected.get(callee, callee), sink)
            elif not callee:
                op.operands[1] = sink


def _add_argument(function: Any) -> Any:
    first = function.regions[0].blocks[0]
    argument = first.add_argument(ir.Type.parse("!llvm.ptr"), function.location)
    inputs = ", ".join(str(one.type) for one in first.arguments)
    old = str(function.attributes["function_type"].value)
    result = old.removeprefix("!llvm.func<").partition(" (")[0]
    function.attributes["function_type"] = ir.TypeAttr.get(
        ir.Type.parse(f"!llvm.func<{result} ({inputs})>")
    )
    if "arg_attrs" in function.attributes:
        marks = [*function.attributes["arg_attrs"], ir.DictAttr.get({})]
        function.attributes["arg_attrs"] = ir.ArrayAttr.get(marks)
    return argument


def _replace(op: Any, callee: str, sink: Any) -> None:
    kind = op.results[0].type if op.results else None
    with ir.InsertionPoint(op), op.location:
        made = call(callee, [*op.operands, sink], kind)
    if made is not None:
        op.results[0].replace_all_uses_with(made)
    op.erase()
