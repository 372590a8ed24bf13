"""The workloads of functions.py."""

from typing import Any

import functions_frameworks
import functions_group
import functions_reads
import functions_writes

WORKS: list[Any] = [
    *functions_reads.WORKS,
    *functions_writes.WORKS,
    *functions_group.WORKS,
    *functions_frameworks.WORKS,
]
