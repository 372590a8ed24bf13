"""Kernels under shard_map, on four host devices of one process."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("jax")
pytest.importorskip("jax_tvm_ffi")


def test_a_sharded_embedding_lookup() -> None:
    environment = os.environ | {"XLA_FLAGS": "--xla_force_host_platform_device_count=4"}
    run = subprocess.run(
        [sys.executable, str(Path(__file__).with_name("sharded.py"))],
        capture_output=True,
        text=True,
        env=environment,
        timeout=300,
        check=False,
    )
    assert run.returncode == 0, run.stderr
    assert run.stdout == "equal\n"
