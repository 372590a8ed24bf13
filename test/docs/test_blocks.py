"""Every MLIR block in the documents and in the ops' docstrings parses and verifies."""

import inspect
import re
from pathlib import Path

import mlir_gs.frontend
import pytest
from mlir_gs.dialect import Gs, context
from mlir_gs.dialect.assembly import to_generic
from mlir_gs.frontend.parse import ParseError, parse

ROOT = Path(__file__).parents[2]
DOCUMENTS = [*sorted((ROOT / "docs").rglob("*.md")), *sorted(ROOT.glob("*.md"))]
BLOCK = re.compile(r"^( *)```mlir\n(.*?)^\1```$", re.MULTILINE | re.DOTALL)
SOURCES = {
    **{path.relative_to(ROOT).as_posix(): path.read_text(encoding="utf-8") for path in DOCUMENTS},
    **{op.OPERATION_NAME: inspect.cleandoc(op.__doc__) for op in Gs.operations},
}
BLOCKS = [
    pytest.param(match[2], id=f"{name}:{source.count(chr(10), 0, match.start()) + 2}")
    for name, source in SOURCES.items()
    for match in BLOCK.finditer(source)
]
OPENING, CLOSING = "([{<", ")]}>"


def skip_balanced(text: str, start: int) -> int:
    """The place after the bracket that closes the one at `start`."""
    depth = 0
    for place in range(start, len(text)):
        # The head of an arrow closes nothing.
        if text[place] == ">" and text[place - 1] == "-":
            continue
        depth += (text[place] in OPENING) - (text[place] in CLOSING)
        if depth == 0:
            return place + 1
    raise AssertionError(f"unbalanced brackets in {text[start:]}")


def split_types(text: str) -> list[str]:
    types, start, place = [], 0, 0
    while place < len(text):
        if text[place] in OPENING:
            place = skip_balanced(text, place)
        elif text[place] == ",":
            types.append(text[start:place].strip())
            place = start = place + 1
        else:
            place += 1
    return [each for each in [*types, text[start:].strip()] if each]


def operand_types(snippet: str) -> dict[str, str]:
    """Value to type, for the operands of ops in generic form and of upstream's gather, scatter."""
    found: dict[str, str] = {}
    for op in re.finditer(r'"[\w.]+"(?=\()|\btensor\.(gather|scatter)\b', snippet):
        colon = op.end()
        while snippet[colon] != ":":
            colon = skip_balanced(snippet, colon) if snippet[colon] in OPENING else colon + 1
        generic = snippet[op.end()] == "("
        end = skip_balanced(snippet, op.end()) if generic else colon
        operands = re.findall(r"%\w+", snippet[op.end() : end])
        start = snippet.index("(", colon)
        types = split_types(snippet[start + 1 : skip_balanced(snippet, start) - 1])
        found.update(zip(operands, types, strict=True))
    return found


def as_module(snippet: str) -> str:
    """`snippet` if it holds functions, else it as the body of one whose arguments it lacks."""
    if re.search(r"\b(func\.func|module)\b", snippet):
        return snippet
    code = to_generic(re.sub(r"//.*", "", snippet).encode()).text.decode()
    defined = set(re.findall(r"%\w+", " ".join(re.findall(r"^\s*(%[\w, %:]+?) =", code, re.M))))
    defined |= set(re.findall(r"(%\w+):", " ".join(re.findall(r"\^\w+\(.*?\):", code, re.S))))
    missing = {name: t for name, t in operand_types(code).items() if name not in defined}
    arguments = ", ".join(f"{name}: {type_}" for name, type_ in missing.items())
    return f"func.func @snippet({arguments}) {{\n{snippet}\nreturn\n}}"


@pytest.mark.parametrize("block", BLOCKS)
def test_block_verifies(block: str) -> None:
    # The dialects of the front ends are in scope, as in gs-opt.
    assert mlir_gs.frontend.__all__
    module = as_module(block)
    try:
        parse(module, context())
    except ParseError as error:
        pytest.fail(f"{error}\n{module}", pytrace=False)


@pytest.mark.parametrize("op", Gs.operations, ids=lambda op: op.OPERATION_NAME)
def test_example_shows_the_op(op: type) -> None:
    found = BLOCK.findall(inspect.cleandoc(op.__doc__ or ""))
    assert len(found) == 1
    assert re.search(rf"(?<![\w\"]){op.OPERATION_NAME} [%(]", found[0][1])


def test_wrong_block_is_found() -> None:
    good = BLOCK.findall(SOURCES["gs.gather"])[0][1]
    parse(as_module(good), context())
    with pytest.raises(ParseError):
        parse(as_module(good.replace("gather_dims([0])", "gather_dims([7])")), context())
