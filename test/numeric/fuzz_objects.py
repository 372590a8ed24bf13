"""Random programs compiled by gs-compile and called from C, here or on an emulated machine, against
NumPy.

    python test/numeric/fuzz_objects.py --programs 5000
    python test/numeric/fuzz_objects.py --programs 5000 --triple aarch64-linux-gnu --small-sizes

A triple needs llvmlite, a C compiler for it and qemu's user emulation, as in the Debian packages
gcc-aarch64-linux-gnu and qemu-user-static. The compiler runs here: its code alone is emulated.
With --small-sizes, loops for large arrays run on small ones, too.
"""

import argparse
import platform
import re
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path

import numpy as np
import small_sizes
from draw import RandomDraw
from elements import DTYPES
from harness import Failed, Outcome, difference, module_text, numbered, spelled
from mlir_gs.execution.aot.text import ERROR_BYTES
from mlir_gs.execution.signature.dtypes import element_of
from mlir_gs.tools.gs_compile import main as gs_compile
from program import Program
from random_programs import OPS, any_program

sys.path.insert(0, str(Path(__file__).parents[1] / "execution" / "support"))
from aot_support import commands_for

HERE = f"{platform.machine()}-{sys.platform}-gnu"
BATCH = 32
"""Programs in an object."""

RUNTIME = r"""
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "kernel.h"
static FILE *from, *to;
static void *taken(size_t bytes) {
  char *data = aligned_alloc(64, (bytes / 64 + 1) * 64);
  if (!data || fread(data, 1, bytes, from) != bytes) exit(2);
  return data;
}
static void given(const void *data, size_t bytes) {
  if (fwrite(data, 1, bytes, to) != bytes) exit(3);
}
static void owned(gs_managed_tensor *r) {
  size_t bytes = (r->dl_tensor.dtype.bits + 7) / 8;
  for (int k = 0; k < r->dl_tensor.ndim; ++k) bytes *= (size_t)r->dl_tensor.shape[k];
  given((char *)r->dl_tensor.data + r->dl_tensor.byte_offset, bytes);
  r->deleter(r);
}
"""

_DECLARED = re.compile(r"^int32_t (f\d+)\((.*?)\);", re.M | re.S)


def programs(seed: int) -> Iterator[Program]:
    """Random programs of all ops without end."""
    number = 0
    while True:
        yield any_program(RandomDraw((seed, number)), OPS)
        number += 1


class Results:
    """What the functions of an object wrote: a code each, then a message or the results."""

    def __init__(self, data: bytes) -> None:
        self.data = data

    def take(self, count: int) -> bytes:
        found, self.data = self.data[:count], self.data[count:]
        if len(found) != count:
            raise EOFError
        return found


_ELEMENTS = {element.dtype: element for name in DTYPES if (element := element_of(name))}


def type_in_c(array: np.ndarray) -> str:
    element = _ELEMENTS[array.dtype]
    return f"GS_TYPE({element.code}, {element.bits})"


def array_in_c(name: str, array: np.ndarray) -> str:
    sizes = ", ".join(map(str, array.shape)) or "0"
    return (
        f"int64_t {name}_sizes[] = {{{sizes}}};\n"
        f"gs_tensor {name} = gs_array(taken({array.nbytes}), {type_in_c(array)}, {array.ndim},"
        f" {name}_sizes);\n"
    )


def call_in_c(program: Program, parameters: Sequence[str], expected: Outcome) -> str:
    """A block that reads the arguments, calls the function and writes the results in their order.
    Results that the caller allocates, which come first, have the sizes of NumPy's."""
    arguments = program.arguments
    lines = [array_in_c(f"a{k}", array) for k, array in enumerate(arguments)]
    listed = [f"&a{k}" for k in range(len(arguments))]
    shown = {k: f"given(a{k}.data, {arguments[k].nbytes});" for k in program.written}
    for k, owned in results_of(program, parameters):
        listed.append(f"&r{k}")
        if owned:
            lines.append(f"gs_managed_tensor *r{k} = 0;\n")
            shown[k] = f"owned(r{k});"
            continue
        if isinstance(expected, Failed):
            raise NotImplementedError("the sizes of results of a call that fails")
        lines.append(array_in_c(f"r{k}", expected[k]))
        shown[k] = f"given(r{k}.data, {expected[k].nbytes});"
    return (
        "{\n" + "".join(lines) + "gs_error error = {0};\n"
        f"int32_t code = {program.name}({', '.join([*listed, '&error'])});\n"
        "given(&code, 4);\n"
        "if (code) given(error.message, sizeof error.message);\n"
        f"else {{ {' '.join(shown[k] for k in sorted(shown))} }}\n"
        "}\nfflush(to);\n"
    )


def results_of(program: Program, parameters: Sequence[str]) -> Iterator[tuple[int, bool]]:
    """Which result each parameter after the arguments is for, and whether the function allocates
    it."""
    for parameter in parameters[len(program.arguments) : -1]:
        kind, _, number = parameter.rpartition("result")
        yield int(number or 0), "**" in kind


