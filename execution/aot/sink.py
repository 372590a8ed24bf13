"""The way of an error to its caller: one more argument down the calls.

before:  @call(%sink, ...) { call @check(%x) }
         @check(%x) { call @TVMFFIErrorSet...(%k, %m); call %kernel(%any, %y) }
after:   @call(%sink, ...) { call @check(%x, %sink) }
         @check(%x, %sink) { call @__gs_report(%k, %m, %sink); call %kernel(%sink, %y) }
"""

from collections.abc import Mapping
from typing import Any

from mlir_gs.dialect._bindings import dialect, ir
from mlir_gs.execution.rewrites.lowered_ops import defined, symbol
from mlir_gs.lowering.ir.builders import walk_named

llvm = dialect("llvm")


def pass_sink(module: Any, roots: set[str], redirected: Mapping[str, str]) -> None:
    """Rewrite `module`, in the LLVM dialect. The functions `roots`, and those that are called by
    their address, have the sink as their first argument; `redirected` are functions and what to
    call in their place, with the sink last."""
    functions = {symbol(op): op for op in defined(module)}
    own = set(redirected.values())
    calls = {name: _calls(op) for name, op in functions.items() if name not in own}
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
        for call, callee in calls[name]:
            if callee in takes and callee not in roots:
                _replace(call, redirected.get(callee, callee), sink)
        for call in walk_named(functions[name], "llvm.call"):
            if "callee" not in call.attributes:
                call.operands[1] = sink


def _calls(function: Any) -> list[tuple[Any, str]]:
    return [
        (op, op.attributes["callee"].value)
        for op in walk_named(function, "llvm.call")
        if "callee" in op.attributes
    ]


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


def _replace(call: Any, callee: str, sink: Any) -> None:
    kinds = [result.type for result in call.results]
    bundles = ir.DenseI32ArrayAttr.get([])
    target = ir.FlatSymbolRefAttr.get(callee)
    with ir.InsertionPoint(call), call.location:
        made = llvm.CallOp(
            kinds[0] if kinds else None, [*call.operands, sink], [], bundles, callee=target
        )
    for old, new in zip(call.results, made.operation.results, strict=True):
        old.replace_all_uses_with(new)
    call.erase()
