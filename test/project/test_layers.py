"""Imports go one way: bindings, dialect, lowering, prove, frontend, execution, integrations,
tools, and so between the parts of each."""

import ast
from collections.abc import Iterator
from graphlib import CycleError, TopologicalSorter
from itertools import pairwise
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
ROOMS = ["dialect", "lowering", "prove", "frontend", "execution", "integrations", "tools"]
PROVIDERS = {"mlir", "torch_mlir"}
FILES = sorted(path for room in ROOMS for path in (ROOT / room).rglob("*.py"))
IDS = [path.relative_to(ROOT).as_posix() for path in FILES]


def module_name(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(["mlir_gs", *(part for part in parts if part != "__init__")])


def imports(path: Path) -> Iterator[tuple[str, list[str]]]:
    """Each imported module, and the names taken from it."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield alias.name, []
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative import"
            yield node.module or "", [alias.name for alias in node.names]


@pytest.mark.parametrize("path", FILES, ids=IDS)
def test_imports_go_one_way(path: Path) -> None:
    room = ROOMS.index(path.relative_to(ROOT).parts[0])
    for name, taken in imports(path):
        assert "*" not in taken, f"star import of {name}"
        first, *rest = name.split(".")
        assert first not in PROVIDERS, f"{name}: only dialect/_bindings.py chooses the provider"
        assert first not in ROOMS, f"{name}: import mlir_gs.{name}"
        # Below all rooms, in the package's root.
        if first == "mlir_gs" and rest not in (["_forks"], ["_texts"]):
            rooms = [rest[0]] if rest else [each for each in taken if each in ROOMS]
            for each in rooms:
                assert ROOMS.index(each) <= room, f"{name} is above {ROOMS[room]}/"


# Folders whose parts are packages themselves.
DIVIDED = sorted(
    {path.parents[1] for room in ROOMS for path in (ROOT / room).rglob("*/__init__.py")}
)


@pytest.mark.parametrize("folder", DIVIDED, ids=[f.relative_to(ROOT).as_posix() for f in DIVIDED])
def test_parts_of_a_folder_import_one_way(folder: Path) -> None:
    """Taken as a whole, a package or file of a folder needs no other that needs it."""
    name = ".".join(["mlir_gs", *folder.relative_to(ROOT).parts])
    parts = {path.stem for path in folder.glob("*.py")} | {
        p.parent.name for p in folder.glob("*/__init__.py")
    }
    graph: dict[str, dict[str, str]] = {part: {} for part in parts - {"__init__"}}
    for path in folder.rglob("*.py"):
        part = path.relative_to(folder).with_suffix("").parts[0]
        if part == "__init__":
            continue
        for module, taken in imports(path):
            if module == name:
                targets = [each for each in taken if each in graph]
            elif module.startswith(f"{name}."):
                targets = [module.removeprefix(f"{name}.").split(".")[0]]
            else:
                targets = []
            for target in targets:
                if target != part:
                    graph[part].setdefault(target, f"{path.relative_to(ROOT)} imports {module}")
    order = TopologicalSorter(graph)
    try:
        order.prepare()
    except CycleError as error:
        # Each is needed by the one before it.
        trail = error.args[1][::-1]
        pytest.fail("\n".join(graph[a][b] for a, b in pairwise(trail)), pytrace=False)


def test_provider_is_named_in_one_file() -> None:
    named = {
        path.relative_to(ROOT).as_posix()
        for path in FILES
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Constant) and node.value in PROVIDERS
    }
    assert named <= {"dialect/_bindings.py"}


def test_no_module_imports_itself_in_a_round() -> None:
    names = {module_name(path) for path in FILES}
    graph: dict[str, set[str]] = {}
    for path in FILES:
        targets = set()
        for name, taken in imports(path):
            targets |= {name} if name in names else set()
            targets |= {f"{name}.{each}" for each in taken} & names
        # `from mlir_gs.lowering import x` also names the package that is being imported.
        name = module_name(path)
        graph[name] = {each for each in targets if not f"{name}.".startswith(f"{each}.")}
    done: set[str] = set()

    def visit(name: str, trail: tuple[str, ...]) -> None:
        assert name not in trail, " -> ".join([*trail[trail.index(name) :], name])
        if name not in done:
            for target in graph[name]:
                visit(target, (*trail, name))
            done.add(name)

    for name in graph:
        visit(name, ())


@pytest.mark.parametrize("room", ROOMS)
def test_ruff_bans_the_rooms_above(room: str) -> None:
    text = (ROOT / room / "ruff.toml").read_text(encoding="utf-8")
    for other in ROOMS[ROOMS.index(room) + 1 :]:
        assert f'"mlir_gs.{other}".msg' in text
    for provider in PROVIDERS:
        assert f'"{provider}".msg' in text
