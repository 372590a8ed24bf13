"""Mutated MLIR files: what a fuzzer feeds to the tools. The same seed gives the same cases."""

import random
import re
from functools import cache
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[2]
_SPLIT = re.compile(r"^// -----.*$", re.MULTILINE)
_COMMENT = re.compile(r"^\s*//.*$\n?", re.MULTILINE)
_TOKEN = re.compile(r"[A-Za-z_%@#!^][\w.$-]*|-?\d+(?:\.\d+)?|\"[^\"\n]*\"|->|[^\w\s]")
_MOST = 8000
_NUMBERS = ("0", "1", "-1", "7", "64", "4294967296", "9223372036854775807", "-9223372036854775808",
            "18446744073709551616", "1" + "0" * 40, "0x7FC00000", "1.0e400", "-0.0")  # fmt: skip
_TYPES = ("i1", "i8", "ui8", "si4", "i64", "i65", "i128", "index", "f16", "bf16", "f32", "f64",
          "f80", "f8E4M3FN", "f4E2M1FN", "complex<f32>", "none", "tensor<?xf32>", "tensor<*xf32>",
          "tensor<0x?xi32>", "memref<?xf32>", "memref<2x?xi8, strided<[?, ?], offset: ?>>",
          "vector<4xf32>", "tuple<i1>", "!torch.int", "tensor<2x2xf32, #x>", "memref<4xf32, 3>",
          "tensor<99999999999x99999999999xf32>")  # fmt: skip
_BYTES = ("\0", "\x7f", "é", "\ufeff", "\u202e", "\ud800", "\t", "\r\n", "\\", '"', "//", "/*")


class Case(NamedTuple):
    """What a tool is given: bytes, and the flags (`gs-opt`) or `compile`."""

    data: bytes
    flags: tuple[str, ...]


# How often each way is taken, and the flags; `compile` is no flag of gs-opt.
_WAYS: tuple[tuple[int, tuple[str, ...]], ...] = (
    (6, ()),
    (3, ("--verify-roundtrip",)),
    (4, ("--gs-generalize", "--canonicalize", "--cse")),
    (3, ("--gs-infer", "--gs-canonicalize", "--gs-specialize")),
    (3, ("--gs-optimize",)),
    (4, ("--gs-generalize", "--gs-sanitize", "--gs-bufferize", "--convert-gs-to-scf=threads=2")),
    (2, ("--gs-generalize", "--convert-gs-to-linalg")),
    (1, ("--gs-import-stablehlo",)),
    (1, ("--convert-tensor-to-gs", "--convert-tosa-to-gs", "--convert-torch-to-gs")),
    (1, ("--convert-tcp-to-gs", "--convert-dml-to-gs", "--convert-onnx-to-gs")),
    (1, ("--split-input-file", "--verify-diagnostics")),
    (1, ("--emit-bytecode",)),
    (2, ("compile",)),
)


@cache
def seeds() -> list[str]:
    """The parts of the lit tests and examples, without comments."""
    parts = []
    for folder in ("test", "examples"):
        for path in sorted((ROOT / folder).rglob("*.mlir")):
            if "Output" in path.parts or "fuzz" in path.parts:
                continue
            text = path.read_text(encoding="utf-8", errors="replace")
            parts += [_COMMENT.sub("", part) for part in _SPLIT.split(text)]
    return [part for part in parts if part.strip() and len(part) <= _MOST]


@cache
def _tokens() -> list[str]:
    return sorted({token for part in seeds() for token in _TOKEN.findall(part)})


def case(seed: int, number: int) -> Case:
    """Case `number` of `seed`."""
    rng = random.Random(f"{seed}:{number}")
    text = rng.choice(seeds())
    for _ in range(rng.choice((1, 1, 1, 2, 3, 5, 12))):
        text = rng.choice(_MUTATIONS)(rng, text)
    weights = [weight for weight, _ in _WAYS]
    flags = rng.choices([flags for _, flags in _WAYS], weights)[0]
    return Case(text[: 4 * _MOST].encode("utf-8", "surrogatepass"), flags)


