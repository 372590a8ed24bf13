"""Texts that nest deeply are refused before they are parsed, in each way that the grammar has."""

import importlib.util
from pathlib import Path

import pytest
from mlir_gs.lowering.passes.input_limits import over_limit

_SPEC = importlib.util.spec_from_file_location(
    "deep_texts", Path(__file__).parents[2] / "fuzz" / "deep_texts.py"
)
assert _SPEC is not None
assert _SPEC.loader is not None
deep_texts = importlib.util.module_from_spec(_SPEC)
_SPEC.loader.exec_module(deep_texts)

FLAT = ("sums", "differences", "products", "quotients", "arrows", "symbols")
"""MLIR does not recurse."""


@pytest.mark.parametrize("kind", deep_texts.KINDS)
def test_deep_and_flat(kind: str) -> None:
    text = deep_texts.KINDS[kind](5000).encode()
    assert (over_limit(text) is None) == (kind in FLAT)
    assert over_limit(deep_texts.KINDS[kind](10).encode()) is None


LARGE = ("4611686018427387904x", "8x72057594037927936x", "1x" * 65, "?x" * 1000, "2x" * 64)
LARGE += ("0x9223372036854775807x", "[4]x99999999999999999999999999x", "9" * 5000 + "x")
FITS = ("288230376151711744x", "1x" * 64, "?x" * 64, "0x16777216x?x")


@pytest.mark.parametrize("kind", ["tensor", "memref"])
def test_shapes_that_no_array_has(kind: str) -> None:
    for shape in LARGE:
        found = over_limit(f"\n func.func @f(%a: {kind}<{shape}f32>) {{ return }}".encode())
        assert found is not None
        assert found[:2] == (2, 19)
        assert found[2].startswith(f"a {kind} of ")
        assert len(found[2]) < 300
    for shape in FITS:
        assert over_limit(f"func.func @f(%a: {kind}<{shape}f32>) {{ return }}".encode()) is None


def test_vectors_that_llvm_does_not_survive() -> None:
    assert over_limit(b"vector<65536xf32>, vector<256x256xi1>, vector<[4]xf32>") is None
    for shape in ("65537x", "1099511627776x", "256x[257]x", "1048576x1048576x"):
        assert over_limit(f"vector<{shape}f32>".encode()) is not None


def test_aliases_may_be_many() -> None:
    lines = [f'#loc{k} = loc("f{k}"(#loc{k // 2}))' for k in range(1, 3000)]
    uses = [f"%{k} = arith.constant {k} : i32 loc(#loc{k})" for k in range(1, 3000)]
    assert over_limit("\n".join([*uses, '#loc0 = loc("a")', *lines]).encode()) is None
    assert over_limit("\n".join(['#loc0 = loc("a")', *lines, *uses]).encode()) is None


def test_aliases_of_many_others() -> None:
    """Few of them stand for more than anybody prints."""
    lines = [f"#x{k} = [{', '.join([f'#x{k - 1}'] * 100)}]" for k in range(1, 6)]
    found = over_limit("\n".join(["#x0 = 1 : i32", *lines, "module {}"]).encode())
    assert found is not None
    assert found[2] == "aliases stand for more than 1048576 others"


def test_many_uses_in_the_generic_form() -> None:
    uses = '  "t.use"() {m = [#a, #b]} : () -> ()\n' * 3000
    whole = f'#a = 1 : i32\n#b = [#a]\n"builtin.module"() ({{\n{uses}}}) : () -> ()\n'
    assert over_limit(whole.encode()) is None


def test_what_may_hide_aliases() -> None:
    """Definitions on more lines, of strings and with comments count as those on one do."""
    for step in ("[\n@, @]", "[@, //]\n@]", '["]" , @, @]', "[@,\n\n@]", "{a = @, b =\n@}"):
        lines = [f"#x{k} = {step.replace('@', f'#x{k - 1}')}" for k in range(1, 40)]
        text = "\n".join(["#x0 = 1 : i32", *lines, "module attributes {m.a = #x39} {}"])
        assert over_limit(text.encode()) is not None, step
