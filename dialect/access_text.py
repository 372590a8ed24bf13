"""What an op reads and writes, as text in index notation."""

from mlir_gs.dialect.structure import Access, Structure


def symbol_texts(structure: Structure) -> list[str]:
    """For each symbol, where it comes from and how it is treated: `indices[d0, 0] mode(clip)`."""
    return [
        access_text(coordinate)
        + (f" mode({mode})" if mode != "promise_in_bounds" else "")
        + (" wrap_negative" if wrap else "")
        for coordinate, mode, wrap in zip(
            structure.coordinates, structure.modes, structure.wraps, strict=True
        )
    ]


def access_text(access: Access) -> str:
    """One operand with what addresses it: `source[s0, d1]`."""
    return f"{access.name}[{', '.join(map(str, access.map.results))}]"


def structure_text(structure: Structure) -> str:
    """The whole access, as the assembly form of `gs.generic` has it, with the names of operands."""
    dims = ", ".join(f"d{dim}" for dim in range(structure.rank))
    symbols = ", ".join(f"s{n} = {text}" for n, text in enumerate(symbol_texts(structure)))
    inputs, outputs = (
        ", ".join(map(access_text, group)) for group in (structure.inputs, structure.outputs)
    )
    reduced = ", ".join(
        f"d{dim} = {kind}" for dim, kind in enumerate(structure.iterators) if kind != "parallel"
    )
    return (
        f"({dims})"
        + (f" [{symbols}]" if symbols else "")
        + (f" ins({inputs})" if inputs else "")
        + f" outs({outputs})"
        + (f" iterators({reduced})" if reduced else "")
        + (" unique" if structure.unique else "")
        + (" sorted" if structure.sorted else "")
    )
