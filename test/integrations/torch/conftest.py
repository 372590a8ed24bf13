"""The modules of this folder, and the programs of the benchmarks, are imported by name."""

import sys
from pathlib import Path

sys.path[:0] = [str(Path(__file__).parent), str(Path(__file__).parents[3] / "benchmarks")]
