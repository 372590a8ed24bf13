"""The floor of a workload: its bytes over what this machine moves now, for as many bytes.

Three kernels measure that: one reads, one copies, one writes. They run with the threads of the run
on arrays that together are as large as what the workload touches, several times a call.
"""

import time
from dataclasses import asdict, dataclass
from functools import cache
from string import Template
from typing import Any

from mlir_gs.execution import compile
from workload import empty

READ = Template("""
func.func @read(%a: memref<?xf32>, %sums: memref<?xf32>, %repeats: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %step = arith.constant 128 : index
  %threads = arith.constant $threads : index
  %zero = arith.constant dense<0.0> : vector<16xf32>
  %n = memref.dim %a, %c0 : memref<?xf32>
  %part = arith.divui %n, %threads : index
  scf.parallel (%t) = (%c0) to (%threads) step (%c1) {
    %lo = arith.muli %t, %part : index
    %hi = arith.addi %lo, %part : index
    %r:8 = scf.for %k = %c0 to %repeats step %c1 iter_args($carried)
        -> ($types) {
      %s:8 = scf.for %i = %lo to %hi step %step iter_args($inner)
          -> ($types) {
$body
        scf.yield $sums : $types
      }
      scf.yield $results : $types
    }
$stores
  }
  return
}
""")

COPY = Template("""
func.func @copy(%a: memref<?xf32>, %b: memref<?xf32>, %repeats: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %step = arith.constant 64 : index
  %threads = arith.constant $threads : index
  %n = memref.dim %a, %c0 : memref<?xf32>
  %part = arith.divui %n, %threads : index
  scf.parallel (%t) = (%c0) to (%threads) step (%c1) {
    %lo = arith.muli %t, %part : index
    %hi = arith.addi %lo, %part : index
    scf.for %k = %c0 to %repeats step %c1 {
      scf.for %i = %lo to %hi step %step {
$body
      }
    }
  }
  return
}
""")


@dataclass(frozen=True)
class Bandwidth:
    """Bytes per second for one working set: reading, copying (bytes read plus written), writing."""

    read: float
    copy: float
    write: float

    def floor(self, read: int, written: int) -> float:
        """Seconds that moving so many bytes takes.

        As many writes as reads are copied; what is left is read or written alone.
        """
        both = min(read, written)
        return 2 * both / self.copy + (read - both) / self.read + (written - both) / self.write

    def numbers(self) -> dict[str, float]:
        return asdict(self)


def _read_source(threads: int) -> str:
    lanes, vector = range(8), "vector<16xf32>"
    body, stores = [], []
    for k in lanes:
        body += [
            f"        %o{k} = arith.constant {16 * k} : index",
            f"        %i{k} = arith.addi %i, %o{k} : index",
            f"        %v{k} = vector.load %a[%i{k}] : memref<?xf32>, {vector}",
            f"        %w{k} = arith.addf %y{k}, %v{k} : {vector}",
        ]
        stores += [
            f"    %p{k} = arith.constant {16 * k} : index",
            f"    %base{k} = arith.constant {16 * 8} : index",
            f"    %q{k} = arith.muli %t, %base{k} : index",
            f"    %at{k} = arith.addi %q{k}, %p{k} : index",
            f"    vector.store %r#{k}, %sums[%at{k}] : memref<?xf32>, {vector}",
        ]
    return READ.substitute(
        threads=threads,
        types=", ".join([vector] * 8),
        carried=", ".join(f"%x{k} = %zero" for k in lanes),
        inner=", ".join(f"%y{k} = %x{k}" for k in lanes),
        sums=", ".join(f"%w{k}" for k in lanes),
        results=", ".join(f"%s#{k}" for k in lanes),
        body="\n".join(body),
        stores="\n".join(stores),
    )


WAYS = ("plain", "streaming", "ahead")
"""To copy or to write: plain; with non-temporal stores; with prefetches."""

# Elements ahead: 2 KiB of what is read, 4 KiB of what is written.
_READ_AHEAD, _WRITE_AHEAD = 512, 1024


def _copy_source(threads: int, way: str, reads: bool) -> str:
    """A copy of %a to %b, or a constant to all of %b."""
    hint = " {alignment = 64 : i64, nontemporal = true}" if way == "streaming" else ""
    vector = "memref<?xf32>, vector<16xf32>"
    prefetched = []
    if way == "ahead":
        prefetched = [("a", _READ_AHEAD, "read")] * reads + [("b", _WRITE_AHEAD, "write")]
    body = []
    for k in range(4):
        body += [
            f"        %o{k} = arith.constant {16 * k} : index",
            f"        %i{k} = arith.addi %i, %o{k} : index",
        ]
        for name, distance, access in prefetched:
            body += [
                f"        %d{name}{k} = arith.constant {distance} : index",
                f"        %l{name}{k} = arith.addi %i{k}, %d{name}{k} : index",
                f"        memref.prefetch %{name}[%l{name}{k}], {access}, locality<3>, data"
                " : memref<?xf32>",
            ]
        body += [
            f"        %v{k} = vector.load %a[%i{k}] : {vector}"
            if reads
            else f"        %v{k} = arith.constant dense<1.0> : vector<16xf32>",
            f"        vector.store %v{k}, %b[%i{k}]{hint} : {vector}",
        ]
    return COPY.substitute(threads=threads, body="\n".join(body))


@cache
def _kernels(threads: int) -> tuple[Any, list[Any], list[Any]]:
    """What reads, and what copies and what writes in each way."""
    copies, writes = (
        [compile(_copy_source(threads, way, reads), threads=threads) for way in WAYS]
        for reads in (True, False)
    )
    return compile(_read_source(threads), threads=threads), copies, writes


def measure(working_set: int, threads: int, seconds: float = 0.02) -> Bandwidth:
    """The bandwidth for a working set of so many bytes, the best of a few runs."""
    step = 512 * threads
    size = max(step, working_set // step * step)
    half = max(step, size // 2 // step * step)
    source, target = (empty((bytes // 4,), "f4", 0) for bytes in (size, half))
    source[...] = 1
    target[...] = 0
    sums = empty((128 * threads,), "f4", 0)
    read, copies, writes = _kernels(threads)
    reading = best_time(lambda repeats: read(source, sums, repeats), seconds)
    some = source[: half // 4]

    def best(kernels: list[Any], *arrays: Any) -> float:
        """Seconds of the fastest."""
        return min(
            best_time(lambda repeats, run=run: run(*arrays, repeats), seconds) for run in kernels
        )

    copying, writing = best(copies, some, target), best(writes, source, source)
    return Bandwidth(size / reading, 2 * half / copying, size / writing)


def best_time(run: Any, seconds: float) -> float:
    """Seconds of one repetition, the least of some readings that take `seconds` in all."""
    run(1)
    repeats, taken = 1, 0.0
    while taken < seconds / 8 and repeats < 1 << 24:
        start = time.perf_counter()
        run(repeats)
        taken = time.perf_counter() - start
        repeats *= 2
    repeats = max(1, repeats // 2)
    readings = []
    for _ in range(5):
        start = time.perf_counter()
        run(repeats)
        readings.append((time.perf_counter() - start) / repeats)
    return min(readings)
