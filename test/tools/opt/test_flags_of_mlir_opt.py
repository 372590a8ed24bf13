"""Each flag of the provider's own opt tool that is no pass, option or switch of LLVM's code
generation is a flag of gs-opt, or the documents say why not."""

import fnmatch
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from mlir_gs.dialect._bindings import module
from mlir_gs.tools import gs_opt
from mlir_gs.tools.opt.flags import FLAGS

OURS = {flag.name for flag in FLAGS}
PAGE = (Path(__file__).parents[3] / "docs/tools.md").read_text(encoding="utf-8")
TABLE = PAGE.partition("| mlir-opt | why |\n")[2].partition("\n\n")[0]
WHY_NOT = [name for names in re.findall("^. `(.*?)` ", TABLE, re.M) for name in names.split(", ")]
ABOUT_THE_TOOL = re.compile(
    "mlir-|emit-|elide-resource|debug|help|remark|log-|load-|color|verify-|split-|show-|list-|dump-"
    "|run-|irdl|no-implicit|output-|allow-unregistered|profile-actions|print-debug-counter"
)


def test_each_is_there_or_the_documents_say_why_not() -> None:
    tool = shutil.which("torch-mlir-opt", path=str(Path(module("_mlir_libs").__file__).parent))
    if tool is None:
        pytest.skip("the bindings come without an opt tool")
    command = [tool, "--help-list-hidden"]
    text = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    flags = {
        flag for flag in re.findall(r"^  --([\w-]+)", text, re.M) if ABOUT_THE_TOOL.match(flag)
    }
    assert len(flags) > 50
    missing = {flag for flag in flags - OURS if not any(fnmatch.fnmatch(flag, w) for w in WHY_NOT)}
    assert missing == set()


def test_no_flag_that_is_there_is_said_to_be_missing() -> None:
    assert not OURS.intersection(WHY_NOT)


def test_flags_are_listed_by_name(capsys: pytest.CaptureFixture[str]) -> None:
    assert gs_opt.main(["--help-list"]) == 0
    listed = re.findall(r"^  --?([\w-]+)", capsys.readouterr().out, re.M)
    assert listed == sorted(OURS)
