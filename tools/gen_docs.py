"""Write what is generated from the sources: references, pictures, the IRDL file, a grammar.

`python -m mlir_gs.tools.gen_docs` in a checkout writes them, `--check` only says which are stale.
Of a page that is written by hand, the parts between `<!-- generated: NAME -->` and `<!-- end of
NAME -->` are.
"""

import argparse
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from mlir_gs.dialect import irdl_text
from mlir_gs.tools.docs import frontends, ops, passes, prove, targets, tools
from mlir_gs.tools.docs.functions import function_pages
from mlir_gs.tools.docs.pictures import pictures
from mlir_gs.tools.docs.road import road_svg
from mlir_gs.tools.editors.grammar import grammar_text

Made = Callable[[], str]

FILES: dict[str, Made] = {
    **pictures(),
    "docs/images/road.svg": road_svg,
    **passes.pass_pages(),
    **frontends.pages(),
    "dialect/gs.irdl.mlir": irdl_text,
    "tools/editors/vscode/gs.tmLanguage.json": grammar_text,
}
PARTS: dict[str, Mapping[str, Made]] = {
    "docs/dialect.md": {"contents": ops.contents, "ops": ops.named_ops},
    "docs/generic.md": {"ops": ops.structured_ops},
    "docs/passes.md": {"passes": passes.pass_table},
    "docs/pipelines.md": {"pipelines": passes.pipelines},
    "docs/frontends.md": {"languages": frontends.front_end_table},
    **function_pages(),
    "docs/prove.md": {"rewrites": prove.proved, "orders": prove.orders},
    "docs/targets.md": {
        "facts": targets.facts,
        "profiles": targets.profile_tables,
        "numbers": targets.numbers,
        "strategies": targets.strategies,
    },
    "docs/tools.md": {"flags": tools.flags},
}


def stale(root: Path) -> dict[str, str]:
    """What the files below `root` should be that are missing or not as the sources have it now."""
    wanted = {name: made() for name, made in FILES.items()}
    wanted |= {name: _filled(_read(root / name) or "", parts) for name, parts in PARTS.items()}
    return {name: text for name, text in wanted.items() if _read(root / name) != text}


def _filled(page: str, parts: Mapping[str, Made]) -> str:
    """`page` with the text of each part between its marks, which are put at the end if missing."""
    for name, made in parts.items():
        begin, end = f"<!-- generated: {name} -->\n", f"<!-- end of {name} -->\n"
        before, _, rest = page.partition(begin)
        page = f"{before}{begin}{made()}{end}{rest.partition(end)[2]}"
    return page


def _read(path: Path) -> str | None:
    return path.read_text(encoding="utf-8") if path.exists() else None


def main(argv: Sequence[str] | None = None) -> int:
    """Run the tool on `argv` (default: the process's); returns the exit code."""
    parser = argparse.ArgumentParser(prog="gen_docs", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--check", action="store_true", help="write nothing; fail on stale files")
    arguments = parser.parse_args(argv)
    root = Path.cwd()
    if not (root / "pyproject.toml").exists() or not (root / "docs").is_dir():
        print(f"gen_docs: {root} is not the root of a checkout", file=sys.stderr)
        return 1
    found = stale(root)
    for name, text in found.items():
        if arguments.check:
            print(f"gen_docs: {name} is stale: python -m mlir_gs.tools.gen_docs", file=sys.stderr)
        else:
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            (root / name).write_text(text, encoding="utf-8")
            print(f"wrote {name}")
    return int(arguments.check and bool(found))


if __name__ == "__main__":
    sys.exit(main())
