"""What users of JAX write, jitted, exported as text, imported and compiled: results equal JAX's."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from imported_programs import PROGRAMS
from stablehlo_harness import assert_same, compiled, imported


@pytest.mark.parametrize("name", PROGRAMS)
def test_equals_jax(name: str, needs: Callable[..., Any]) -> None:
    jax = needs("jax")
    function, arguments = PROGRAMS[name](jax, jax.numpy)
    jitted = jax.jit(function)
    # JAX's own arguments: `.at` is no attribute of NumPy's arrays, but tracers have it.
    expected = [np.asarray(leaf) for leaf in jax.tree.leaves(jitted(*arguments))]
    text = jitted.lower(*arguments).as_text()
    assert_same(compiled(imported(text), arguments), expected, text)
