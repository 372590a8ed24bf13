"""The registry: options, pipeline text, mixed pass managers and what a failure reports."""

from dataclasses import dataclass, field
from typing import Annotated, Any, ClassVar, Literal

import pytest
from mlir_gs.dialect._bindings import ir
from mlir_gs.lowering.passes import registry
from mlir_gs.lowering.passes.pipeline_text import PipelineError, parse_pipeline, split_options
from mlir_gs.lowering.passes.python_passes import PassFailure
from mlir_gs.lowering.passes.registry import (
    build_pass_manager,
    fail,
    pass_text,
    register_pass,
    register_pipeline,
    registered_passes,
    run_pipeline,
)

TEXT = """func.func @f(%a: i32) -> i32 {
  %0 = arith.addi %a, %a : i32
  %1 = arith.addi %a, %a : i32
  return %1 : i32
}
"""

runs: list[Any] = []


@dataclass(frozen=True)
class Probe:
    """Record the options.

    A second paragraph.
    """

    name: ClassVar[str] = "probe"
    threads: int = field(default=1, metadata={"help": "how many"})
    tile_size: tuple[int, ...] = ()
    fast: bool = False
    ratio: float = 0.5
    label: str = "x"
    mode: Literal["clip", "fill"] = "clip"
    limit: int | None = None

    def __post_init__(self) -> None:
        if self.threads < 1:
            raise ValueError(f"option 'threads' must be at least 1, found {self.threads}")

    def run(self, module: Any) -> None:
        runs.append((self, module.name, ir.Context.current == module.context))


@dataclass(frozen=True)
class Failing:
    """Fail in the way that the option says."""

    name: ClassVar[str] = "failing"
    how: str = "emit"

    def run(self, module: Any) -> None:
        function = next(iter(module.regions[0].blocks[0]))
        if self.how == "emit":
            fail(function, "no luck here")
        if self.how == "text":
            raise PassFailure("no luck at all")
        if self.how == "nested":
            run_pipeline(module, "one-shot-bufferize{dialect-filter=none},nested-failing")
        raise KeyError(self.how)


@dataclass(frozen=True)
class NestedFailing:
    """Fail at the second operation of the function."""

    name: ClassVar[str] = "nested-failing"

    def run(self, module: Any) -> None:
        function = next(iter(module.regions[0].blocks[0]))
        fail(list(function.regions[0].blocks[0])[1].operation, "inner trouble")


def expand(
    threads: Annotated[int, "how many"] = 2, fold: bool = True, bad: bool = False
) -> list[str]:
    parts = [f"probe{{threads={threads}}}", "func.func(cse)"]
    return parts + (["canonicalize"] if fold else []) + (["round"] if bad else [])


@pytest.fixture(autouse=True)
def _registered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "_passes", {})
    monkeypatch.setattr(registry, "_pipelines", {})
    for cls in (Probe, Failing, NestedFailing):
        register_pass(cls)
    register_pipeline("probe-and-cse", doc="Probe, then clean up.")(expand)
    register_pipeline("round", doc="Endless.")(lambda: ["round"])
    runs.clear()


@pytest.fixture
def module() -> Any:
    with ir.Context():
        return ir.Module.parse(TEXT)


def probe(text: str, module: Any) -> Probe:
    run_pipeline(module, text)
    return runs[-1][0]


def test_ours_and_upstream_in_one_text(module: Any) -> None:
    run_pipeline(module, "builtin.module(func.func(cse), probe{threads=3},canonicalize)")
    assert runs == [(Probe(threads=3), "builtin.module", True)]
    assert str(module).count("arith.addi") == 1


@pytest.mark.parametrize("text", ["", " ", "builtin.module(cse)", "any(cse)", "cse", " cse , cse "])
def test_wrapped_or_not(text: str, module: Any) -> None:
    run_pipeline(module, text)


def test_every_kind_of_option(module: Any) -> None:
    text = "probe{threads=0x10 tile-size=1,2,3 fast ratio=.25 label={a b} mode=fill limit=7}"
    expected = Probe(16, (1, 2, 3), True, 0.25, "a b", "fill", 7)
    assert probe(text, module) == expected
    assert probe(pass_text(expected), module) == expected
    assert probe("probe{tile-size={} label='' fast=false}", module) == Probe(label="")
    assert pass_text(Probe()) == "probe"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("nope", "'nope' does not refer to a registered pass or pass pipeline"),
        ("cse,prob", "'prob' does not refer to a registered pass or pass pipeline; did you mean"),
        ("func.func(nope)", "'nope' does not refer to a registered pass or pass pipeline"),
        ("probe{thread=1}", "'probe' has no option 'thread'; did you mean 'threads'?"),
        ("nested-failing{a=1}", "'nested-failing' has no option 'a' (it has none)"),
        ("probe{threads=x}", "'probe': option 'threads': expected int, found 'x'"),
        ("probe{threads}", "'probe': option 'threads' needs a value (int)"),
        ("probe{threads=1 threads=2}", "'probe': option 'threads' is given twice"),
        ("probe{fast=maybe}", "'probe': option 'fast': expected bool, found 'maybe'"),
        ("probe{tile-size=1,,2}", "expected int,..., found '1,,2'"),
        ("probe{mode=wrap}", "'probe': option 'mode': expected clip|fill, found 'wrap'"),
        ("probe{threads=0}", "'probe': option 'threads' must be at least 1, found 0"),
        ("probe{label='x}", "missing closing '"),
        ("probe{=3}", "expected an option name at '=3'"),
        ("scf.for(probe)", "'probe' runs on the module: it cannot be nested in 'scf.for(...)'"),
        ("func.func(cse,probe-and-cse)", "'probe-and-cse' runs on the module"),
        ("round", "pipeline 'round' contains itself"),
        ("probe-and-cse{bad}", "pipeline 'round' contains itself"),
        ("probe-and-cse{threads=0}", "'threads' must be at least 1"),
        ("probe-and-cse{foo=0}", "'probe-and-cse' has no option 'foo'"),
        ("func.func(cse", "unbalanced parentheses"),
        ("cse)", "extra closing ')'"),
        ("cse,", "expected the name of a pass"),
        ("func.func()", "nothing to run in 'func.func()'"),
        ("probe{threads=1", "missing closing '}'"),
        ("cse cse", "'cse cse' does not refer"),
        ("any(" * 5000 + "cse" + ")" * 5000, "nested more than 100 deep"),
        ("cse{a=1} cse", "expected ',' after 'cse'"),
        ("canonicalize{foo=1}", "no such option foo"),
        ("func.func(convert-func-to-llvm)", "restricted to 'builtin.module'"),
    ],
)
def test_wrong_text(text: str, reason: str, module: Any) -> None:
    with pytest.raises(PipelineError) as caught:
        build_pass_manager(text, module.context)
    assert reason in caught.value.reason
    assert "\n" not in caught.value.reason


