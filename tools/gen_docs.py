"""Write what is generated from the sources: references, pictures, the IRDL file, a grammar.

`python -m mlir_gs.tools.gen_docs` in a checkout writes them, `--check` only says which are stale.
"""

import argparse
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from mlir_gs.dialect import irdl_text
from mlir_gs.tools.docs.frontends import frontends_markdown, pages
from mlir_gs.tools.docs.functions import functions_markdown, groups_markdown, rows_markdown
from mlir_gs.tools.docs.ops import dialect_markdown, generic_markdown
from mlir_gs.tools.docs.passes import pass_pages, passes_markdown, pipelines_markdown
from mlir_gs.tools.docs.pictures import pictures
from mlir_gs.tools.docs.prove import prove_markdown
from mlir_gs.tools.docs.road import road_svg
from mlir_gs.tools.docs.targets import targets_markdown
from mlir_gs.tools.docs.tools import tools_markdown
from mlir_gs.tools.editors.grammar import grammar_text

FILES: dict[str, Callable[[], str]] = {
    "docs/dialect.md": dialect_markdown,
    "docs/generic.md": generic_markdown,
    **pictures(),
    "docs/images/road.svg": road_svg,
    "docs/passes.md": passes_markdown,
    **pass_pages(),
    "docs/pipelines.md": pipelines_markdown,
    "docs/frontends.md": frontends_markdown,
    **pages(),
    "docs/functions.md": functions_markdown,
    "docs/groups.md": groups_markdown,
    "docs/rows.md": rows_markdown,
    "docs/prove.md": prove_markdown,
    "docs/targets.md": targets_markdown,
    "docs/tools.md": tools_markdown,
    "dialect/gs.irdl.mlir": irdl_text,
    "tools/editors/vscode/gs.tmLanguage.json": grammar_text,
}


def stale(root: Path) -> list[str]:
    """The files below `root` that are missing or not as the sources have it now."""
    return [name for name, text in FILES.items() if _read(root / name) != text()]


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
    names = stale(root)
    for name in names:
        if arguments.check:
            print(f"gen_docs: {name} is stale: python -m mlir_gs.tools.gen_docs", file=sys.stderr)
        else:
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            (root / name).write_text(FILES[name](), encoding="utf-8")
            print(f"wrote {name}")
    return int(arguments.check and bool(names))


if __name__ == "__main__":
    sys.exit(main())
