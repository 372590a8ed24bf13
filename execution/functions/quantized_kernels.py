"""The kernels of `quantized`: one `gs.generic` whose maps say where numbers and scales lie."""

from typing import Any

from mlir_gs import dialect as gs
from mlir_gs._texts import template
from mlir_gs.dialect._bindings import dialect, ir
from mlir_gs.execution.functions.quantized_forms import Ends, Form, Numbers

arith = dialect("arith")
math = dialect("math")
vector = dialect("vector")


def _widened(numbers: Numbers, byte: Any, shift: Any) -> Any:
    """The number as an i32, or as an f32 where it is a float."""
    i32, f32 = ir.IntegerType.get_signless(32), ir.F32Type.get()
    if numbers.bits == 8:
        if numbers.float:
            return arith.extf(f32, byte)
        return (arith.extsi if numbers.signed else arith.extui)(i32, byte)
    moved = arith.shrui(byte if byte.type == i32 else arith.extui(i32, byte), shift)
    if numbers.float:
        narrow = arith.trunci(ir.IntegerType.get_signless(numbers.bits), moved)
        return arith.extf(f32, arith.bitcast(ir.Type.parse(numbers.float), narrow))
    if not numbers.signed:
        return arith.andi(moved, arith.constant(i32, (1 << numbers.bits) - 1))
    rest = arith.constant(i32, 32 - numbers.bits)
    return arith.shrsi(arith.shli(moved, rest), rest)


