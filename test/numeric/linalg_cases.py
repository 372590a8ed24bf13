"""Programs that linalg's rules are hard on: sizes that no map of an operand says, outputs that
nothing or not all is written of."""

from collections.abc import Sequence

import ml_dtypes
import numpy as np
from program import Program


def _generic(
    types: Sequence[str],
    groups: tuple[int, int, int],
    maps: Sequence[str],
    coordinates: Sequence[str],
    iterators: Sequence[str],
    body: str,
    more: str = "",
) -> str:
    """A function of one gs.generic: `types` of inputs, indices and outputs, so many of each."""
    taken = [
        int(slot < count)
        for count, most in zip(groups, (8, 8, 4), strict=True)
        for slot in range(most)
    ]
    outs = types[groups[0] + groups[1] :]
    results = [int(slot < len(outs)) for slot in range(4)]
    names = ", ".join(f"%a{n}" for n in range(len(types)))
    signature = ", ".join(f"%a{n}: {type_}" for n, type_ in enumerate(types))
    returned = ", ".join(f"%r#{n}" for n in range(len(outs)))
    kinds = ", ".join(f'"{kind}"' for kind in iterators)
    return (
        f"func.func @f({signature}) -> ({', '.join(outs)}) {{\n"
        f'  %r:{len(outs)} = "gs.generic"({names}) ({{\n{body}  }}) {{\n'
        f"    indexing_maps = [{', '.join(f'affine_map<{m}>' for m in maps)}],\n"
        f"    coordinate_maps = [{', '.join(f'[affine_map<{m}>]' for m in coordinates)}],\n"
        f"    iterator_types = [{kinds}],{more}\n"
        f"    operandSegmentSizes = array<i32: {', '.join(map(str, taken))}>,\n"
        f"    resultSegmentSizes = array<i32: {', '.join(map(str, results))}>\n"
        f"  }} : ({', '.join(types)}) -> ({', '.join(outs)})\n"
        f"  return {returned} : {', '.join(outs)}\n}}\n"
    )


def _body(element: str, other: str, compute: str, yielded: str) -> str:
    return (
        f"  ^bb0(%a: {element}, %o: {other}):\n{compute}"
        f'    "gs.yield"(%{yielded}) : ({other}) -> ()\n'
    )


def _program(label: str, text: str, *arguments: np.ndarray, moves: bool = False) -> Program:
    return Program("gs.generic", label, text, arguments, lambda: (), moves)


def _ramp(*shape: int, dtype: type = np.float32) -> np.ndarray:
    return (np.arange(np.prod(shape, dtype=int)) + 1).reshape(shape).astype(dtype)


def larger_outputs() -> list[Program]:
    """Outputs that are larger than the iteration space, with sizes known or not."""
    body = _body("i64", "f32", "", "o")
    text = _generic(
        ["tensor<?xi64>", "tensor<?xf32>"], (1, 0, 1),
        ["(d0) -> (d0)"] * 2, [], ["parallel"], body,
    )  # fmt: skip
    scaled = _body("f32", "f32", "    %s = arith.mulf %o, %a : f32\n", "s")
    both = ["(d0, d1) -> (d0, d1)"] * 2
    found = [_program("read only", text, _ramp(n, dtype=np.int64), _ramp(m))
             for n, m in ((3, 5), (5, 3), (0, 5), (5, 0))]  # fmt: skip
    for types in (("tensor<?x?xf32>",) * 2, ("tensor<2x3xf32>", "tensor<?x?xf32>"),
                  ("tensor<?x3xf32>", "tensor<?x4xf32>")):  # fmt: skip
        text = _generic(types, (1, 0, 1), both, [], ["parallel"] * 2, scaled)
        found.append(_program("scaled", text, _ramp(2, 3), _ramp(5, 4)))
    return found


def sizes_of_gathered_operands() -> list[Program]:
    """A dim that only an operand has which is read at coordinates."""
    total = _body("f32", "f32", "    %s = arith.addf %o, %a : f32\n", "s")
    text = _generic(
        ["tensor<4x?xf32>", "tensor<?xi64>", "tensor<f32>"], (1, 1, 1),
        ["(d0, d1)[s0] -> (s0, d1)", "(d0, d1)[s0] -> ()"], ["(d0, d1)[s0] -> (d0)"],
        ["reduction"] * 2, total,
    )  # fmt: skip
    places = np.array([3, 0, 3], np.int64)
    return [
        _program("rows", text, _ramp(4, n), places[:m], _ramp())
        for n, m in ((5, 3), (0, 3), (5, 0), (1, 1))
    ]


