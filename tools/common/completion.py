"""Shell completion: scripts for bash, zsh and fish that know a tool's flags."""

import re
import shlex
from collections.abc import Iterable, Sequence
from typing import NamedTuple

SHELLS = ("bash", "zsh", "fish")


class Word(NamedTuple):
    """A flag with its dashes, what it is for, and the values it takes: None for none, an empty
    list for any, files among them."""

    flag: str
    help: str
    values: Sequence[str] | None = None


def script(shell: str, program: str, words: Iterable[Word]) -> str:
    """The text to source, such as `eval "$(gs-opt --completion=bash)"`."""
    make = {"bash": _bash, "zsh": _zsh, "fish": _fish}[shell]
    return make(program, list(words))


def _spelled(word: Word) -> str:
    return word.flag if word.values is None or not word.flag.startswith("--") else f"{word.flag}="


def _bash(program: str, words: list[Word]) -> str:
    name = "_" + program.replace("-", "_")
    cases = "".join(
        f"    {word.flag}) COMPREPLY=($(compgen -W {shlex.quote(' '.join(word.values))}"
        ' -- "$value")); return ;;\n'
        for word in words
        if word.values
    )
    listed = shlex.quote(" ".join(_spelled(word) for word in words))
    return f"""\
{name}() {{
  local current="${{COMP_WORDS[COMP_CWORD]}}" flag="" value=""
  local line="${{COMP_LINE:0:COMP_POINT}}"
  local word="${{line##* }}"
  if [[ "$word" == --*=* ]]; then flag="${{word%%=*}}"; value="${{word#*=}}"; fi
  case "$flag" in
{cases}  esac
  if [[ -n "$flag" ]]; then COMPREPLY=($(compgen -f -- "$value")); return; fi
  if [[ "$current" == -* ]]; then
    COMPREPLY=($(compgen -W {listed} -- "$current"))
    [[ "${{COMPREPLY[0]}}" == *= ]] && compopt -o nospace
    return
  fi
  COMPREPLY=($(compgen -f -- "$current"))
}}
complete -o filenames -F {name} {program}
"""


def _zsh(program: str, words: list[Word]) -> str:
    def escaped(text: str) -> str:
        return re.sub(r"([\\\[\]:])", r"\\\1", text)

    lines = []
    for word in words:
        value = ""
        if word.values is not None:
            value = f":value:({' '.join(word.values)})" if word.values else ":value:_files"
        lines.append(shlex.quote(f"*{_spelled(word)}[{escaped(word.help)}]{value}"))
    arguments = " \\\n    ".join(lines)
    name = "_" + program.replace("-", "_")
    return f"""\
#compdef {program}
{name}() {{
  _arguments -S \\
    {arguments} \\
    '*:file:_files'
}}
compdef {name} {program}
"""


def _fish(program: str, words: list[Word]) -> str:
    lines = []
    for word in words:
        kind = "-l" if word.flag.startswith("--") else "-s"
        line = f"complete -c {program} {kind} {word.flag.lstrip('-')} -d {shlex.quote(word.help)}"
        if word.values is not None:
            line += f" -x -a {shlex.quote(' '.join(word.values))}" if word.values else " -r"
        lines.append(line)
    return "\n".join(lines) + "\n"
