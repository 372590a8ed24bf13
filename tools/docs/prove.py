"""`docs/prove.md`: how rewrites are proved, what is, and in what order points may run."""

from pathlib import Path

_FILES = Path(__file__).parents[2] / "test" / "prove" / "Inputs" / "patterns"

_INTRODUCTION = """\
# Proofs

`gs-prove` shows that one function may stand for another, for all sizes, coordinates and contents.
Or it shows arguments for which the two differ. It needs the solver Z3: `pip install
z3-solver`.

A clamp that is dropped:

<!-- needs: z3 -->
```sh
cat > before.mlir <<'EOF'
func.func @f(%x: tensor<?xf32>, %i: tensor<?x1xi32>) -> tensor<?xf32> {
  %r = "gs.gather"(%x, %i) {gather_dims = array<i64: 0>, mode = "clip"}
      : (tensor<?xf32>, tensor<?x1xi32>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}
EOF
sed 's/, mode = "clip"//' before.mlir > after.mlir
gs-prove before.mlir after.mlir || true
gs-prove before.mlir before.mlir
gs-prove --pass=gs-generalize before.mlir
```

The first call prints arguments that were run on both functions:

```text
@f: refuted by these arguments:
  argument 0: float32[1] [2.]
  argument 1: int32[1, 1] [[1]]
  before, result 0: float32[1] [2.]
  after: no meaning: ... coordinate 1 is out of bounds for size 1 under promise_in_bounds
```

`gs-opt --prove` does this after each pass, and fails where one is refuted. With `fail-on-unknown`
it fails as well where one is neither proved nor refuted:

<!-- needs: z3 -->
```sh
gs-opt --prove=timeout=20,fail-on-unknown examples/sums.mlir --gs-generalize -o after.mlir
```

| flag of `gs-prove` | |
| --- | --- |
| `--timeout SECONDS` | all work on one function ends in that time (10) |
| `--save-counterexample DIR` | writes the arguments as `.npy` files, and prints the call of \
`gs-run` that takes them |
| `--dump-smt DIR` | writes what could not be shown as SMT-LIB, for another solver |
| `--load FILE` | runs a Python file first: the meaning of an op of yours is its `structure()` |

## What the answers mean

| answer | exit code | means |
| --- | --- | --- |
| proved | 0 | there are no arguments for which the result is wrong |
| refuted | 1 | the arguments that are shown give other results in the reference, or a public \
function is gone |
| unknown | 2 | neither was found within `--timeout`; the line says what could not be shown |

`after` may stand for `before` if this holds wherever `before` has a meaning: `after` has one too;
it reports an error exactly where `before` does; else its results have the same sizes and the same
bits. Where a promise of `before` is broken, or its sizes do not fit, `after` may do anything. Where
one element of `before` is poison, that element of `after` may be anything.

| | covered by a proof | not covered |
| --- | --- | --- |
| sizes | all that the types allow, below 2^62 | |
| contents | all numbers, NaN, infinities, -0 | which bits a NaN has |
| undefined behaviour | division by zero, accesses out of bounds, broken promises, branches on \
poison, use of freed memory | \
what is assumed of calls to functions without a body: both are the same text |
| poison | nsw, nuw, nneg, exact, wide shifts, fptosi, nnan, ninf: per element | |
| fast-math | a flag of `before` may be dropped, and sums with `reassoc` may change their order \
| other rewrites that reassoc, contract, arcp, nsz and afn allow |
| errors | reported by both or by neither | the text of the error |
| control flow | calls, scf.if, scf.for, tiles in scf.forall | blocks and branches between them, \
scf.while, recursion |
| memory | loads, stores, views, copies, and what arguments hold in the end | arguments that \
overlap; whether a result shares memory with an argument; leaks |
| attributes of arguments | `after` promises nothing that `before` does not | |
| threads, vectors | | scf.parallel, omp, vector: unknown |
| source languages | tensor.gather and tensor.scatter | TOSA, StableHLO, Torch and tcp are read \
by the conversion that is proved against them: it is trusted |
| time | | how fast either is |

## How it works

**One element is enough.** Take a gather, and any index p of its result. Both functions say which
element of which argument stands at p. Z3 looks for sizes, contents and a p for which these differ.
If it shows that there are none, the results are equal everywhere.

**A scatter is a sequence of writes.** For an element p, take the points that write to p, in
row-major order. The two sequences give the same if they start from the same element and each point
does the same to whatever it finds. Other orders count as equal only where they give the same bits:
if no two points write to p (`unique`), or if the combiner may be regrouped. That is so for sums,
products, minima and maxima of integers and bits, for maximumf and minimumf, and for sums and
products of floats with `reassoc`, but not `nnan` or `ninf`: another order may meet one.

**A counterexample is run.** Small arguments are made up from the numbers in the IR. Where Z3 cannot
show that two results are equal, it also names sizes and contents for which they might differ. The
reference runs both functions on all of these. What is printed has been run on the functions that
were given.

**Large static sizes shrink for the search.** A gather of 30522 x 384 does what one of 5 x 3 does.
What tells the small functions apart is laid into arguments of the real sizes, and these are run.
Where they cannot be run, the answer is unknown, and the small arguments are shown.

**A random test looks for wrong proofs.** `python test/prove/fuzz_prove.py 20000` makes functions in
all constructs above, changes each in one place, behind a pipeline or without one, and runs both on
many arguments. A pair that is proved and differs is a failure, and so is a pipeline that is
refuted.

## What is assumed

- Sizes are below 2^62. Positions are mathematical integers; arithmetic on elements and on `index`
  wraps around at 8, 16, 32 or 64 bits, as the ops do. A data layout may say that an index is
  narrower: with one the answer is unknown.
- What floats compute is a function of the op, its flags and its operands, and no more. So nothing
  rounds in a proof, and nothing is reordered. Known besides are the laws in `prove/floats.py`: x -
  y is x + -y, x / 8 is x * 0.125, a comparison may be swapped or negated.
- `prove/poison.py` has the table of which op makes poison and which has no meaning on it. The
  prover reads it with terms, the search with arrays.
- What tensor.empty and memref.alloc hold may be any number.
- Promises are about coordinates. They hold also where slices have no elements.
- Named ops have formulas of their own in `prove/named.py`. They are not read through the maps that
  `gs-generalize` writes, so that pass is proved too.
- Named ops of linalg are read through upstream's `transform.structured.generalize`. An op without a
  meaning here is equal to itself on equal operands, if it has no effects.
- Z3, and the translation to it, are trusted. The translation is tested: wrong rewrites in
  `test/prove/Inputs` must be refuted, and `test/prove/test_table.py` compares each op with the
  reference, and `python test/prove/meanings.py` random programs.

Z3's Python package is used and not MLIR's `smt` dialect: terms are needed as values that can be
read and written again, and the dialect's exporter gives text.

## What is proved

Each file of `test/prove/Inputs/patterns` holds functions with any sizes, and says how they are
rewritten. The test proves each: `python -m pytest test/prove`.

Some patterns apply to static sizes, or to constants. Their files have names for these: `$n` is a
size, and `$[[s + 2 * a] for a in n]` the coordinates of a slice. The pattern sees numbers. The
solver sees any numbers for which the line `where` of the file holds. The file is read with two
choices of numbers, and the solver has to be asked the same question for both.

| rewrite | forms | proved | |
| --- | --- | --- | --- |
"""


