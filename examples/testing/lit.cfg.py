"""Runs the .mlir files of this folder: `lit -v .` after `pip install mlir-gs lit filecheck`."""

import os
import sysconfig

import lit.formats

config.name = "my-compiler"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mlir"]
config.environment["PATH"] = sysconfig.get_path("scripts") + os.pathsep + os.environ["PATH"]
