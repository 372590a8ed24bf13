"""`--plugin-table`: what a plugin for C++ compilers has to know of the passes and the dialect."""

import json
from collections.abc import Iterable

from mlir_gs import __version__
from mlir_gs.dialect import irdl_text
from mlir_gs.lowering.passes.options import Option
from mlir_gs.lowering.passes.registry import (
    pass_doc,
    pass_options,
    registered_passes,
    registered_pipelines,
)
from mlir_gs.tools.common.version import mlir_version


def table(dialects: Iterable[str]) -> str:
    """JSON: versions, the dialect as IRDL, the `dialects` that passes may leave, and our passes and
    pipelines by name with their options."""
    passes = [
        _entry(name, pass_doc(cls).splitlines()[0], pass_options(cls))
        for name, cls in registered_passes().items()
    ]
    passes += [
        _entry(name, pipeline.doc, pipeline.options)
        for name, pipeline in registered_pipelines().items()
    ]
    found = {
        "version": __version__,
        "llvm": mlir_version(),
        "irdl": irdl_text(),
        "dialects": sorted(dialects),
        "passes": passes,
    }
    return json.dumps(found, indent=1)


def _entry(name: str, doc: str, options: Iterable[Option]) -> dict[str, object]:
    described = [
        {"name": o.name, "type": o.type_text(), "default": o.default_text(), "help": o.help}
        for o in options
    ]
    return {"name": name, "doc": doc, "options": described}
