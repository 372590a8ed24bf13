"""The kernels that measure a machine: what loops of ours do, one thing at a time."""

_LANES = range(8)
_VECTOR = "vector<16xf32>"


def _loop(body: list[str], carried: bool) -> str:
    """A loop over all of %a, 8 vectors at a time, that runs `body`, and sums %v of each lane where
    they are `carried`."""
    lines = []
    for k in _LANES:
        lines += [
            f"    %o{k} = arith.constant {16 * k} : index",
            f"    %i{k} = arith.addi %i, %o{k} : index",
            *(line.replace("#", str(k)) for line in body),
        ]
    if not carried:
        return "  scf.for %i = %c0 to %n step %step {\n" + "\n".join(lines) + "\n  }\n"
    types = ", ".join([_VECTOR] * len(_LANES))
    given = ", ".join(f"%x{k} = %zero" for k in _LANES)
    sums = ", ".join(f"%w{k}" for k in _LANES)
    ends = "".join(
        f"  %at{k} = arith.constant {16 * k} : index\n"
        f"  vector.store %s#{k}, %b[%at{k}] : memref<?xf32>, {_VECTOR}\n"
        for k in _LANES
    )
    return (
        f"  %s:8 = scf.for %i = %c0 to %n step %step iter_args({given}) -> ({types}) {{\n"
        + "\n".join(lines)
        + f"\n    scf.yield {sums} : {types}\n  }}\n{ends}"
    )


def _in_order(body: list[str], carried: bool = False) -> str:
    return f"""
func.func @in_order(%a: memref<?xf32>, %b: memref<?xf32>) {{
  %c0 = arith.constant 0 : index
  %step = arith.constant 128 : index
  %zero = arith.constant dense<0.0> : {_VECTOR}
  %n = memref.dim %a, %c0 : memref<?xf32>
{_loop(body, carried)}  return
}}
"""


READ = _in_order(
    [
        f"    %v# = vector.load %a[%i#] : memref<?xf32>, {_VECTOR}",
        f"    %w# = arith.addf %x#, %v# : {_VECTOR}",
    ],
    carried=True,
)
_LOAD = f"    %v# = vector.load %a[%i#] : memref<?xf32>, {_VECTOR}"
COPY = _in_order([_LOAD, f"    vector.store %v#, %b[%i#] : memref<?xf32>, {_VECTOR}"])
STREAM = _in_order(
    [
        _LOAD,
        "    vector.store %v#, %b[%i#] {alignment = 64 : i64, nontemporal = true}"
        f" : memref<?xf32>, {_VECTOR}",
    ]
)