def damaged(rng: random.Random, text: str) -> str:
    """`text` with some characters, words or lines changed, left out or added."""
    for _ in range(rng.choice((1, 1, 1, 2, 3))):
        text = rng.choice(_MUTATIONS)(rng, text)
    return text


def spoilt_bytes(seed: int, number: int, data: bytes) -> bytes:
    """Bytecode with some bytes changed, left out or repeated."""
    rng = random.Random(f"bytes {seed}:{number}")
    found = bytearray(data)
    for _ in range(rng.choice((1, 1, 2, 4, 16))):
        place = rng.randrange(4, len(found))
        match rng.randrange(4):
            case 0:
                found[place] = rng.randrange(256)
            case 1:
                found[place] ^= 1 << rng.randrange(8)
            case 2:
                del found[place : place + rng.randrange(1, 9)]
            case 3:
                found[place:place] = found[place : place + rng.randrange(1, 9)]
        if len(found) < 8:
            break
    return bytes(found)


def _span(rng: random.Random, text: str) -> tuple[int, int]:
    start = rng.randrange(len(text) + 1)
    return start, min(len(text), start + rng.choice((1, 2, 5, 20, 80)))


def _cut(rng: random.Random, text: str) -> str:
    start, end = _span(rng, text)
    return text[:start] + text[end:]


def _repeat(rng: random.Random, text: str) -> str:
    start, end = _span(rng, text)
    return text[:end] + text[start:end] * rng.choice((1, 2, 8)) + text[end:]


def _truncate(rng: random.Random, text: str) -> str:
    return text[: rng.randrange(len(text) + 1)]


def _token(rng: random.Random, text: str) -> str:
    """Another token in the place of one: a near relation, or any."""
    found = list(_TOKEN.finditer(text))
    if not found:
        return text
    old = rng.choice(found)
    word = old[0]
    if re.fullmatch(r"-?\d+(\.\d+)?", word) and rng.random() < 0.8:
        new = rng.choice((*_NUMBERS, str(rng.randrange(-3, 12))))
    elif re.fullmatch(r"[iuf]\w*\d+|index", word) and rng.random() < 0.8:
        new = rng.choice(_TYPES)
    elif rng.random() < 0.5:
        new = rng.choice(found)[0]
    else:
        new = rng.choice(_tokens())
    return text[: old.start()] + new + text[old.end() :]


def _swap(rng: random.Random, text: str) -> str:
    found = list(_TOKEN.finditer(text))
    if len(found) < 2:
        return text
    a, b = sorted(rng.sample(found, 2), key=lambda token: token.start())
    return text[: a.start()] + b[0] + text[a.end() : b.start()] + a[0] + text[b.end() :]


def _line(rng: random.Random, text: str) -> str:
    lines = text.split("\n")
    number = rng.randrange(len(lines))
    if rng.random() < 0.5:
        del lines[number]
    else:
        lines.insert(rng.randrange(len(lines)), lines[number])
    return "\n".join(lines)


def _insert(rng: random.Random, text: str) -> str:
    place = rng.randrange(len(text) + 1)
    new = rng.choice((*_BYTES, *_TYPES, *"()[]{}<>,:=", rng.choice(_tokens())))
    return text[:place] + new * rng.choice((1, 1, 1, 3, 200)) + text[place:]


def _splice(rng: random.Random, text: str) -> str:
    other = rng.choice(seeds())
    start, end = _span(rng, other)
    place = rng.randrange(len(text) + 1)
    return text[:place] + other[start : max(end, start + 200)] + text[place:]


def _beside(rng: random.Random, text: str) -> str:
    return text + "\n" + rng.choice(seeds())


_MUTATIONS = (_token, _token, _token, _token, _swap, _cut, _repeat, _line, _insert, _splice,
              _truncate, _beside)  # fmt: skip