@pytest.mark.parametrize(
    ("text", "column", "reason"),
    [
        (
            "builtin.module(cse,func.func(nope))",
            30,
            "'nope' does not refer to a registered pass or pass pipeline",
        ),
        # What a pipeline stands for was not written by the reader.
        (
            "cse,probe-and-cse{threads=0}",
            5,
            "'probe-and-cse': 'probe': option 'threads' must be at least 1, found 0",
        ),
    ],
)
def test_error_points_into_the_text(text: str, column: int, reason: str, module: Any) -> None:
    with pytest.raises(PipelineError) as caught:
        build_pass_manager(text, module.context)
    assert str(caught.value) == (
        f"MLIR Textual PassPipeline Parser:1:{column}: error: {reason}\n"
        f"{text}\n{' ' * (column - 1)}^"
    )


def test_pipeline_expands_with_its_options(module: Any) -> None:
    manager = build_pass_manager("probe-and-cse{threads=5 fold=0}", module.context)
    assert str(manager) == "builtin.module(probe{threads=5},func.func(cse))"
    assert "canonicalize" in str(build_pass_manager("probe-and-cse", module.context))


def test_failure_carries_the_diagnostics(module: Any) -> None:
    with pytest.raises(PassFailure, match=r"^-:1:1: error: no luck here$"):
        run_pipeline(module, "failing,probe")
    assert not runs
    with pytest.raises(PassFailure, match=r"^-:\d+:\d+: error: no luck at all$"):
        run_pipeline(module, "failing{how=text}")


def test_failure_of_an_inner_pipeline_keeps_its_place(module: Any) -> None:
    with pytest.raises(PassFailure, match=r"^-:3:8: error: inner trouble$"):
        run_pipeline(module, "failing{how=nested}")


def test_failure_upstream_keeps_notes() -> None:
    with ir.Context() as ctx:
        ctx.allow_unregistered_dialects = True
        module = ir.Module.parse(
            'func.func @f(%a: tensor<2xi8>) { "a.b"(%a) : (tensor<2xi8>) -> () return }'
        )
    with pytest.raises(PassFailure) as caught:
        run_pipeline(module, "one-shot-bufferize")
    error, note = str(caught.value).splitlines()
    assert error == "-:1:34: error: op was not bufferized"
    assert note.startswith("-:1:34: note: see current operation: ")


def test_exception_in_a_pass_reaches_the_caller_as_itself(module: Any) -> None:
    with pytest.raises(KeyError, match="crash"):
        run_pipeline(module, "failing{how=crash}")
    # The context is still usable: nothing was unwound halfway.
    run_pipeline(module, "cse,probe")


def test_ir_printing_names_the_pass_and_its_options(module: Any, capfd: Any) -> None:
    run_pipeline(module, "probe{threads=2}", ir_printing={"print_after_all": True})
    assert "IR Dump After Probe: probe{threads=2}" in capfd.readouterr().err


def test_registration_refuses_what_is_no_pass() -> None:
    with pytest.raises(ValueError, match="'probe' is registered twice"):
        register_pass(Probe)

    class Plain:
        """Not a dataclass."""

        name = "plain"

        def run(self, module: Any) -> None:
            """Nothing."""

    with pytest.raises(TypeError, match="Plain: a pass is a frozen dataclass"):
        register_pass(Plain)

    @dataclass(frozen=True)
    class Odd:
        """An option of a type that no text can spell."""

        name: ClassVar[str] = "odd"
        values: dict[str, int] = field(default_factory=dict)

        def run(self, module: Any) -> None:
            """Nothing."""

    with pytest.raises(TypeError, match=r"Odd\.values: .* cannot be the type of an option"):
        register_pass(Odd)
    assert list(registered_passes()) == ["failing", "nested-failing", "probe"]


def test_parse_pipeline_keeps_places() -> None:
    text = "a{x={1 2} y='}'} , b(c,d{z})"
    first, second = parse_pipeline(text)
    assert (first.name, first.options, first.children) == ("a", "x={1 2} y='}'", None)
    assert [e.name for e in second.walk()] == ["b", "c", "d"]
    assert text[second.start : second.end] == "b(c,d{z})"
    assert split_options("x={1 2} y='}' z") == [("x", "1 2"), ("y", "}"), ("z", None)]
