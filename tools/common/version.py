"""The version of a tool and of the MLIR that it runs."""

import contextlib
import io

from mlir_gs import __version__


def version_text(tool: str) -> str:
    """Two lines: the tool's version; the version of MLIR, and the package that carries it."""
    # Here, for other commands than this one would wait for it.
    from importlib import metadata

    first = f"{tool} {__version__}"
    try:
        # Here, so that an installation without MLIR's bindings gets the first line.
        from mlir_gs.dialect._bindings import PROVIDER
    except ImportError as error:
        return f"{first}\n{error}"
    package = PROVIDER.replace("_", "-")
    with contextlib.suppress(metadata.PackageNotFoundError):
        package += f" {metadata.version(package)}"
    return f"{first}\nMLIR {mlir_version()} ({package})"


def mlir_version() -> str:
    """The version of MLIR, as `24.0.0git`."""
    from mlir_gs.dialect._bindings import ir

    with ir.Context(), ir.Location.unknown():
        buffer = io.BytesIO()
        ir.Module.create().operation.write_bytecode(buffer)
    # The bindings tell their version nowhere else: bytecode names its producer.
    return buffer.getvalue()[5:].partition(b"\0")[0].decode().removeprefix("MLIR")
