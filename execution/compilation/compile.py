"""`compile`: from IR to a callable."""

import os
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from mlir_gs.execution.call.kernel import Kernel, make_kernel
from mlir_gs.execution.disk import cached, keeping
from mlir_gs.execution.later import import_later, loaded
from mlir_gs.execution.machine import openmp
from mlir_gs.execution.signature.signature import CompileError, Entry
from mlir_gs.execution.switches import disabled


def compile(
    source: Any,
    entry: str | None = None,
    *,
    threads: int | None = None,
    donate: Sequence[int | str] = (),
    sanitize: bool = False,
    optimize: bool = True,
    target: str | None = None,
    tune: Sequence[Any] | None = None,
) -> Kernel:
    """Compile one function of a module for this machine.

    `source`: the text of a module, or an `ir.Module`, which is not changed; its ops may be of any
    level, from source languages and `gs` on tensors to loops on memrefs. `entry`: the function, by
    default the only public one, or `main`. `threads`: at most so many, by default OMP_NUM_THREADS
    or the CPUs of the process. `donate`: tensor arguments, by number or by the name of their
    location, whose memory a call may overwrite, so that a result can be made in it, as for an
    argument marked `bufferization.writable = true`; no other argument is written. A call with a
    read-only array there raises ValueError. `sanitize`: a call checks what the ops promise, such as
    coordinates in bounds and `unique`, and raises IndexError with the op's place before an op that
    breaks its promise writes anything. `optimize`: indirect ops are rewritten, and merged with what
    they read and what reads them, without a change of any bit; False: compiled as they are written.
    `target`: what loops are made for, a profile, `native` or a file with facts: see
    `docs/targets.md`; by default $MLIR_GS_TARGET, or this machine. `tune`: arguments of a call, on
    copies of which a few schedules are measured, in some seconds; the fastest is taken, and kept on
    the disk for the next time. Its results have the same bits.

    Raises CompileError with MLIR's diagnostics, TypeError for arguments of other types, ValueError
    for `threads` below 1; more than 1024 are 1024.
    """
    if _names_a_file(source):
        raise CompileError(
            f"'{os.fspath(source)}' is the name of a file, and MLIR's text or a module is wanted: "
            "read it, as by Path(...).read_text()"
        )
    for name, given in (("entry", entry), ("target", target)):
        if not isinstance(given, str | None):
            raise TypeError(f"{name}: expected a str, found {type(given).__name__}")
    if isinstance(donate, str) or not isinstance(donate, Iterable):
        raise TypeError(f"donate: expected a sequence, found {type(donate).__name__}")
    text = source if isinstance(source, str) else _builder().module_text(source)
    request = _Request(text, entry, threads, tuple(donate), sanitize, optimize, target)
    if tune is not None:
        request = replace(request, target=request.tried(tune)[0].target)
    found, function = request.found_or_built(source, strided=False)
    return make_kernel(found, function, lambda: request.found_or_built(text, strided=True)[1])


def compile_made(name: str, make: Callable[[], Any], threads: int | None = None) -> Kernel:
    """The kernel of the module that `make`, called where the kernel is not on the disk, returns in
    MLIR's current context. `name` says what module that is, with this version of our files."""
    request = _Request(f"made {name}", None, threads, (), False, True, None)
    found, function = request.found_or_built(make, strided=False)
    return make_kernel(found, function, lambda: request.found_or_built(make, strided=True)[1])


def tuned(
    source: Any, entry: str | None = None, *, tune: Sequence[Any], **options: Any
) -> list[tuple[str, float]]:
    """What `compile(..., tune=)` tries: targets, and the seconds of a call, the best first; the
    options are those of `compile`. Raises what it raises."""
    text = source if isinstance(source, str) else _builder().module_text(source)
    given = {"threads": None, "donate": (), "sanitize": False, "optimize": True, "target": None}
    return [*_Request(text, entry, **{**given, **options}).tried(tune)]


@dataclass(frozen=True)
class _Request:
    text: str
    entry: str | None
    threads: int | None
    donate: tuple[int | str, ...]
    sanitize: bool
    optimize: bool
    target: str | None

    def found_or_built(self, source: Any, strided: bool) -> tuple[Entry, Any]:
        if self._may_be_kept():
            # What is found under the threads that are wanted was built where OpenMP was there.
            key = self._key(strided, openmp.wanted_threads(self.threads))
            keeping.finish(key)
            found = cached.load(key)
            if found is not None:
                return found
        return self._built(source, strided)

    def _may_be_kept(self) -> bool:
        """Kernels of ops that are defined outside of this package may change while their text does
        not."""
        sources_of = loaded("mlir_gs.dialect.base", "sources_of")
        is_ours = sources_of is None or not sources_of(self.text, outside=True)
        return is_ours and cached.enabled()

    def tried(self, arrays: Sequence[Any]) -> list[Any]:
        """The targets that were measured on the arrays, the best first."""

        def build(target: str) -> Kernel:
            mine = replace(self, target=target)
            found, function = mine.found_or_built(self.text, strided=False)
            return make_kernel(
                found, function, lambda: mine.found_or_built(self.text, strided=True)[1]
            )

        threads = openmp.wanted_threads(self.threads)
        key = self._key(False, threads) if self._may_be_kept() else None

        def ordered() -> bool:
            return _builder().is_ordered(self.text, self.entry)

        return import_later("compilation.tuned").best(build, arrays, self.target, key, ordered)

    def _key(self, strided: bool, threads: int) -> str:
        options = repr((self.donate, self.sanitize, self.optimize, sorted(disabled())))
        return cached.key(self.text, self.entry, strided, threads, options, target=self.target)

    def _built(self, source: Any, strided: bool) -> tuple[Entry, Any]:
        threads = openmp.thread_count(self.threads)
        key = self._key(strided, threads) if self._may_be_kept() else None
        settings = (self.entry, threads, self.donate, self.sanitize, self.optimize, self.target)
        return _builder().build(source, *settings, strided=strided, keep_as=key)


def _names_a_file(source: Any) -> bool:
    if isinstance(source, os.PathLike):
        return True
    suffixes = (".mlir", ".mlirbc", ".onnx", ".pt2", ".py")
    return isinstance(source, str) and "\n" not in source and source.strip().endswith(suffixes)


def _builder() -> Any:
    # Not at the top, so that a kernel from the disk does not wait for MLIR.
    return import_later("compilation.build")
