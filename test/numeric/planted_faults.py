"""Random programs with coordinates spoilt at random: what breaks a promise, and what does not."""

from dataclasses import dataclass

import numpy as np
from draw import Draw, chance
from harness import parsed
from mlir_gs.dialect._bindings import ir
from mlir_gs.dialect.reference import run as reference_run
from mlir_gs.dialect.reference.coordinates import CoordinateError, UndefinedBehavior
from mlir_gs.dialect.structure import groups
from program import Program
from random_programs import OPS, any_program

# The op, of `gs`, that a program is about, and which of its operands are coordinates.
_COORDINATES = {
    "gs.gather": (1,),
    "gs.gather_elements": (1,),
    "gs.scatter": (2,),
    "gs.scatter_elements": (2,),
    "gs.histogram": (1,),
}


@dataclass(frozen=True)
class Spoilt:
    """A program, with arguments that may break what it promises.

    `broken`: the reference's complaint, empty if there is none. `place`: line and column of the
    op. `results`: the reference's results, if there is no complaint; else `left` are the arguments
    as they have to be left, which an op before may have filled.
    """

    program: Program
    arguments: tuple[np.ndarray, ...]
    broken: str
    place: str
    results: tuple[np.ndarray, ...]
    left: tuple[np.ndarray, ...] = ()


def spoilt_program(draw: Draw, ops: tuple[str, ...] = OPS) -> Spoilt:
    """A random program whose coordinates are changed in one to three places, or not at all."""
    program = any_program(draw, ops)
    module = parsed([program])
    op = _op(module)
    arguments = [argument.copy() for argument in program.arguments]
    if op.name == "gs.generic":
        operands = groups(op.opview)[1]
    else:
        operands = [op.operands[n] for n in _COORDINATES.get(op.name, ())]
    for operand in operands:
        if not isinstance(operand.owner, ir.Block):
            continue  # a constant
        number = ir.BlockArgument(operand).arg_number
        if not arguments[number].size or chance(draw, 5):
            continue
        for _ in range(draw.integer(1, 3)):
            _spoil(draw, arguments[number])
    place = str(op.location).rsplit('"', 1)[-1].strip(":()")
    given = [argument.copy() for argument in arguments]
    try:
        results = reference_run.run(module, program.name, given)
        results = results or tuple(given[n] for n in program.written)
    except (CoordinateError, UndefinedBehavior) as error:
        filled = program.written if "linalg.fill" in program.text else ()
        left = (np.ones_like(a) if n in filled else a for n, a in enumerate(arguments))
        return Spoilt(program, tuple(arguments), str(error), place, (), tuple(left))
    return Spoilt(program, tuple(arguments), "", place, results)


def _op(module):
    function = module.body.operations[0]
    for view in function.regions[0].blocks[0].operations:
        if view.operation.name.startswith("gs."):
            return view.operation
    raise AssertionError("a program is about one op of gs")


def _spoil(draw: Draw, array: np.ndarray) -> None:
    """Change one element, or make one like another."""
    flat = array.reshape(-1)
    here, there = draw.integer(0, flat.size - 1), draw.integer(0, flat.size - 1)
    if chance(draw, 2):
        flat[here] = flat[there]
        return
    number = draw.integer(-2, 7)
    if array.dtype.kind == "b" or number >= 0:
        limit = np.iinfo(array.dtype).max if array.dtype.kind in "iu" else 1
        flat[here] = min(number % 8, limit)
    elif array.dtype.kind == "i":
        flat[here] = number
