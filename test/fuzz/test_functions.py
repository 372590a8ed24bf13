"""Some of what fuzz_functions.py and fuzz_jax_functions.py run by the thousand."""

import pytest


def test_functions_on_arrays(needs) -> None:
    needs("jax")
    import fuzz_functions

    cases = range(len(fuzz_functions.CALLS))
    found = {number: fuzz_functions.check(0, number) for number in cases}
    assert not any(found.values()), found


def test_a_wrong_result_is_seen(needs, monkeypatch: pytest.MonkeyPatch) -> None:
    needs("jax")
    import fuzz_functions

    right = fuzz_functions.oracle.place
    monkeypatch.setattr(
        fuzz_functions.oracle, "place", lambda index, *rest: right(max(index, -1), *rest)
    )
    assert any("take" in fuzz_functions.check(0, number) for number in (0, 1))


def test_functions_of_jax(needs) -> None:
    needs("jax_tvm_ffi")
    import fuzz_jax_functions

    cases = range(len(fuzz_jax_functions.PROGRAMS))
    found = {number: fuzz_jax_functions.check(0, number) for number in cases}
    assert not any(found.values()), found
