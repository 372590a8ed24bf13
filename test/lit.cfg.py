"""Lit's configuration: `lit test` from a checkout, with mlir-gs and its `test` extra installed."""

import os
import sys
import sysconfig
from typing import Any

import lit.formats
import lit.util

# lit runs this file with these two defined.
config: Any
lit_config: Any

_HERE = os.path.dirname(os.path.abspath(__file__))

config.name = "mlir-gs"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mlir"]
config.excludes = ["Inputs"]
config.test_source_root = _HERE
config.test_exec_root = lit_config.params.get(
    "exec_root", os.path.join(os.path.dirname(_HERE), "build", "lit")
)

# The entry points of the environment that runs lit, not those of an activated one, or what stands
# for them.
_scripts = sysconfig.get_path("scripts")
_tools = [lit_config.params["tools"]] if "tools" in lit_config.params else []
config.environment["PATH"] = os.pathsep.join([*_tools, _scripts, config.environment["PATH"]])
# Keeps the repository off sys.path: `dialect` would be importable beside `mlir_gs.dialect`.
config.environment["PYTHONSAFEPATH"] = "1"
config.environment["MLIR_GS_CACHE"] = "off"
for _variable in ("MLIR_GS_BINDINGS", "HOME", "TMPDIR", "OMP_NUM_THREADS", "LANG"):
    if _variable in os.environ:
        config.environment[_variable] = os.environ[_variable]

config.substitutions.append((r"%python", f'"{sys.executable}"'))
config.substitutions.append((r"\bFileCheck\b", "filecheck"))

for _tool in ("gs-opt", "gs-run", "filecheck"):
    if lit.util.which(_tool, config.environment["PATH"]) is None:
        lit_config.warning(f"{_tool} is not in {_scripts}: pip install -e '.[test]'")