_ALONE, _KEPT, _GROUPED = "as it is", "kept for each element", "grouped"
# The order in which each strategy of convert-gs-to-scf runs the points.
ORDERS = {
    "overwritten": _KEPT,
    "strips": _KEPT,
    "buckets": _KEPT,
    "private": _GROUPED,
    "cuts": _KEPT,
    "records": _KEPT,
    "owned": _KEPT,
    "halo": _KEPT,
    "masked-reads": _ALONE,
    "tiles": _KEPT,
    "gathers": _ALONE,
    "narrow-rows": _ALONE,
    "streaming": _ALONE,
    "prefetch": _ALONE,
}

_ORDERS = """
## The order of points

`convert-gs-to-scf` runs the points of an op by strategies, some with threads. An element has the
bits of the sequential loop in three cases:

- The order is as it is: only how elements are read or written differs.
- It is kept for each element. Points are shared out, or sorted, by the element that they write to.
  So two points of one element stay in one part, and in their order; the fold of each element takes
  the same steps. Of points that only overwrite, those before the last may be left out.
- Points are grouped. The combiner then has to give the same bits in any order and grouping, or has
  the flag `reassoc`. `test/prove/test_orders.py` shows that by Z3 for each such op, with NaN and
  -0, and that what copies start from changes no bits.

| order | strategies |
| --- | --- |
"""


def _orders() -> str:
    rows = [
        f"| {order} | {', '.join(sorted(n for n, o in ORDERS.items() if o == order))} |"
        for order in (_ALONE, _KEPT, _GROUPED)
    ]
    return _ORDERS + "\n".join(rows) + "\n"


def prove_markdown() -> str:
    """The text of `docs/prove.md`."""
    files = sorted(_FILES.glob("*.mlir"))
    rows = [_row(path.read_text(encoding="utf-8")) for path in files]
    proved = sum(" | for " in row for row in rows)
    everywhere = sum(" | for all sizes | " in row for row in rows)
    total = (
        f"\n{proved} of {len(rows)} are proved, {everywhere} of them for all sizes; the others are "
        "tested only.\n"
    )
    return _INTRODUCTION + "\n".join(rows) + "\n" + total + _orders()


def _row(text: str) -> str:
    lines = [line[3:].split(": ", 1) for line in text.split("\n\n")[0].splitlines()]
    header = dict(lines)
    name = header.get("pattern") or header["pass"]
    forms = text.count("func.func @")
    status, _, why = header["status"].partition(": ")
    if status == "proved":
        status = "for these forms" if "limits" in header else "for all sizes"
    note = why or header.get("limits") or header.get("note", "")
    return f"| `{name}` | {forms} | {status} | {note} |"
