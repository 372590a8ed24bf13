"""What the command lines of gs-run, gs-compile and gs-reduce share."""

import argparse
from collections.abc import Sequence
from typing import Any, NoReturn

from mlir_gs.tools.common.command_line import UsageError
from mlir_gs.tools.common.completion import SHELLS, Word, script
from mlir_gs.tools.common.version import version_text


class _Shows(argparse.Action):
    """Prints the text that `const` makes of the parser and the value, and exits."""

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: Any,
        option_string: str | None = None,
    ) -> None:
        print(self.const(parser, values), end="")
        parser.exit()


def _completion(parser: argparse.ArgumentParser, shell: str) -> str:
    words = [
        Word(flag, action.help or "", None if action.nargs == 0 else list(action.choices or ()))
        for action in parser._actions
        for flag in action.option_strings
    ]
    return script(shell, parser.prog, words)


def _versions(parser: argparse.ArgumentParser, _: Any) -> str:
    return f"{version_text(parser.prog)}\n"


class Parser(argparse.ArgumentParser):
    """A parser whose errors are UsageError, and that knows no short forms of flags."""

    def __init__(self, prog: str, description: str, epilog: str) -> None:
        super().__init__(
            prog=prog,
            description=description,
            epilog=epilog,
            formatter_class=argparse.RawDescriptionHelpFormatter,
            allow_abbrev=False,
        )

    def add(self, spec: str, help: str, **more: Any) -> None:
        """A flag with the placeholder of its value, `-o --output FILE`, a switch, `--check`, or an
        argument, `file`; `more` is argparse's."""
        *names, last = spec.split()
        if names and not last.startswith("-"):
            more["metavar"] = last
        else:
            names.append(last)
            if last.startswith("-") and "action" not in more:
                more["action"] = "store_true"
        self.add_argument(*names, help=help, **more)

    def error(self, message: str) -> NoReturn:
        raise UsageError(f"{message} ({self.prog} --help)")

    def read(self, argv: Sequence[str]) -> argparse.Namespace:
        """Read `argv`, with the flags that every tool has. Raises UsageError; `--help` exits."""
        # The console takes these out before.
        whole = "work in a process of its own (default; =false for debuggers)"
        self.add("--isolate =BOOL", whole, nargs="?")
        for limit, text in (("time", "seconds"), ("memory", "megabytes")):
            self.add(f"--{limit}-limit N", f"end it when it takes more than N {text}")
        self.add(
            "--load FILE",
            "first run this Python file, which registers ops, passes, patterns or strategies "
            "(also: MLIR_GS_LOAD)",
        )
        shells = f'print a script that completes flags: eval "$({self.prog} --completion=bash)"'
        self.add("--completion", shells, choices=SHELLS, action=_Shows, const=_completion)
        text = "print the versions of this and of MLIR"
        self.add("--version", text, nargs=0, action=_Shows, const=_versions)
        self.add("--debug", "show tracebacks")
        found = self.parse_args(list(argv))
        for action in self._actions:
            value = getattr(found, action.dest, None)
            # What argparse makes of the value `--`.
            if action.nargs not in (None, "?") or not isinstance(value, list):
                continue
            if [] in value or (not value and action.default != []):
                self.error(f"argument {'/'.join(action.option_strings)}: expected a value")
        return found


def add_pipeline(parser: Parser) -> None:
    """The flag for passes that run first."""
    parser.add("--pass-pipeline TEXT", "run these passes before the compiler's own")


def add_target(parser: Parser, otherwise: str) -> None:
    """The flag for the machine that loops are made for."""
    parser.add(
        "--target TARGET",
        "make loops for a profile, native or a .json file, with other numbers behind colons"
        f" (docs/targets.md; default: {otherwise})",
    )


def positive(text: str) -> int:
    """A number above 0, as the type of an argument."""
    value = count(text)
    if value == 0:
        raise argparse.ArgumentTypeError("expected a number above 0, found 0")
    return value


def count(text: str) -> int:
    """A number of at least 0, as the type of an argument."""
    # Python makes no number of more digits than some thousands, and memory no array.
    if not text.isdecimal() or len(text) > 100:
        raise argparse.ArgumentTypeError(f"expected a number, found '{text:.100}'")
    return int(text)


def seconds(text: str) -> float:
    """A finite number of seconds above 0, as the type of an argument."""
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not 0 < value < float("inf"):
        found = f"expected a number of seconds above 0, found '{text:.100}'"
        raise argparse.ArgumentTypeError(found)
    return value
