"""The command line and the splitting of inputs, apart from what the lit tests show."""

import pytest
from mlir_gs.tools.common.command_line import Flag, UsageError, help_text, parse
from mlir_gs.tools.opt.split_input import Chunk, split_input

FLAGS = (
    Flag("fast", "Go faster"),
    Flag("o", "Write here", "file"),
    Flag("split", "Split", "marker", optional="//"),
    Flag("level", "How much", "word", choices=("low", "high"), group="Other"),
)


def test_one_or_two_dashes_in_any_order() -> None:
    line = parse(["a", "-fast", "--o=x", "-split", "-", "--cse", "-b=c=d", "--", "-e"], FLAGS)
    assert line.on("fast")
    assert line.values == {"o": "x", "split": "//"}
    assert line.others == [("cse", None), ("b", "c=d")]
    assert line.words == ["a", "-", "-e"]


def test_last_value_counts() -> None:
    line = parse(["--fast", "--fast=false", "-o", "x", "-o", "--y"], FLAGS)
    assert not line.on("fast", default=True)
    assert line.value("o") == "--y"
    assert line.value("split") is None


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["-o"], "for the -o <file> option: requires a value!"),
        (["--level=mid"], "for the --level option: 'mid' is none of low, high"),
        (["--fast=2"], "for the --fast option: '2' is invalid value for boolean argument"),
    ],
)
def test_usage_errors(words: list[str], message: str) -> None:
    with pytest.raises(UsageError) as caught:
        parse(words, FLAGS)
    assert message in str(caught.value)


def test_numbers() -> None:
    assert parse(["-o=7"], FLAGS).number("o") == 7
    assert parse([], FLAGS).number("o") is None
    with pytest.raises(UsageError, match="'-7' value invalid for uint argument"):
        parse(["-o=-7"], FLAGS).number("o")


def test_help_text_groups_the_flags() -> None:
    text = help_text(FLAGS)
    assert text.index("General:") < text.index("--split[=<marker>]") < text.index("Other:")
    assert "-o <file>" in text


def test_chunks_keep_their_lines() -> None:
    chunks, near = split_input(b"a\n// -----\nb\nc\n  // -----  \n")
    assert chunks == [Chunk(b"a\n", 1), Chunk(b"b\nc\n", 3), Chunk(b"", 6)]
    assert near == []


def test_lines_with_carriage_returns_split_too() -> None:
    chunks, _ = split_input(b"a\r\n// -----\r\nb\r\n")
    assert [chunk.text for chunk in chunks] == [b"a\r\n", b"b\r\n"]


def test_near_misses_are_told() -> None:
    assert split_input(b"// ---\n// ------\n// --\n//-----\n")[1] == [1, 2]
    assert len(split_input(b"a\n// -----\nb", "//")[0]) == 1
