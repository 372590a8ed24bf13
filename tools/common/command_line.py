"""Command lines in LLVM's style: one or two dashes, `--flag=value` or `--flag value`, any order.

What no flag table names is kept in order, for passes are flags too.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field

_BOOLS = {"true": True, "1": True, "false": False, "0": False}


class UsageError(Exception):
    """A command line that cannot be followed; the text is one line."""


@dataclass(frozen=True)
class Flag:
    """One flag.

    `value` is the placeholder of its value, empty for a switch; `optional` is what the flag means
    without one, None where the value is needed. `choices` are the values that are accepted. Values
    of one that `repeats` are joined by commas. `origin` says where the name is from: mlir-opt with
    the same meaning (empty), how the meaning differs, or that the flag is `ours`.
    """

    name: str
    help: str
    value: str = ""
    optional: str | None = None
    choices: tuple[str, ...] = ()
    group: str = "General"
    repeats: bool = False
    origin: str = ""

    def usage(self) -> str:
        """The flag as `--help` shows it."""
        dashes = "-" if len(self.name) == 1 else "--"
        if not self.value:
            return f"{dashes}{self.name}"
        if len(self.name) == 1:
            return f"-{self.name} <{self.value}>"
        shown = f"=<{self.value}>"
        return f"--{self.name}" + (shown if self.optional is None else f"[{shown}]")


@dataclass
class CommandLine:
    """What was given: switches, values, other `(name, value)` flags in order, and plain words."""

    switches: dict[str, bool] = field(default_factory=dict)
    values: dict[str, str] = field(default_factory=dict)
    others: list[tuple[str, str | None]] = field(default_factory=list)
    words: list[str] = field(default_factory=list)

    def on(self, name: str, default: bool = False) -> bool:
        """Whether the switch is on."""
        return self.switches.get(name, default)

    def value(self, name: str) -> str | None:
        """The value of a flag, None if it was not given."""
        return self.values.get(name)

    def number(self, name: str) -> int | None:
        """The value of a flag as a number of 0 to 2^32 - 1; raises UsageError."""
        text = self.values.get(name)
        if text is None:
            return None
        if not text.isdecimal() or len(text) > 10 or int(text) >= 1 << 32:
            raise UsageError(f"for the --{name} option: '{text}' value invalid for uint argument!")
        return int(text)


def parse(argv: Iterable[str], flags: Iterable[Flag]) -> CommandLine:
    """Read `argv`, without the program's name. Raises UsageError.

    A flag given twice counts with its last value, unless it `repeats`. `--` ends the flags; `-` is
    a word.
    """
    known = {flag.name: flag for flag in flags}
    line = CommandLine()
    rest = list(argv)
    while rest:
        word = rest.pop(0)
        if word == "--":
            line.words += rest
            break
        if not word.startswith("-") or word == "-":
            line.words.append(word)
            continue
        name, equals, text = word.lstrip("-").partition("=")
        value = text if equals else None
        flag = known.get(name)
        if flag is None:
            line.others.append((name, value))
        elif not flag.value:
            line.switches[name] = switch(name, value)
        else:
            given = _value(flag, value, rest)
            if flag.repeats and name in line.values:
                given = f"{line.values[name]},{given}"
            line.values[name] = given
    return line


def switch(name: str, value: str | None) -> bool:
    """What `--name=value` says; `--name` alone is true. Raises UsageError."""
    if value is None:
        return True
    if value.lower() not in _BOOLS:
        raise UsageError(
            f"for the --{name} option: '{value}' is invalid value for boolean argument! Try 0 or 1"
        )
    return _BOOLS[value.lower()]


def _value(flag: Flag, value: str | None, rest: list[str]) -> str:
    if value is None:
        if flag.optional is not None:
            value = flag.optional
        elif rest:
            value = rest.pop(0)
        else:
            raise UsageError(f"for the {flag.usage()} option: requires a value!")
    if flag.choices and value not in flag.choices:
        raise UsageError(
            f"for the --{flag.name} option: '{value}' is none of {', '.join(flag.choices)}"
        )
    return value


def help_text(flags: Iterable[Flag]) -> str:
    """The flags by group, two columns."""
    groups: dict[str, list[Flag]] = {}
    for flag in flags:
        groups.setdefault(flag.group, []).append(flag)
    lines = []
    for group, members in groups.items():
        lines.append(f"{group}:")
        lines += [f"  {flag.usage():<46} {flag.help}" for flag in members]
        lines.append("")
    return "\n".join(lines)
