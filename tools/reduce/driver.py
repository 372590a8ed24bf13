"""`gs-reduce`: shrink a module that a script finds interesting, as mlir-reduce does.

Modules may hold ops that are defined in Python, and need not verify.
"""

import argparse
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from mlir_gs.tools.common import progress
from mlir_gs.tools.common.command_line import UsageError
from mlir_gs.tools.common.isolation import apart
from mlir_gs.tools.common.options import Parser, seconds
from mlir_gs.tools.common.parse_input import read_path
from mlir_gs.tools.common.saved_file import save
from mlir_gs.tools.reduce.steps import reduce_text

_EPILOG = """The script gets the path of a candidate and exits with 0 if it is NOT interesting and
with another code if it is, as for mlir-reduce. For example, to keep a message of gs-opt:

  #!/bin/sh
  gs-opt "$1" --gs-fuse 2>&1 | grep -q 'the message' && exit 1
  exit 0"""


def run(arguments: list[str]) -> int:
    """Run the tool on its arguments; returns the exit code. Raises UsageError."""
    options = _options(arguments)
    data = read_path(options.file)
    script = Path(os.path.abspath(options.test))
    if "\0" in options.test or not os.access(script, os.X_OK) or script.is_dir():
        raise UsageError(f"--test={options.test:.200}: no script that can be run")
    with (
        tempfile.TemporaryDirectory(prefix=f"{progress.PREFIX}reduce-") as folder,
        progress.unfinished(folder),
    ):
        test = _Test(script, Path(folder) / "candidate.mlir", options.seconds)
        text = data.decode("utf-8", "replace")
        if not test(text):
            raise UsageError(
                f"{options.file} is not interesting: {options.test} exits with 0 on it"
            )
        # A crash of MLIR, which may be what is reduced, then costs no more than a candidate.
        found = reduce_text(text, test, apart) if progress.is_watched() else reduce_text(text, test)
    if options.output == "-":
        sys.stdout.write(found)
    else:
        save(options.output, lambda file: file.write(found.encode("utf-8", "replace")))
    before, after = len(text.splitlines()), len(found.splitlines())
    print(f"{before} lines to {after}, in {test.runs} runs of {options.test}", file=sys.stderr)
    return 0


def _options(arguments: list[str]) -> argparse.Namespace:
    parser = Parser("gs-reduce", (__doc__ or "").splitlines()[0], _EPILOG)
    parser.add("file", "the MLIR file, - for stdin")
    parser.add("--test SCRIPT", "the interestingness test", required=True)
    parser.add("-o --output OUTPUT", "the result (default: stdout)", default="-")
    parser.add(
        "--seconds SECONDS", "a run of the script may take (%(default)s)", type=seconds, default=60
    )
    return parser.read(arguments)


class _Test:
    """The script on a text, run once for each text."""

    def __init__(self, script: Path, path: Path, seconds: float) -> None:
        self.script, self.path, self.seconds = script, path, seconds
        self.runs = 0
        self._known: dict[str, bool] = {}

    def __call__(self, text: str) -> bool:
        if text not in self._known:
            self.runs += 1
            self.path.write_text(text, encoding="utf-8")
            try:
                run = subprocess.run(
                    [str(self.script), str(self.path)],
                    stdin=subprocess.DEVNULL,
                    stdout=subprocess.DEVNULL,
                    stderr=subprocess.DEVNULL,
                    timeout=self.seconds,
                    check=False,
                )
                self._known[text] = run.returncode != 0
            except subprocess.TimeoutExpired:
                self._known[text] = False
            except OSError as error:
                raise UsageError(f"{self.script}: {error.strerror}") from error
        return self._known[text]