def empty_sums() -> list[Program]:
    """Reductions over a dim that may have no elements, with bodies that upstream might fold to
    ones that do not read the output."""
    bodies = {
        "last": _body("i32", "i32", "", "a"),
        "absorbed": _body("i32", "i32", "    %z = arith.constant 0 : i32\n"
                          "    %s = arith.muli %o, %z : i32\n", "s"),
        "difference": _body("i32", "i32", "    %s = arith.subi %o, %o : i32\n"
                            "    %t = arith.addi %s, %a : i32\n", "t"),
        "sum": _body("i32", "i32", "    %s = arith.addi %o, %a : i32\n", "s"),
    }  # fmt: skip
    return [
        _program(
            name,
            _generic(
                [f"tensor<{'?' if size == 'dynamic' else n}x4xi32>", "tensor<4xi32>"], (1, 0, 1),
                ["(d0, d1) -> (d0, d1)", "(d0, d1) -> (d1)"], [], ["reduction", "parallel"], body,
            ),
            _ramp(n, 4, dtype=np.int32),
            _ramp(4, dtype=np.int32),
        )
        for name, body in bodies.items()
        for size in ("dynamic", "static")
        for n in (0, 1, 3)
    ]  # fmt: skip


def zero_sizes() -> list[Program]:
    """Static sizes of 0, which upstream's slices refuse."""
    moved = _body("f32", "f32", "", "a")
    empty = _generic(
        ["tensor<?xf32>", "tensor<17x0xf32>"], (1, 0, 1),
        ["(d0, d1) -> (d0)", "(d0, d1) -> (d0, d1)"], [], ["parallel"] * 2, moved,
    )  # fmt: skip
    constant = _generic(
        ["tensor<?x0xf32>", "tensor<?xf32>"], (1, 0, 1),
        ["(d0) -> (d0, 0)", "(d0) -> (d0)"], [], ["parallel"], moved,
    )  # fmt: skip
    return [
        _program("no columns", empty, _ramp(3), _ramp(17, 0), moves=True),
        _program("a constant place in none", constant, _ramp(0, 0), _ramp(5), moves=True),
    ]


def unsigned_outputs() -> list[Program]:
    """Several outputs of integers with a sign, some points of which are dropped."""
    found = []
    for element, dtype in (("ui8", np.uint8), ("si16", np.int16), ("ui64", np.uint64)):
        body = (
            f"  ^bb0(%a: {element}, %o: {element}, %p: {element}):\n"
            f'    "gs.yield"(%a, %o) : ({element}, {element}) -> ()\n'
        )
        text = _generic(
            [f"tensor<?x{element}>", "tensor<?xi64>", *[f"tensor<?x{element}>"] * 2], (1, 1, 2),
            ["(d0)[s0] -> (d0)", "(d0)[s0] -> (s0)", "(d0)[s0] -> (s0)"], ["(d0)[s0] -> (d0)"],
            ["reduction"], body, ' modes = ["fill_or_drop"],',
        )  # fmt: skip
        places = np.array([2, -1, 9, 0], np.int64)
        arrays = (_ramp(4, dtype=dtype), places, _ramp(3, dtype=dtype), _ramp(5, dtype=dtype))
        found.append(_program(element, text, *arrays, moves=True))
    return found


def denormals() -> list[Program]:
    """Small floats that branches carry: AVX512-BF16 rounds no denormal to itself."""
    found = []
    for element, dtype in (
        ("bf16", ml_dtypes.bfloat16),
        ("complex<bf16>", ml_dtypes.bcomplex32),
        ("f16", np.float16),
    ):
        text = _generic(
            [f"tensor<?x{element}>", "tensor<?xi64>", f"tensor<?x{element}>"], (1, 1, 1),
            ["(d0)[s0] -> (s0)", "(d0)[s0] -> (d0)"], ["(d0)[s0] -> (d0)"], ["parallel"],
            _body(element, element, "", "a"), ' modes = ["fill_or_drop"],',
        )  # fmt: skip
        words = np.dtype(dtype).itemsize // 2
        least = np.arange(1, 1 + 99 * words, dtype=np.uint16).view(dtype)
        places = np.arange(-5, 105, dtype=np.int64)
        found.append(_program(element, text, least, places, least[places % 99], moves=True))
    return found


def all_cases() -> list[Program]:
    return [
        *larger_outputs(),
        *sizes_of_gathered_operands(),
        *empty_sums(),
        *zero_sizes(),
        *unsigned_outputs(),
        *denormals(),
    ]
