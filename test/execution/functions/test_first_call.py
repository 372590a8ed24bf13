"""The first call of a process loads its kernel from the disk, and imports nothing that is slow."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from mlir_gs.execution.disk import cached

PROGRAM = """
import sys, numpy as np, mlir_gs as gs
table, ids = np.arange(12.0).reshape(6, 2), np.array([1, 4])
assert gs.take(table, ids, axis=0).tolist() == [[2, 3], [8, 9]]
assert gs.at(table)[ids].add(1.0).sum() == 70
assert gs.segment_max(table[:2], ids, 6)[4, 0] == 2
assert gs.embedding_bag(ids, table, np.array([0]), "sum").tolist() == [[10, 12]]
assert gs.gather_segment_sum(table, ids, ids).shape == (5, 2)
assert gs.group(ids)[0].tolist() == [0, 1]
assert gs.histogram(np.arange(300.0), 3)[0].tolist() == [100, 100, 100]
print(*LATE.intersection(sys.modules))
"""
LATE = {
    *("torch_mlir", "tvm_ffi", "ml_dtypes", "_hashlib", "logging", "subprocess", "tempfile"),
    *("importlib.metadata", "mlir_gs.execution.disk.storing", "mlir_gs.execution.generated.text"),
}
"""Imported where they are needed."""


def test_what_is_not_imported(tmp_path: Path) -> None:
    if not cached._is_supported():
        pytest.skip(
            "kernels are kept on the disk on x86-64 Linux, else where there is a C compiler"
        )
    variables = {**os.environ, "MLIR_GS_CACHE": str(tmp_path)}
    found = [
        subprocess.run(
            [sys.executable, "-c", f"LATE = {LATE}\n{PROGRAM}"],
            env=variables, capture_output=True, text=True, check=True, timeout=120,
        ).stdout.strip()
        for _ in range(2)
    ]  # fmt: skip
    assert "torch_mlir" in found[0]
    assert found[1] == ""
