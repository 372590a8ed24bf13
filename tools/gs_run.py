"""`gs-run`: compile a function of an MLIR file and run it."""

import os
import sys
import traceback
from collections.abc import Sequence

from mlir_gs.tools.command_line import UsageError


def main(argv: Sequence[str] | None = None) -> int:
    """Run the tool on `argv` (default: the process's); returns the exit code: 0, or 1."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    try:
        # Here, so that an installation without MLIR's bindings gets a line and no traceback.
        from mlir_gs.tools.run_driver import run

        code = run(arguments)
        sys.stdout.flush()
        return code
    except UsageError as error:
        _report(str(error))
    except BrokenPipeError:
        # The reader has gone; the interpreter must not flush into the pipe again at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except KeyboardInterrupt:
        _report("interrupted")
        return 130
    except Exception as error:
        if "--debug" in arguments:
            traceback.print_exc()
        if isinstance(error, ImportError):
            _report(f"the installation is incomplete: {error}")
        else:
            about = " ".join(f"{type(error).__name__}: {error}".split())
            _report(f"internal error: {about} (--debug shows the traceback)")
    return 1


def _report(text: str) -> None:
    # MLIR's diagnostics name their file, as mlir-opt prints them.
    told = text if ": error: " in text else f"gs-run: {text}"
    print(told, file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
