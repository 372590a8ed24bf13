"""The modules of `support` are imported by name from the folders beside it."""

import sys
from pathlib import Path

# Not this folder: its folders `torch` and `onnx` would stand for the packages of these names.
sys.path.insert(0, str(Path(__file__).parent / "support"))
