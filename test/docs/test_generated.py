"""The generated documents are current, and say of each op and pass what there is to say."""

from pathlib import Path

import pytest
from mlir_gs.dialect import Gs
from mlir_gs.lowering import registered_passes, registered_pipelines
from mlir_gs.lowering.passes.registry import pass_options
from mlir_gs.tools import gen_docs
from mlir_gs.tools.docs.ops import parse_constraints

ROOT = Path(__file__).parents[2]


def section(name: str, file: str, level: str) -> str:
    text = (ROOT / "docs" / file).read_text(encoding="utf-8")
    return text.split(f"\n{level} {name}\n")[1].split(f"\n{level} ")[0]


def test_files_are_current() -> None:
    assert list(gen_docs.stale(ROOT)) == [], "python -m mlir_gs.tools.gen_docs writes them anew"


@pytest.mark.parametrize("op", Gs.operations, ids=lambda op: op.OPERATION_NAME)
def test_section_of_op(op: type) -> None:
    name = op.OPERATION_NAME
    file = "generic.md" if name in ("gs.generic", "gs.yield") else "dialect.md"
    text = section(name, file, "##")
    assert text.count("\n- C") == len(parse_constraints(op)) > 0
    assert text.count("```mlir\n") == 1
    table = [line for line in text.splitlines() if line.startswith("| ")]
    fields = [*op.ATTRIBUTES.required, *op.ATTRIBUTES.optional]
    assert all(any(f"`{field}`" in line for line in table) for field in fields)
    # What has no constraint of its own is described for all ops, or is Undefined of this one.
    for line in table[2:]:
        if line.endswith("|  |"):
            assert any(free in line for free in ("`unique`", "`sorted`", "`value`", "`more`")), line


def test_every_pass_and_pipeline_is_in_the_reference() -> None:
    for name in registered_passes():
        page = f"({_link(name)}#{name})"
        assert page in (ROOT / "docs/passes.md").read_text(encoding="utf-8")
        assert len(section(name, _link(name), "##").split()) > 3, name
    for name in registered_pipelines():
        assert len(section(name, "pipelines.md", "##").split()) > 3, name


def _link(name: str) -> str:
    """The page of a pass, from `docs/`."""
    pages = [file for file in gen_docs.FILES if file.startswith("docs/passes/")]
    (page,) = (file for file in pages if f"\n## {name}\n" in gen_docs.FILES[file]())
    return page.removeprefix("docs/")


def test_options_have_help() -> None:
    assert not [
        f"{name}: {option.name}"
        for name, cls in registered_passes().items()
        for option in pass_options(cls)
        if not option.help
    ]


def test_check_flag(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert gen_docs.main([]) == 1
    assert "is not the root of a checkout" in capsys.readouterr().err
    names = [*gen_docs.FILES, *gen_docs.PARTS]
    for name in names:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
    (tmp_path / "pyproject.toml").touch()
    assert gen_docs.main(["--check"]) == 1
    assert capsys.readouterr().err.count("is stale") == len(names)
    assert not (tmp_path / "docs/passes.md").exists()
    assert gen_docs.main([]) == 0
    assert gen_docs.main(["--check"]) == 0
    page = tmp_path / "docs/passes.md"
    page.write_text(f"By hand.\n\n{page.read_text()}More.\n".replace("gs-fuse", "gs-fused"))
    capsys.readouterr()
    assert gen_docs.main(["--check"]) == 1
    assert "docs/passes.md is stale" in capsys.readouterr().err
    assert gen_docs.main([]) == 0
    text = page.read_text()
    assert text.startswith("By hand.\n")
    assert text.endswith("-->\nMore.\n")
    assert "[`gs-fuse`]" in text
