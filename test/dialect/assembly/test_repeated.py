"""An op written as one before it is read as if it were the first, as is one that only seems so."""

import re

import pytest
from mlir_gs.dialect import assembly
from mlir_gs.dialect.assembly import read
from mlir_gs.dialect.assembly.form import namespaces
from mlir_gs.frontend.parse import ParseError, parse

_ARGUMENTS = ", ".join(f"%{v}: tensor<4xi64>" for v in "abcd")
_ADD = " {\n^bb0(%x: i64, %y: i64):\n  gs.yield %x : i64\n}"


def _two_symbols(first: str, second: str) -> str:
    types = ", ".join(["tensor<4xi64>"] * (2 if first == second else 3))
    return f"""gs.generic (p) [s = %{first}[p], t = %{second}[p]] ins(%m[s, t]) outs(%b[p])
    : (tensor<4x4xi64>, {types}) -> tensor<4xi64>{_ADD}"""


BODIES = {
    "other names": ["gs.scatter_elements %a into %b[%c] dim(0) : (tensor<4xi64>, tensor<4xi64>, "
                    "tensor<4xi64>) -> tensor<4xi64>",
                    "gs.scatter_elements %d into %b[%a] dim(0) : (tensor<4xi64>, tensor<4xi64>, "
                    "tensor<4xi64>) -> tensor<4xi64>"],
    "one name twice": [_two_symbols("c", "d"), _two_symbols("d", "d"), _two_symbols("c", "c")],
    "two for one": [_two_symbols("d", "d"), _two_symbols("c", "d"), _two_symbols("a", "b")],
    "a region after one without": [
        "gs.scatter_elements %a into %b[%c] dim(0) : (tensor<4xi64>, tensor<4xi64>, "
        f"tensor<4xi64>) -> tensor<4xi64>{region}" for region in ("", "\n" + _ADD, "", _ADD)
    ],
    "combiners": [
        f"gs.scatter_elements %{v} into %b[%c] dim(0) combine(add) : (tensor<4xi64>, "
        "tensor<4xi64>, tensor<4xi64>) -> tensor<4xi64>" for v in "abcd"
    ],
    "comments": [
        f"gs.gather_elements %{v}[%b] dim(0) // of %{v}\n  : (tensor<4xi64>, tensor<4xi64>) -> "
        "tensor<4xi64>" for v in "aabb"
    ],
    "locations": [
        f"gs.gather_elements %{v}[%b] dim(0) : (tensor<4xi64>, tensor<4xi64>) -> tensor<4xi64> "
        f'loc("{v}")' for v in "aabb"
    ],
    "one line and more": [
        f"gs.gather_elements %{v}[%b] dim(0){space}: (tensor<4xi64>, tensor<4xi64>) -> "
        "tensor<4xi64>" for v in "ab" for space in (" ", "\n  ", " ", "\n  ")
    ],
}  # fmt: skip


def _text(ops: list[str]) -> str:
    lines = "".join(f"  %r{number} = {op}\n" for number, op in enumerate(ops))
    return f"func.func @f(%m: tensor<4x4xi64>, {_ARGUMENTS}) {{\n{lines}  return\n}}\n"


@pytest.mark.parametrize("case", BODIES)
def test_read_as_the_first(case: str) -> None:
    text = _text(BODIES[case]).encode()
    quick, whole = assembly.to_generic(text), read.with_places(text.decode(), namespaces())
    assert quick.text.decode() == whole.text()
    printed = assembly.print(parse(text))
    apart = [assembly.print(parse(_text([op]))) for op in BODIES[case]]
    found = [re.search(r"gs\.[^{}\n]*", each[each.index("gs.") :]) for each in apart]
    assert all(each is not None and each[0].strip() in printed for each in found)


def test_an_error_in_a_repeated_op_has_its_place() -> None:
    op = "gs.gather_elements %{}[%b] dim(0) : (tensor<4xi64>, tensor<4xi64>) -> tensor<4xi64>"
    with pytest.raises(ParseError, match=r"^-:5:28: error: use of undeclared SSA value name"):
        parse(_text([op.format(v) for v in ("a", "c", "d", "e")]))
