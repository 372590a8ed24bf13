"""The C header of a kernel that travels."""

import re
from collections.abc import Sequence

from mlir_gs import __version__
from mlir_gs._texts import template
from mlir_gs.execution.aot.aot import Kernel
from mlir_gs.execution.aot.text import (
    ERROR_BYTES,
    INDEX_ERROR,
    RUNTIME_ERROR,
    TYPE_ERROR,
    VALUE_ERROR,
    c_type,
    is_by_value,
    sized,
)
from mlir_gs.execution.signature.dtypes import BFLOAT, COMPLEX, FLOAT, INT, UINT
from mlir_gs.execution.signature.signature import Parameter

_NAME = re.compile(r"\((\w+)\)", re.ASCII)
_KEYWORDS = """
auto break case catch char class const continue default delete do double else enum error explicit
export extern false float for friend goto if inline int long mutable namespace new operator private
protected public register restrict return short signed sizeof static struct switch template this
throw true try typedef typename union unsigned using virtual void volatile while bool and or not
xor
"""


def header(kernels: Sequence[Kernel], source: str, cpus: Sequence[str], guard: str) -> str:
    """The text of a header for functions of one object."""
    macro = re.sub(r"\W", "_", f"MLIR_GS_{guard}".upper(), flags=re.ASCII)
    functions = "\n".join(_declarations(kernel) for kernel in kernels)
    return f"""/* {source}, for {", ".join(cpus)}: made by gs-compile of mlir-gs {__version__}. */
#ifndef {macro}
#define {macro}

#include <stdint.h>

{_types()}
#ifdef __cplusplus
extern "C" {{
#endif

{functions}
#ifdef __cplusplus
}}
#endif

#endif /* {macro} */
"""


def _types() -> str:
    """What every header begins with."""
    return template(__file__, "types.h").substitute(
        TYPE_ERROR=TYPE_ERROR,
        VALUE_ERROR=VALUE_ERROR,
        INDEX_ERROR=INDEX_ERROR,
        RUNTIME_ERROR=RUNTIME_ERROR,
        MESSAGE=ERROR_BYTES - 4,
        **{"INT": INT, "UINT": UINT, "FLOAT": FLOAT, "BFLOAT": BFLOAT, "COMPLEX": COMPLEX},
    )


def _declarations(kernel: Kernel) -> str:
    entry = kernel.entry
    arguments = [_argument(k, parameter) for k, parameter in enumerate(entry.arguments)]
    results = [_result(r.parameter) for r in entry.destinations]
    owned = [f"gs_managed_tensor **{_plain(r.parameter)}" for r in entry.owned]
    listed = [f" *   {p.expected.replace('expected ', '')}{_note(p)}" for p in entry.arguments]
    for result in entry.results:
        found = result.parameter.expected.replace("expected ", "")
        if result.argument is not None:
            found += f", which is argument {result.argument}"
        elif not result.is_destination:
            found += ", allocated by the function"
        listed.append(f" *   {found}")
    about = "\n".join(["/*", *listed, " */"])
    text = f"{about}\n{_declaration(kernel.name, [*arguments, *results, *owned])}"
    if sized(entry):
        sizes = [f"int64_t *{_plain(entry.destinations[k].parameter)}_sizes" for k in sized(entry)]
        text += f"""
/* The sizes of the results of `{kernel.name}` for these arguments. */
{_declaration(f"{kernel.name}_sizes", [*arguments, *sizes])}"""
    return text


def _note(parameter: Parameter) -> str:
    return ", written" if parameter.written else ""


def _declaration(name: str, parameters: Sequence[str]) -> str:
    listed = ", ".join([*parameters, "gs_error *error"])
    return f"int32_t {name}({listed});\n"


def _argument(number: int, parameter: Parameter) -> str:
    found = _NAME.search(parameter.label)
    name = found[1] if found and found[1] not in _KEYWORDS.split() else f"argument{number}"
    if name[0].isdigit():
        name = f"argument{number}"
    if is_by_value(parameter):
        return f"{c_type(parameter)} {name}"
    return f"const gs_tensor *{name}"


def _result(parameter: Parameter) -> str:
    return f"const gs_tensor *{_plain(parameter)}"


def _plain(parameter: Parameter) -> str:
    return parameter.label.replace(" ", "")
