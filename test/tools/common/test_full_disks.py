"""What cannot be saved: one line, exit code 1, and no part of a file."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from mlir_gs.tools.common.command_line import UsageError
from mlir_gs.tools.common.saved_file import save

ROWS = """
func.func @rows(%t: tensor<?x64xf32>, %i: tensor<?x1xi64>) -> tensor<?x64xf32> {
  %r = gs.gather %t[%i] gather_dims([0]) mode(promise_in_bounds)
      : (tensor<?x64xf32>, tensor<?x1xi64>) -> tensor<?x64xf32>
  return %r : tensor<?x64xf32>
}
"""


@pytest.fixture
def source(tmp_path: Path) -> str:
    place = tmp_path / "rows.mlir"
    place.write_text(ROWS)
    return str(place)


# No file gets longer than this, as on a disk that is almost full. Not a `preexec_fn`, for which
# pytest's process would fork, and JAX with it.
LIMITED = """
import os, resource, sys
resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))
os.execv(sys.executable, [sys.executable, *sys.argv[1:]])
"""


def run(tool: str, *arguments: str, full: bool = False) -> tuple[int, str]:
    limited = ["-c", LIMITED] if full else []
    found = subprocess.run(
        [sys.executable, *limited, "-m", f"mlir_gs.tools.{tool}", *arguments],
        capture_output=True,
        text=True,
        check=False,
        env={"MLIR_GS_CACHE": "off", "PATH": "", "PYTHONDONTWRITEBYTECODE": "1"},
    )
    return found.returncode, found.stderr


@pytest.mark.parametrize(
    ("tool", "name", "flags"),
    [
        ("gs_run", "out.npy", ["--quiet", "--threads=1"]),
        ("gs_run", "out.npz", ["--quiet", "--threads=1"]),
        ("gs_opt", "out.mlir", ["--gs-generalize"]),
    ],
)
def test_a_disk_that_gets_full(
    tool: str, name: str, flags: list[str], source: str, tmp_path: Path
) -> None:
    target = tmp_path / name
    target.write_bytes(b"before")
    code, told = run(tool, source, *flags, "-o", str(target), full=True)
    # `errno` has the number that RLIMIT_FSIZE gives, where a full disk has another.
    assert code == 1
    assert told.count("\n") == 1
    assert name in told
    assert target.read_bytes() == b"before"
    assert sorted(p.name for p in tmp_path.iterdir()) == sorted(["rows.mlir", name])


@pytest.mark.parametrize("name", ["full.npy", "full.npz", "full.h"])
def test_a_device_that_is_full(name: str, source: str, tmp_path: Path) -> None:
    target = tmp_path / name
    target.symlink_to("/dev/full")
    tool = "gs_compile" if name.endswith(".h") else "gs_run"
    code, told = run(tool, source, "-o", str(target))
    assert code == 1
    assert told.endswith(f"{name}: No space left on device\n")
    assert told.count("\n") == 1
    assert target.is_symlink()


def test_standard_output_that_is_full(source: str) -> None:
    with open("/dev/full", "wb") as full:
        found = subprocess.run(
            [sys.executable, "-m", "mlir_gs.tools.gs_run", source, "--size", "4"],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
    assert found.returncode == 1
    assert found.stderr == "gs-run: cannot write: No space left on device\n"


def test_what_is_saved_takes_the_place_of_what_was_there(tmp_path: Path) -> None:
    old, link = tmp_path / "old.npy", tmp_path / "link.npy"
    old.write_bytes(b"before")
    old.chmod(0o640)
    link.symlink_to(old)
    save(str(link), lambda file: np.save(file, np.arange(3)))
    assert link.is_symlink()
    assert np.load(old).tolist() == [0, 1, 2]
    assert old.stat().st_mode & 0o777 == 0o640

    def fail(file: object) -> None:
        raise OSError(28, "No space left on device")

    with pytest.raises(UsageError, match="No space left"):
        save(str(old), fail)
    assert np.load(link).tolist() == [0, 1, 2]
    assert len(list(tmp_path.iterdir())) == 2
