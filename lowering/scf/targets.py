"""Facts of machines that loops are made for: presets in `targets.json`, and what overrides them.

A target is spelled `<name>[:<fact>=<value>...]`: a preset, or the path of a JSON file with facts,
and other values for some of them, as in `zen4:cache-bytes=16777216:words=true`.
"""

import json
from dataclasses import dataclass, field, fields
from functools import cache
from pathlib import Path
from typing import Any

from mlir_gs.lowering.passes.options import nearest, options_of_class
from mlir_gs.lowering.scf.target import (
    APART_AHEAD,
    BUCKET_BYTES,
    COLUMN_BYTES,
    COPIED_LEAST,
    ELEMENTS_AHEAD,
    FAR,
    FAR_SET,
    LINES_AHEAD,
    OWNED_BYTES,
    ROW_AHEAD,
    ROW_BYTES,
    Asking,
    Gathering,
    Gathers,
    Target,
)

_MOST = 1 << 60
_MOST_VECTOR = 4096


_PRESETS = Path(__file__).with_name("targets.json")


@dataclass(frozen=True)
class Facts:
    """What is known of a machine. Sizes are in bytes; a fact that has two values has one for a
    thread that runs alone and one for several. Raises ValueError for a value out of its bounds."""

    vector_bytes: int = field(default=64, metadata={"help": "bytes of a vector register"})
    cache_bytes: int = field(
        default=32 << 20, metadata={"help": "bytes of the last-level cache, 0 for unknown"}
    )
    stream_share: tuple[float, ...] = field(
        default=(0.75, 0.75),
        metadata={"help": "what is touched from which non-temporal stores pay, over cache-bytes"},
    )
    copied_stream_share: float = field(
        default=0.0,
        metadata={"help": "the same of long rows that memcpy copies as well, 0 for as much"},
    )
    stream_reads: int = field(
        default=0,
        metadata={"help": "bytes read per byte written from which non-temporal stores pay"},
    )
    stream_scattered: bool = field(
        default=True,
        metadata={"help": "such stores pay for rows at coordinates as well"},
    )
    hardware_gather: Gathers = field(
        default="never",
        metadata={"help": "the core's gathers read elements at coordinates: all, or under fill"},
    )
    gathered_bytes: int = field(
        default=0,
        metadata={"help": "bytes of a memref, at most, that they read elements of, 0 for any"},
    )
    gathered_fill_bytes: int = field(
        default=0, metadata={"help": "the same where elements may be out of bounds, under fill"}
    )
    words: bool = field(
        default=True,
        metadata={"help": "elements at coordinates that move are put together in words"},
    )
    owned_bytes: int = field(
        default=OWNED_BYTES,
        metadata={"help": "bytes of an output of which threads own parts of less than a line"},
    )
    records_bytes: int = field(
        default=OWNED_BYTES,
        metadata={"help": "the same where what their points read is listed"},
    )
    bucket_bytes: int = field(
        default=BUCKET_BYTES,
        metadata={"help": "bytes of an output that points which are sorted into a bucket reach"},
    )
    column_bytes: int = field(
        default=COLUMN_BYTES,
        metadata={"help": "bytes of the columns that a thread takes, at least, in whole lines"},
    )
    written_strip_bytes: tuple[int, ...] = field(
        default=(ROW_BYTES, ROW_BYTES),
        metadata={"help": "bytes of a row of a strip of columns that is copied back"},
    )
    write_ahead: int = field(
        default=0,
        metadata={"help": "bytes ahead of stores that lines are prefetched for them, 0 for never"},
    )
    element_write_ahead: int = field(
        default=0,
        metadata={"help": "the same in loops that read elements at coordinates one by one"},
    )
    read_ahead: int = field(
        default=0,
        metadata={"help": "bytes ahead of reads in order that lines are prefetched, 0 for never"},
    )
    sums_ahead: int = field(
        default=0,
        metadata={
            "help": "the same for half of cache-bytes and more, beside sums at coordinates in 2 "
            "MiB and less, 0 for as ever"
        },
    )
    sparing_reads: bool = field(
        default=False,
        metadata={"help": "such reads are prefetched only where little else goes to memory"},
    )
    prefetch_level: int = field(
        default=1,
        metadata={"help": "cache that rows at coordinates are prefetched into, 1 or 2"},
    )
    element_level: int = field(
        default=1,
        metadata={"help": "the same for single elements, and for short rows that lie apart"},
    )
    element_near_bytes: int = field(
        default=0,
        metadata={
            "help": "bytes of a memref, at most, of which elements that are only read are "
            "prefetched into the first-level cache all the same"
        },
    )
    far_bytes: int = field(
        default=FAR,
        metadata={"help": "bytes from which elements of a memref are prefetched one by one"},
    )
    far_reduced_bytes: int = field(
        default=FAR, metadata={"help": "the same where loops only sum them up"}
    )
    far_taken_bytes: int = field(
        default=FAR,
        metadata={"help": "the same where one coordinate finds each, and results are in order"},
    )
    far_set_bytes: int = field(
        default=FAR_SET, metadata={"help": "the same where they are written and not read"}
    )
    elements_ahead: int = field(
        default=ELEMENTS_AHEAD,
        metadata={
            "help": "points ahead that single elements are prefetched into the first-level cache; "
            "into the second twice as many"
        },
    )
    apart_ahead: int = field(
        default=APART_AHEAD,
        metadata={"help": "the same in rows, of short rows that lie apart"},
    )
    row_ahead: int = field(
        default=ROW_AHEAD, metadata={"help": "bytes of rows at coordinates that are on their way"}
    )
    lines_ahead: int = field(
        default=LINES_AHEAD,
        metadata={
            "help": "bytes ahead that lines of rows of 2 KiB and more at coordinates are prefetched"
        },
    )
    moved_ahead: int = field(
        default=0,
        metadata={
            "help": "bytes of rows that only move, but for short ones, that are on their way to "
            "the second-level cache, 0 for as of others"
        },
    )
    memory_rows_bytes: int = field(
        default=0,
        metadata={
            "help": "bytes of a memref from which rows at coordinates that are read are prefetched "
            "like that, 0 for never"
        },
    )
    memory_updates_bytes: int = field(
        default=0, metadata={"help": "the same of rows that are updated"}
    )
    beside_ahead: int = field(
        default=0,
        metadata={
            "help": "the same as read-ahead beside rows at coordinates and windows, if it is more"
        },
    )
    counts_ahead: int = field(
        default=0,
        metadata={
            "help": "the same beside sums where nothing else is read in order, 0 for as ever"
        },
    )
    copied_ahead: int = field(
        default=0,
        metadata={
            "help": "bytes of the next row that are asked for before memcpy copies one, instead of "
            "lines ahead of the stores"
        },
    )
    copied_least: int = field(
        default=COPIED_LEAST,
        metadata={"help": "bytes that move in all where it is asked for, at least"},
    )

    def __post_init__(self) -> None:
        if not 8 <= self.vector_bytes <= _MOST_VECTOR or self.vector_bytes.bit_count() != 1:
            raise ValueError(
                f"vector-bytes must be a power of 2 from 8 to {_MOST_VECTOR}, found "
                f"{self.vector_bytes}"
            )
        for option in fields(self):
            value = getattr(self, option.name)
            name = option.name.replace("_", "-")
            given = value if isinstance(value, tuple) else (value,)
            if isinstance(value, tuple) and len(given) not in (1, 2):
                raise ValueError(f"{name} must be one or two numbers, found {len(given)}")
            for one in given:
                # Sums and products by the bits of a byte are indices as well.
                if isinstance(one, (int, float)) and not 0 <= one <= _MOST:
                    raise ValueError(f"{name} must be from 0 to {_MOST}, found {one}")
        for name in ("prefetch_level", "element_level"):
            level = getattr(self, name)
            if level not in (1, 2):
                raise ValueError(f"{name.replace('_', '-')} must be 1 or 2, found {level}")

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
            words=self.words,
            owned_bytes=self.owned_bytes,
            records_bytes=self.records_bytes,
            bucket_bytes=self.bucket_bytes,
            column_bytes=self.column_bytes,
            written_strip_bytes=_of(self.written_strip_bytes, threads),
            asking=Asking(
                write_ahead=self.write_ahead,
                element_write_ahead=self.element_write_ahead,
                read_ahead=self.read_ahead,
                sparing=self.sparing_reads,
                level=self.prefetch_level,
                element_level=self.element_level,
                element_near=self.element_near_bytes,
                far=self.far_bytes,
                far_reduced=self.far_reduced_bytes,
                far_taken=self.far_taken_bytes,
                far_set=self.far_set_bytes,
                elements_ahead=self.elements_ahead,
                apart_ahead=self.apart_ahead,
                row_ahead=self.row_ahead,
                lines_ahead=self.lines_ahead,
                moved_ahead=self.moved_ahead,
                memory_rows=self.memory_rows_bytes,
                memory_updates=self.memory_updates_bytes,
                beside_ahead=self.beside_ahead,
                counts_ahead=self.counts_ahead,
                copied_ahead=self.copied_ahead,
                copied_least=self.copied_least,
                sums_ahead=self.sums_ahead if self.cache_bytes else 0,
                cached=self.cache_bytes // 2,
            ),
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
