"""Columns of what is computed element by element, such as the coordinates of points in `[n, 3]`."""

from math import inf, prod

from mlir_gs.dialect._bindings import ir
from mlir_gs.lowering.fuse.equal_sizes import token
from mlir_gs.lowering.fuse.loops import LOOPS, Loops, of_linalg
from mlir_gs.lowering.fuse.views import VIEWS
from mlir_gs.lowering.ir.affine_rewrites import Exprs, constant, identity, replace
from mlir_gs.lowering.ir.builders import producer, tensor, walk_named


class Columns:
    """Elementwise results of which only columns of one shape are read, by loops of no more points:
    nothing is computed more often where each column is computed alone.

    `shapes` says which columns: the dim that they lie in, and their shape. `taken` says where in
    such a result a column lies.
    """

    def __init__(self, module: ir.Operation) -> None:
        self.shapes: dict[ir.Value | None, tuple[int, ...]] = {}
        self.taken: dict[ir.Value, Exprs] = {}
        # The most points of loops that read what an op gives. Unknown sizes are huge.
        points: dict[ir.Value | None, float] = {}
        for op in reversed(walk_named(module, *LOOPS, *VIEWS)):
            users = [use.owner.operation for result in op.results for use in result.uses]
            after = [points.get(token(u), 0) if u.block == op.block else inf for u in users]
            points[token(op)] = max(after, default=0)
            if op.name != "linalg.generic":
                continue
            sizes = [abs(prod(v.type.shape)) for v in op.operands if hasattr(v.type, "shape")]
            points[token(op)] = max([*after, *sizes])
            block, columns = op.regions[0].blocks[0], [self._read(user, op) for user in users]
            loops, shapes = of_linalg(op, block), {shape for shape, _ in columns}
            moved = [n for n, (_, exprs) in zip(after, columns, strict=True) if exprs]
            if (
                loops is not None
                and [write.exprs for write in loops.writes] == [identity(loops.rank)]
                and not list(block.arguments[len(op.operands) - 1].uses)
                and len(shapes) == 1
                and (shape := shapes.pop())
                and max(moved, default=0) <= prod(shape[1:])
            ):
                self.shapes[token(op)] = shape
                given = zip(users, columns, strict=True)
                self.taken |= {user.results[0]: exprs for user, (_, exprs) in given if exprs}

    def _read(self, user: ir.Operation, op: ir.Operation) -> tuple[tuple[int, ...], Exprs]:
        """The shape of the columns of `op` that `user` reads, and where they lie if it is one."""
        if user.block != op.block:
            return (), ()
        if user.name != "linalg.generic":
            return _column(user) if user.operands[0] == op.results[0] else ((), ())
        same = ir.AffineMap.get_identity(op.results[0].type.rank)
        maps = zip(user.operands, user.attributes["indexing_maps"], strict=True)
        alike = all(map_.value == same for value, map_ in maps if value == op.results[0])
        return self.shapes.get(token(user), ()) if alike else (), ()

    def split(self, points: int) -> None:
        """Compute each column of so many elements alone."""
        done: dict[tuple[ir.Value | None, Exprs], ir.Value] = {}
        for value in list(self.taken):
            op = producer(value.owner.operands[0])
            assert op is not None
            if prod(value.type.shape) == points:
                value.replace_all_uses_with(self._computed(op, self.taken.pop(value), done))

    def _computed(
        self, op: ir.Operation, exprs: Exprs, done: dict[tuple[ir.Value | None, Exprs], ir.Value]
    ) -> ir.Value:
        """The column of `op` that lies at `exprs`, computed from columns of what is in columns."""
        pending = [op]
        while pending:
            made = [producer(value) for value in pending[-1].operands]
            first = [one for one in made if one is not None and token(one) in self.shapes]
            first = [one for one in first if (token(one), exprs) not in done]
            if first:
                pending += first
                continue
            last = pending.pop()
            if (token(last), exprs) not in done:
                done[token(last), exprs] = self._copied(last, exprs, done)
        return done[token(op), exprs]

    def _copied(
        self, op: ir.Operation, exprs: Exprs, done: dict[tuple[ir.Value | None, Exprs], ir.Value]
    ) -> ir.Value:
        """The column of `op` that lies at `exprs`, from columns in `done`."""
        (_, *shape), maps = self.shapes[token(op)], []
        new, last = op.clone(ip=ir.InsertionPoint(op)), len(op.operands) - 1
        with op.location, ir.InsertionPoint(new):
            new.operands[last] = tensor.empty(shape, op.results[0].type.element_type)
        for n, map_ in enumerate(op.attributes["indexing_maps"]):
            made, at = producer(new.operands[n]), identity(len(shape))
            if made is not None and token(made) in self.shapes:
                new.operands[n] = done[token(made), exprs]
            elif n < last:
                at = tuple(replace(expr, exprs, []) for expr in map_.value.results)
            maps.append(ir.AffineMapAttr.get(ir.AffineMap.get(len(shape), 0, list(at))))
        kinds = list(op.attributes["iterator_types"])[: len(shape)]
        new.attributes["indexing_maps"] = ir.ArrayAttr.get(maps)
        new.attributes["iterator_types"] = ir.ArrayAttr.get(kinds)
        new.results[0].set_type(new.operands[last].type)
        return new.results[0]


def _column(op: ir.Operation) -> tuple[tuple[int, ...], Exprs]:
    """The dim of which `op` takes one place of several, and all of the others, its shape, and
    where its elements lie; nothing of other ops than such slices of static sizes."""
    loops = Loops.of(op) if op.name == "gs.generic" else None
    if loops is None or len(op.operands) != 2 or len(loops.reads) != 1:
        return (), ()
    (read,), (write,) = loops.reads, loops.writes
    source, result = read.value.type, write.value.type
    moves = loops.yields == list(read.args) and write.exprs == identity(loops.rank)
    if not (moves and source.has_static_shape and result.has_static_shape):
        return (), ()
    dims = [constant(0) if n == 1 else d for n, d in zip(result.shape, write.exprs, strict=True)]
    exprs = tuple(replace(expr, dims, []) for expr in read.exprs)
    fixed = [isinstance(expr, ir.AffineConstantExpr) for expr in exprs]
    taken = [n for n, size in enumerate(source.shape) if size != 1 and fixed[n]]
    moving = [(e, n) for e, n, at in zip(exprs, source.shape, fixed, strict=True) if not at]
    given = [(d, n) for d, n in zip(dims, result.shape, strict=True) if n != 1]
    is_column = len(taken) == 1 and moving == given and result.rank <= source.rank
    return ((taken[0], *result.shape), exprs) if is_column else ((), ())
