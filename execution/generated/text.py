"""Writing a function of the LLVM dialect as text, operation by operation."""

from collections.abc import Sequence

from mlir_gs.execution.generated.messages import escaped


def reference(name: str) -> str:
    """A reference to the symbol `name`, whatever characters it has."""
    return f'@"{escaped(name)}"'


def words_global(name: str, values: Sequence[int]) -> str:
    """Private constant words of i64."""
    count = len(values)
    return (
        f"llvm.mlir.global internal constant @{name}"
        f"(dense<{list(values)}> : tensor<{count}xi64>) : !llvm.array<{count} x i64>\n"
    )


class Text:
    """Grows a function's body: operations by text, results named one after the other."""

    def __init__(self) -> None:
        self.frame: list[str] = []
        self.lines: list[str] = []
        self._count = 0

    def emit(self, operation: str) -> str:
        """Append an operation with one result; returns its name."""
        self._count += 1
        name = f"%v{self._count}"
        self.lines.append(f"  {name} = {operation}")
        return name

    def do(self, line: str) -> None:
        """Append an operation without result, or a block label."""
        self.lines.append(line if line.startswith("^") else f"  {line}")

    def number(self, value: int, bits: int = 64) -> str:
        return self.emit(f"llvm.mlir.constant({value} : i{bits}) : i{bits}")

    def stack(self, words: int) -> str:
        """Room for `words` i64 in the function's frame."""
        name = f"%frame{len(self.frame)}"
        self.frame.append(
            f"  {name}_size = llvm.mlir.constant({max(words, 1)} : i64) : i64\n"
            f"  {name} = llvm.alloca {name}_size x i64 : (i64) -> !llvm.ptr\n"
        )
        return name

    def word_at(self, base: str, index: int) -> str:
        if index == 0:
            return base
        return self.emit(f"llvm.getelementptr {base}[{index}] : (!llvm.ptr) -> !llvm.ptr, i64")

    def load(self, base: str, index: int) -> str:
        return self.emit(f"llvm.load {self.word_at(base, index)} : !llvm.ptr -> i64")

    def store(self, value: str, base: str, index: int) -> None:
        self.do(f"llvm.store {value}, {self.word_at(base, index)} : i64, !llvm.ptr")
