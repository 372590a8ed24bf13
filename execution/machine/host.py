"""The target that kernels are made for: this machine, as `gs-tune` measured it or as far as the
system tells, unless the user names another."""

import os
from dataclasses import asdict, replace
from functools import cache
from typing import Any

from mlir_gs.execution.machine import cpu, measured
from mlir_gs.execution.signature.signature import CompileError
from mlir_gs.lowering.scf.policy import Policy
from mlir_gs.lowering.scf.target import Target
from mlir_gs.lowering.scf.targets import facts_of_text, machine

VARIABLE = "MLIR_GS_TARGET"
"""The environment variable that names another target."""

NATIVE = "native"
"""How a target begins that is this machine's."""

# Bytes of the last-level cache that any machine counts on, if it has them; those for each of its
# CPUs; the part of it.
LEAST_SHARE = 32 << 20
CPU_SHARE = 16 << 20
PART = 8


def target(given: str | None = None) -> str:
    """The target that is `given`, else $MLIR_GS_TARGET, else this machine's, for which `native`
    stands. Raises CompileError if there is no such target."""
    source = VARIABLE if given is None else "target"
    spelled = (os.environ.get(VARIABLE) or NATIVE) if given is None else given
    name, *overrides = spelled.split(":")
    if name == NATIVE:
        replaced = {one.partition("=")[0] for one in overrides}
        facts = [one for one in native() if one.partition("=")[0] not in replaced]
        spelled = ":".join(["generic", *facts, *overrides])
    try:
        machine(spelled)
    except ValueError as error:
        raise CompileError(f"{source}: {error}") from None
    return spelled


def known(given: str | None = None) -> Policy:
    """What loops for a target go by, see `target`."""
    return machine(target(given)).policy(1)


def key(given: str | None = None) -> str:
    """A text that is equal for targets that give equal loops."""
    return repr(known(given))


def portable(is_x86: bool) -> str:
    """The target of code for a CPU of which only the architecture is known."""
    return "generic" if is_x86 else "neon"


def native() -> tuple[str, ...]:
    """The facts of this machine that are not those of `generic`, as a target spells them."""
    text = measured.text()
    return _system() if text is None else _measured(text)


@cache
def _measured(text: str) -> tuple[str, ...]:
    try:
        found = facts_of_text(text)
    except ValueError as error:
        measured.warn_once(f"{measured.path()}: {error}")
        return _system()
    return spelled(found)


@cache
def _system() -> tuple[str, ...]:
    return spelled(system())


def spelled(facts: Target) -> tuple[str, ...]:
    """Facts that are not those of `generic`, as a target spells them."""
    usual = asdict(Target())
    values = asdict(facts).items()
    return tuple(f"{n.replace('_', '-')}={v}" for n, v in values if v != usual[n])


def system() -> Target:
    """This machine as far as the system tells; the rest are defaults."""
    usual = Target()
    found: dict[str, Any] = {"llc_bytes": cache_bytes()}
    if not cpu.is_x86():
        found["vector_bytes"] = 32
    for each in cpu.caches():
        if each.level < 3:
            found[f"l{each.level}_bytes"] = each.size
        if each.level == 1 and 8 <= each.line <= 1 << 12 and each.line.bit_count() == 1:
            found["line"] = each.line
    return replace(usual, **found)


@cache
def cache_bytes() -> int:
    """Bytes of the last-level cache that are there for this machine's CPUs; LEAST_SHARE where
    the system does not say. A virtual machine sees all of a cache that it shares with others."""
    largest = max((each.size for each in cpu.caches()), default=LEAST_SHARE)
    return min(largest, max(LEAST_SHARE, CPU_SHARE * (os.cpu_count() or 1), largest // PART))
