"""Facts of machines that loops are made for: presets in `targets.json`, and what overrides them.

A target is spelled `<name>[:<fact>=<value>...]`: a preset, or the path of a JSON file with facts,
and other values for some of them, as in `generic:cache-bytes=16777216:words=false`.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass, field, fields
from functools import cache
from pathlib import Path
from typing import Any

from mlir_gs.lowering.passes.options import nearest, options_of_class
from mlir_gs.lowering.scf.table import STRATEGIES
from mlir_gs.lowering.scf.target import (
    BUCKET_BYTES,
    COLUMN_BYTES,
    MOST_VECTOR_BYTES,
    OWNED_BYTES,
    ROW_BYTES,
    Gathering,
    Gathers,
    Prefetching,
    Target,
)

_MOST = 1 << 60


_PRESETS = Path(__file__).with_name("targets.json")


def _fact(default: Any, text: str) -> Any:
    return field(default=default, metadata={"help": text})


@dataclass(frozen=True)
class Facts:
    """What is known of a machine. Sizes are in bytes; a fact that has two values has one for a
    thread that runs alone and one for several. Raises ValueError for a value out of its bounds."""

    vector_bytes: int = _fact(64, "bytes of a vector that loops are written with")
    cache_bytes: int = _fact(
        32 << 20, "bytes of the last-level cache that a kernel can count on, 0 for unknown"
    )
    stream_share: tuple[float, ...] = _fact(
        (0.75, 0.75), "bytes touched over cache-bytes from which non-temporal stores pay"
    )
    copied_stream_share: float = _fact(
        0.0, "stream-share of long rows that memcpy would copy, 0 for stream-share"
    )
    stream_reads: int = _fact(0, "bytes read per byte written from which non-temporal stores pay")
    stream_scattered: bool = _fact(True, "whether non-temporal stores pay for rows at coordinates")
    hardware_gather: Gathers = field(
        default="never",
        metadata={
            "help": "elements at coordinates that hardware gathers load: all, or under mode fill"
        },
    )
    gathered_bytes: int = _fact(0, "largest memref that hardware gathers load from, 0 for any")
    gathered_fill_bytes: int = _fact(
        0, "largest memref that they load from under mode fill, 0 for any"
    )
    words: bool = _fact(True, "whether elements that only move are packed into words of 8 bytes")
    owned_bytes: int = _fact(
        OWNED_BYTES, "smallest output of which threads own parts of less than a cache line"
    )
    records_bytes: int = _fact(
        OWNED_BYTES, "smallest output whose owner lists what its points read"
    )
    bucket_bytes: int = _fact(BUCKET_BYTES, "bytes of the output that the points of a bucket reach")
    column_bytes: int = _fact(COLUMN_BYTES, "fewest bytes of the columns that a thread takes")
    written_strip_bytes: tuple[int, ...] = _fact(
        (ROW_BYTES, ROW_BYTES), "bytes of a row of a strip of columns that is copied back"
    )
    far_bytes: int = _fact(
        4 << 20,
        "smallest memref whose single elements at coordinates are prefetched, if they are written "
        "or reduced",
    )
    far_taken_bytes: int = _fact(4 << 20, "far-bytes where they are only read")
    elements_ahead: int = _fact(
        32, "prefetch distance of single elements in points, doubled for the second cache"
    )
    element_level: int = _fact(1, "cache that single elements are prefetched into, 1 or 2")
    row_ahead: int = _fact(8192, "prefetch distance of rows at coordinates in bytes of rows")
    prefetch_level: int = _fact(1, "cache that rows at coordinates are prefetched into, 1 or 2")
    copied_ahead: int = _fact(
        0, "bytes of the next row that are prefetched before memcpy copies one, 0 for none"
    )
    read_ahead: int = _fact(
        0,
        "prefetch distance in bytes of loads in order, next to loads at coordinates, 0 for never",
    )
    write_ahead: int = _fact(0, "read-ahead of stores in order")

    disable: tuple[str, ...] = _fact((), "strategies that are not used, to find a wrong result")

    def __post_init__(self) -> None:
        for name in self.disable:
            if name not in STRATEGIES:
                hint = nearest(name, STRATEGIES) or f" (there are: {', '.join(STRATEGIES)})"
                raise ValueError(f"no strategy '{name}'{hint}")
        if not 8 <= self.vector_bytes <= MOST_VECTOR_BYTES or self.vector_bytes.bit_count() != 1:
            raise ValueError(
                f"vector-bytes must be a power of 2 from 8 to {MOST_VECTOR_BYTES}, found "
                f"{self.vector_bytes}"
            )
        for option in fields(self):
            value = getattr(self, option.name)
            name = option.name.replace("_", "-")
            given = value if isinstance(value, tuple) else (value,)
            if isinstance(value, tuple) and name != "disable" and len(given) not in (1, 2):
                raise ValueError(f"{name} must be one or two numbers, found {len(given)}")
            for one in given:
                # Sums and products by the bits of a byte are indices as well.
                if isinstance(one, (int, float)) and not 0 <= one <= _MOST:
                    raise ValueError(f"{name} must be from 0 to {_MOST}, found {one}")
        for name in ("prefetch_level", "element_level"):
            level = getattr(self, name)
            if level not in (1, 2):
                raise ValueError(f"{name.replace('_', '-')} must be 1 or 2, found {level}")

    @property
    def prefetching(self) -> Prefetching:
        """What `gs-prefetch` goes by."""
        return Prefetching(*(getattr(self, name) for name in Prefetching._fields))

    def target(self, threads: int) -> Target:
        """What the loops of an op that so many threads share are made for."""
        usual = round(self.cache_bytes * _of(self.stream_share, threads))
        copied = round(self.cache_bytes * self.copied_stream_share)
        return Target(
            vector_bytes=self.vector_bytes,
            threads=threads,
            cache_bytes=self.cache_bytes,
            stream_bytes=usual,
            copied_stream_bytes=copied,
            stream_reads=self.stream_reads,
            stream_scattered=self.stream_scattered,
            gathering=Gathering(
                self.hardware_gather, self.gathered_bytes, self.gathered_fill_bytes
            ),
            pack_words=self.words,
            owned_bytes=self.owned_bytes,
            records_bytes=self.records_bytes,
            bucket_bytes=self.bucket_bytes,
            column_bytes=self.column_bytes,
            written_strip_bytes=_of(self.written_strip_bytes, threads),
            disabled=frozenset(self.disable),
        )


def _of(values: tuple[Any, ...], threads: int) -> Any:
    """The value for so many threads."""
    return values[0] if threads == 1 else values[-1]


@cache
def presets() -> dict[str, dict[str, Any]]:
    """The targets that are known by name: what `machine` tells of one, and its `facts`."""
    return json.loads(_PRESETS.read_text(encoding="utf-8"))


@cache
def facts(spelled: str) -> Facts:
    """The facts that `spelled` stands for. Raises ValueError naming what is wrong with it."""
    name, *overrides = spelled.split(":")
    known = {option.name: option for option in options_of_class(Facts)}
    if name in presets():
        values = dict(presets()[name]["facts"])
    elif name.endswith(".json"):
        values = _read(Path(name))
    else:
        hint = nearest(name, presets()) or f" (there are: {', '.join(presets())})"
        raise ValueError(f"no target '{name}'{hint}; a file's name ends in .json")
    texts: dict[str, str | None] = {
        one.replace("_", "-"): _text(value) for one, value in values.items()
    }
    given = [one.partition("=") for one in overrides]
    for fact, equals, text in given:
        if sum(fact == other for other, _, _ in given) > 1:
            raise ValueError(f"target '{spelled}' has '{fact}' twice")
        texts[fact] = text if equals else None
    for fact in texts:
        if fact not in known:
            raise ValueError(f"a target has no '{fact}'{nearest(fact, known)}")
    return Facts(**{known[f].field: known[f].parse(text) for f, text in texts.items()})


def without(spelled: str, strategies: Sequence[str]) -> str:
    """The target that `spelled` stands for, without these strategies either. Raises ValueError as
    `facts` does."""
    disabled = dict.fromkeys((*facts(spelled).disable, *strategies))
    kept = [part for part in spelled.split(":") if not part.startswith("disable=")]
    return ":".join([*kept, f"disable={','.join(disabled)}"] if disabled else kept)


def _text(value: Any) -> str:
    """A value of JSON as an option is spelled."""
    if isinstance(value, list):
        return ",".join(map(_text, value))
    return str(value).lower() if isinstance(value, bool) else str(value)


def _read(path: Path) -> dict[str, Any]:
    """The facts in a file."""
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise ValueError(f"target '{path}': {error}") from None
    if not isinstance(found, dict):
        raise ValueError(f"target '{path}': expected an object with facts")
    return found
