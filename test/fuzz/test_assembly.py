"""Some of what fuzz_assembly.py runs by the thousand."""

import fuzz_assembly


def test_random_modules_in_the_assembly_form() -> None:
    found = {number: fuzz_assembly.check(1, number) for number in range(60)}
    assert not any(found.values()), found
