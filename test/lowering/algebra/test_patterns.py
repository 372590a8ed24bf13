"""The driver of the rewrite patterns, which keeps them with a context."""

import pytest
from mlir_gs import dialect
from mlir_gs.frontend.parse import parse
from mlir_gs.lowering.algebra import patterns

TEXT = """
func.func @f(%u: tensor<?xf32>, %d: tensor<?xf32>, %i: tensor<?x1xindex>) -> index {
  %c0 = arith.constant 0 : index
  %r = gs.scatter %u into %d[%i] scatter_dims([0])
      : (tensor<?xf32>, tensor<?xf32>, tensor<?x1xindex>) -> tensor<?xf32>
  %n = tensor.dim %r, %c0 : tensor<?xf32>
  return %n : index
}"""


def test_one_that_raises_leaves_others_as_they_are(monkeypatch: pytest.MonkeyPatch) -> None:
    met = []

    def raises(op, rewriter) -> bool:
        met.append(op.name)
        raise ZeroDivisionError("in a pattern")

    known = patterns.patterns()
    with dialect.context():
        first = parse(TEXT)
        patterns.apply_greedily(first.operation)
        with monkeypatch.context() as changed:
            changed.setattr(patterns, "_patterns", [*known, ("func.return", raises)])
            for _ in range(2):
                module = parse(TEXT)
                with pytest.raises(ZeroDivisionError, match="in a pattern"):
                    patterns.apply_greedily(module.operation)
        assert met == ["func.return"] * 2
        again = parse(TEXT)
        patterns.apply_greedily(again.operation)
    assert "gs.scatter" not in str(first)
    assert str(again) == str(first)


def test_they_are_frozen_once(monkeypatch: pytest.MonkeyPatch) -> None:
    frozen = []
    make = patterns._frozen
    monkeypatch.setattr(patterns, "_frozen", lambda: frozen.append(1) or make())
    with dialect.context():
        for _ in range(3):
            patterns.apply_greedily(parse(TEXT).operation)
    assert frozen == [1]
