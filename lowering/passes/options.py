"""Options of passes and pipelines: read from the fields of a dataclass or from a signature.

`tile_size: int = 8` is the option `tile-size=8`. Types: bool, int, float, str, `Literal[...]`,
`tuple[T, ...]` and `list[T]` of these (comma-separated), and `T | None`.
"""

import dataclasses
import difflib
import inspect
import types
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

from mlir_gs.lowering.passes.pipeline_text import split_options

_BOOLS = {"true": True, "1": True, "false": False, "0": False}
_SCALARS = (bool, int, float, str)
REQUIRED: Any = dataclasses.MISSING


@dataclass(frozen=True)
class Option:
    """One option: its name in text (`tile-size`), its Python name, type, default and help."""

    name: str
    field: str
    type: Any
    default: Any
    help: str

    def type_text(self) -> str:
        """The type as `--help` shows it: `int`, `bool`, `int,...`, `a|b`."""
        return _type_text(self.type)

    def default_text(self) -> str:
        """The default as it would be written in a pipeline; `required` where there is none."""
        return "required" if self.default is REQUIRED else option_text(self.default)

    def parse(self, text: str | None) -> Any:
        """The value that `text` spells; None is a bare flag. Raises ValueError."""
        if text is None:
            if _strip_optional(self.type) is bool:
                return True
            raise ValueError(f"option '{self.name}' needs a value ({self.type_text()})")
        try:
            return _parse_value(_strip_optional(self.type), text)
        except ValueError:
            raise ValueError(
                f"option '{self.name}': expected {self.type_text()}, found '{text}'"
            ) from None


@cache
def options_of_class(owner: type) -> tuple[Option, ...]:
    """The options of a pass: the dataclass fields that its constructor takes."""
    hints = get_type_hints(owner)
    found = []
    for field in dataclasses.fields(owner):
        if not field.init:
            continue
        default = field.default
        if default is dataclasses.MISSING and field.default_factory is not dataclasses.MISSING:
            default = field.default_factory()
        text = str(field.metadata.get("help", ""))
        found.append(_option(owner.__name__, field.name, hints[field.name], default, text))
    return tuple(found)


def options_of_function(function: Callable[..., Any]) -> tuple[Option, ...]:
    """The options of a pipeline: the function's parameters, `Annotated[int, "help"]`."""
    hints = get_type_hints(function, include_extras=True)
    found = []
    for name, parameter in inspect.signature(function).parameters.items():
        hint, text = hints.get(name, str), ""
        if get_origin(hint) is Annotated:
            hint, text = get_args(hint)[:2]
        default = REQUIRED if parameter.default is parameter.empty else parameter.default
        found.append(_option(function.__name__, name, hint, default, str(text)))
    return tuple(found)


def parse_options(owner: str, options: Iterable[Option], text: str) -> dict[str, Any]:
    """The keyword arguments that the option text spells, given options only.

    Raises ValueError naming `owner` and the option: unknown (with the nearest), repeated, a value
    of the wrong type, or one without a default left out.
    """
    known = {option.name: option for option in options}
    values: dict[str, Any] = {}
    for name, value in split_options(text):
        option = known.get(name)
        if option is None:
            raise ValueError(f"'{owner}' has no option '{name}'{_nearest(name, known)}")
        if option.field in values:
            raise ValueError(f"'{owner}': option '{name}' is given twice")
        try:
            values[option.field] = option.parse(value)
        except ValueError as error:
            raise ValueError(f"'{owner}': {error}") from None
    missing = [o.name for o in known.values() if o.default is REQUIRED and o.field not in values]
    if missing:
        raise ValueError(f"'{owner}' needs the option '{missing[0]}'")
    return values


def option_text(value: Any) -> str:
    """`value` as it is written in a pipeline; parses back to the same value."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (tuple, list)):
        return "{" + ",".join(option_text(item) for item in value) + "}"
    if value is None:
        return "none"
    text = str(value)
    return "{" + text + "}" if not text or any(c in text for c in " ,{}()=") else text


def nearest(name: str, known: Iterable[str]) -> str:
    """`; did you mean 'x'?` for the name closest to `name`, else nothing."""
    close = difflib.get_close_matches(name, list(known), n=1)
    return f"; did you mean '{close[0]}'?" if close else ""


def _nearest(name: str, known: dict[str, Option]) -> str:
    hint = nearest(name, known)
    if hint or not known:
        return hint or " (it has none)"
    return f" (it has: {', '.join(known)})"


def _option(owner: str, name: str, hint: Any, default: Any, text: str) -> Option:
    if not _is_supported(_strip_optional(hint)):
        raise TypeError(f"{owner}.{name}: {hint!r} cannot be the type of an option")
    return Option(name.replace("_", "-"), name, hint, default, text)


def _is_supported(hint: Any) -> bool:
    origin = get_origin(hint)
    if origin is Literal:
        return all(isinstance(choice, str) for choice in get_args(hint))
    if origin in (tuple, list):
        return _item_type(hint) in _SCALARS
    return hint in _SCALARS


def _item_type(hint: Any) -> Any:
    arguments = get_args(hint)
    if get_origin(hint) is tuple and (len(arguments) != 2 or arguments[1] is not Ellipsis):
        return None
    return arguments[0]


def _strip_optional(hint: Any) -> Any:
    if get_origin(hint) in (Union, types.UnionType):
        inner = [each for each in get_args(hint) if each is not type(None)]
        if len(inner) == 1:
            return inner[0]
    return hint


def _type_text(hint: Any) -> str:
    hint = _strip_optional(hint)
    if get_origin(hint) is Literal:
        return "|".join(get_args(hint))
    if get_origin(hint) in (tuple, list):
        return f"{_type_text(_item_type(hint))},..."
    return hint.__name__


def _parse_value(hint: Any, text: str) -> Any:
    if get_origin(hint) is Literal:
        if text not in get_args(hint):
            raise ValueError(text)
        return text
    if get_origin(hint) in (tuple, list):
        items = [item.strip() for item in text.split(",")] if text.strip() else []
        return get_origin(hint)(_parse_value(_item_type(hint), item) for item in items)
    if hint is bool:
        if text.lower() not in _BOOLS:
            raise ValueError(text)
        return _BOOLS[text.lower()]
    return int(text, 0) if hint is int else hint(text)
