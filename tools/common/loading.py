"""`--load FILE` of every tool: Python files that register ops, passes, patterns or strategies."""

import importlib.util
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from mlir_gs.tools.common.command_line import UsageError

VARIABLE = "MLIR_GS_LOAD"
"""The environment variable with files that are loaded first, between `os.pathsep`."""


loaded: list[str] = []
"""The files that this process has loaded, for processes that it starts."""


def split_load(arguments: Sequence[str]) -> tuple[list[str], list[str]]:
    """The arguments without `--load`, and the files that are to be loaded. Raises UsageError."""
    files = [each for each in os.environ.get(VARIABLE, "").split(os.pathsep) if each]
    words = list(arguments)
    end = words.index("--") if "--" in words else len(words)
    rest: list[str] = []
    given = iter(words[:end])
    for argument in given:
        name, equals, text = argument.lstrip("-").partition("=")
        if not argument.startswith("-") or name != "load":
            rest.append(argument)
            continue
        file = text if equals else next(given, "")
        if not file:
            raise UsageError("--load: expected a file")
        files.append(file)
    return rest + words[end:], files


def load(files: Sequence[str]) -> None:
    """Run each file once, as a module of its name. Raises UsageError with the file and line."""
    for file in files:
        path = Path(file)
        if not path.is_file():
            raise UsageError(f"--load: {file}: no such file")
        known = sys.modules.get(path.stem)
        if known is not None and getattr(known, "__file__", None) == str(path.resolve()):
            continue
        if known is not None:
            raise UsageError(f"--load: {file}: there is a module '{path.stem}' already")
        spec = importlib.util.spec_from_file_location(path.stem, path.resolve())
        if spec is None or spec.loader is None:
            raise UsageError(f"--load: {file}: expected a file that ends in .py")
        module = importlib.util.module_from_spec(spec)
        sys.modules[path.stem] = module
        try:
            spec.loader.exec_module(module)
        except Exception as error:
            del sys.modules[path.stem]
            raise UsageError(f"{_place(error, path)}: {type(error).__name__}: {error}") from error
        loaded.append(str(path.resolve()))


def _place(error: Exception, path: Path) -> str:
    """`file:line` of the last line of the file that ran."""
    if isinstance(error, SyntaxError):
        return f"{path}:{error.lineno}"
    found, trace = str(path), error.__traceback__
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == str(path.resolve()):
            found = f"{path}:{trace.tb_lineno}"
        trace = trace.tb_next
    return found