def outcome_of(results: Results, program: Program, expected: Outcome) -> Outcome:
    """What the emulated program gave for a function. Raises EOFError where it ended before."""
    code = int.from_bytes(results.take(4), "little", signed=True)
    if code:
        return Failed(results.take(ERROR_BYTES - 4).split(b"\0")[0].decode())
    likes = [program.arguments[k] for k in program.written] if program.written else expected
    assert not isinstance(likes, Failed), "a result where an error was expected"
    return tuple(
        np.frombuffer(results.take(one.nbytes), np.uint8).view(one.dtype).reshape(one.shape)
        if one.nbytes
        else one
        for one in likes
    )


def run_batch(batch: Sequence[Program], triple: str, counts: Counter[str]) -> Iterator[str]:
    """Compile programs for a triple and run them there; what is wrong with each."""
    commands = commands_for(triple)
    assert commands, f"no C compiler or no emulator for {triple}"
    compiler, runner = commands
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        (place / "kernel.mlir").write_text(module_text(batch))
        made = [str(place / "kernel.o"), str(place / "kernel.h")]
        outputs = [word for name in made for word in ("-o", name)]
        target = [] if triple == HERE else ["--triple", triple]
        if gs_compile([str(place / "kernel.mlir"), *outputs, *target]):
            if len(batch) == 1:
                counts["not compiled"] += 1
                yield f"not compiled:\n{batch[0].text}"
            else:
                yield from one_by_one(batch, triple, counts)
            return
        declared = dict(_DECLARED.findall((place / "kernel.h").read_text()))
        expected = {one.name: spelled(one) for one in batch}
        blocks, ran, data = [], [], []
        for one in batch:
            parameters = [part.strip() for part in declared[one.name].split(",")]
            try:
                blocks.append(call_in_c(one, parameters, expected[one.name]))
            except NotImplementedError as left_out:
                counts[f"left out: {left_out}"] += 1
                continue
            ran.append(one)
            data += [np.ascontiguousarray(array).tobytes() for array in one.arguments]
            for number, owned in results_of(one, parameters):
                found = expected[one.name]
                if not owned and not isinstance(found, Failed):
                    data.append(bytes(found[number].nbytes))
        main = "int main(int count, char **names) {\nif (count != 3) return 1;\n"
        main += 'from = fopen(names[1], "rb"), to = fopen(names[2], "wb");\n'
        (place / "program.c").write_text(RUNTIME + main + "".join(blocks) + "return 0;\n}\n")
        (place / "in").write_bytes(b"".join(data))
        files = ["-I", folder, str(place / "program.c"), made[0], "-lm"]
        built = subprocess.run(
            [*compiler, "-O0", *files, "-o", str(place / "program")], capture_output=True, text=True
        )
        if built.returncode and len(batch) > 1:
            yield from one_by_one(batch, triple, counts)
            return
        if built.returncode:
            # As where the triple's libgcc does not convert f16.
            missing = re.search(r"undefined reference to .*", built.stderr)
            if missing is None:
                yield f"not built: {built.stderr}\n{batch[0].text}"
            counts["left out: " + (missing[0] if missing else "not built")] += 1
            return
        command = [*runner, str(place / "program"), str(place / "in"), str(place / "out")]
        status = subprocess.run(command, check=False, timeout=600).returncode
        results = Results((place / "out").read_bytes())
        for one in ran:
            counts[one.op] += 1
            try:
                got = outcome_of(results, one, expected[one.name])
                wrong = difference(one, got, expected[one.name])
            except EOFError:
                yield f"the program ended with {status} in\n{one.text}"
                return
            if wrong:
                yield f"{wrong}\n{one.text}arguments: {one.arguments}"


def one_by_one(batch: Sequence[Program], triple: str, counts: Counter[str]) -> Iterator[str]:
    for one in batch:
        yield from run_batch([one], triple, counts)


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n\n")[0])
    parser.add_argument("--programs", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--triple", default=HERE)
    parser.add_argument("--small-sizes", action="store_true", help="all loops at any size")
    options = parser.parse_args()
    if options.small_sizes:
        small_sizes.apply()
    counts: Counter[str] = Counter()
    wrong = 0
    source = programs(options.seed)
    for start in range(0, options.programs, BATCH):
        batch = numbered(list(islice(source, min(BATCH, options.programs - start))))
        for text in run_batch(batch, options.triple, counts):
            wrong += 1
            print(text, flush=True)
    for what, count in sorted(counts.items()):
        print(f"{count:7} {what}")
    print(f"{sum(counts.values())} programs for {options.triple}, {wrong} wrong")
    ran = sum(count for what, count in counts.items() if what.startswith("gs."))
    return int(wrong > 0 or 2 * ran < options.programs)


if __name__ == "__main__":
    sys.exit(main())