def _place(ends: Ends, width: int) -> list[Any]:
    """Where the kernel reads it."""
    zero = ir.AffineConstantExpr.get(0)
    row = zero if ends.shared else ir.AffineSymbolExpr.get(0)
    block = ir.AffineExpr.get_floor_div(ir.AffineDimExpr.get(1), width // ends.blocks)
    return [row, block if ends.blocks > 1 else zero]


_FACTORS = """%by = memref.subview %factors[%first] [%size] [1]
      : memref<?xf32> to memref<?xf32, {strided}>"""


def module(form: Form) -> Any:
    width = form.width
    parts = {
        "i": form.coordinate,
        "out": f"memref<?x{width}x{form.result}>",
        "row": f"memref<{width}x{form.result}, strided<[1], offset: ?>>",
        "strided": "strided<[1], offset: ?>",
        "columns": width,
        "table": f"memref<?x{width // form.per_word}x{form.memory}, strided<[?, 1]>>",
    }
    parts["factors"] = _FACTORS.format(**parts) if form.weighted else ""
    ends = [each for each in (form.scales, form.zeros, form.biases) if each is not None]
    arguments = [f"%data: {parts['table']}"]
    arguments += [
        f"%end{n}: memref<?x{each.blocks}x{each.element}, strided<[?, 1]>>"
        for n, each in enumerate(ends)
    ]
    arguments += ["%factors: memref<?xf32>"] * form.weighted
    arguments += [f"%rows: memref<?x{form.coordinate}>"]
    arguments += [f"%starts: memref<?x{form.coordinate}>"] * form.bags
    arguments += [f"%result: {parts['out']}"]
    shifts = f"memref<{form.per_word}xi32>"
    text = f"""
memref.global "private" constant @shifts : {shifts} = dense<{form.shifts}>
func.func @f({", ".join(arguments)}) {{
  %shifts = memref.get_global @shifts : {shifts}
  {template(__file__, "mlir/quantized_rows.mlir").substitute(parts)}
  {template(__file__, "mlir/quantized_bags.mlir").substitute(parts) if form.bags else ""}
  return
}}"""
    module = ir.Module.parse(text)
    entry = module.body.operations[1].regions[0].blocks[0]
    given = dict(zip((a.split(":")[0] for a in arguments), entry.arguments, strict=True))
    given["%shifts"] = entry.operations[0].results[0]
    block, last = entry, entry.operations[len(entry.operations) - 1]
    if form.bags:
        loop = next(op for op in entry.operations if op.operation.name == "scf.parallel")
        block = loop.regions[0].blocks[0]
        views = [op.results[0] for op in block.operations if "subview" in op.operation.name]
        given.update(zip(("%result", "%rows", "%factors"), views, strict=False))
        last = block.operations[len(block.operations) - 1]
    with ir.InsertionPoint(last):
        _rows(form, given, len(ends))
        if form.word:
            _in_order(form, given["%result"])
    return module


def _in_order(form: Form, row: Any) -> None:
    """The first numbers of all words, then the second ones, as the numbers lie in the words:
    what is in one half goes between what is in the other, for each bit of their places."""
    zero = arith.constant(ir.IndexType.get(), 0)
    found = vector.load(ir.VectorType.get([form.width], ir.F32Type.get()), row, [zero])
    half = form.width // 2
    order = [
        place for pair in zip(range(half), range(half, form.width), strict=True) for place in pair
    ]
    for _ in range(form.per_word.bit_length() - 1):
        found = vector.shuffle(found, found, order)
    vector.store(found, row, [zero])


def _rows(form: Form, given: dict[str, Any], ends: int) -> None:
    """result[d0 or nothing, d1] of the row that d0 names."""
    numbers = form.numbers
    is_packed = numbers.per_byte > 1
    arrays = [each for each in (form.scales, form.zeros, form.biases) if each is not None]
    k, j, row = ir.AffineDimExpr.get(0), ir.AffineDimExpr.get(1), ir.AffineSymbolExpr.get(0)
    words = form.width // form.per_word
    if form.word:
        places = [[row, ir.AffineExpr.get_mod(j, words)]]
    else:
        places = [[row, ir.AffineExpr.get_floor_div(j, numbers.per_byte) if is_packed else j]]
    names = ["%data", *(f"%end{n}" for n in range(ends))]
    places += [_place(each, form.width) for each in arrays]
    if is_packed:
        names.append("%shifts")
        shift = ir.AffineExpr.get_floor_div(j, words) if form.word else None
        places.append([shift or ir.AffineExpr.get_mod(j, numbers.per_byte)])
    if form.weighted:
        names.append("%factors")
        places.append([k])
    places.append([j] if form.bags else [k, j])

    def body(*elements: Any) -> Any:
        return _element(form, list(elements))

    gs.generic(
        [given[name] for name in names],
        [given["%rows"]],
        [given["%result"]],
        indexing_maps=[ir.AffineMap.get(2, 1, place) for place in places],
        coordinate_maps=[[ir.AffineMap.get(2, 1, [k])]],
        iterator_types=["reduction" if form.bags else "parallel", "parallel"],
        body=body,
    )


def _element(form: Form, elements: list[Any]) -> Any:
    numbers, f32 = form.numbers, ir.F32Type.get()
    byte, scale, *rest, current = elements
    zero = rest.pop(0) if form.zeros is not None else None
    bias = _float(rest.pop(0)) if form.biases is not None else None
    number = _widened(numbers, byte, rest.pop(0) if numbers.per_byte > 1 else None)
    factor = rest.pop(0) if form.weighted else None
    scale = _float(scale)
    if zero is not None and zero.type == number.type:
        number = (arith.subf if number.type == f32 else arith.subi)(number, zero)
        zero = None
    if number.type != f32:
        number = arith.sitofp(f32, number)
    if zero is not None:
        number = arith.subf(number, zero if zero.type == f32 else arith.sitofp(f32, zero))
    if factor is not None:
        scale = arith.mulf(factor, scale)
        bias = None if bias is None else arith.mulf(factor, bias)
    if form.bags:
        base = current if bias is None else arith.addf(current, bias)
        return math.fma(scale, number, base)
    value = arith.mulf(number, scale) if bias is None else math.fma(scale, number, bias)
    return value if form.result == "f32" else arith.truncf(ir.Type.parse(form.result), value)


def _float(value: Any) -> Any:
    return value if isinstance(value.type, ir.F32Type) else arith.extf(ir.F32Type.get(), value)
