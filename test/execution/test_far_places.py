"""Maps of linalg whose places no array has: an error of the call, where 64 bits wrap around."""

import numpy as np
import pytest
from mlir_gs import compile


@pytest.mark.parametrize(
    ("place", "fits"),
    [
        ("d0 * 9223372036854775807", 1), ("d0 * 4611686018427387904 + 1", 1), ("d0 * 2", 2),
        ("d0 + 9223372036854775807", 0), ("9223372036854775807", 0), ("d0 - 1", 0),
        ("d0 - 9223372036854775807", 0), ("d0 * 72057594037927936", 1), ("d0 + 1", 2),
        ("d0 floordiv 9223372036854775807", 9), ("2 - d0", 3), ("d0 * -2 + 2", 2), ("3 - d0", 0),
        ("d0 * -9223372036854775807", 1), ("d0 floordiv 2", 6), ("d0 floordiv 2 + 1", 4),
        ("d0 floordiv 2 - 1", 0), ("d0 ceildiv 2", 5), ("(5 - d0) floordiv 2", 6), ("d0 mod 3", 9),
        ("d0 mod 4", 3), ("(d0 + 2) mod 4", 1), ("(d0 * 3 + 1) floordiv 2", 2),
        ("(d0 + 1152921504606846976) floordiv 1152921504606846976", 9),
    ],
)  # fmt: skip
def test_places_that_64_bits_do_not_hold(place: str, fits: int) -> None:
    kernel = compile(f"""
        func.func @f(%x: tensor<?xf32>, %y: tensor<?xf32>) -> tensor<?xf32> {{
          %r = linalg.generic {{indexing_maps = [affine_map<(d0) -> ({place})>,
              affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}}
              ins(%x : tensor<?xf32>) outs(%y : tensor<?xf32>) {{
          ^bb0(%a: f32, %o: f32):
            linalg.yield %a : f32
          }} -> tensor<?xf32>
          return %r : tensor<?xf32>
        }}""")
    for size in range(fits + 1):
        assert np.asarray(kernel(np.ones(3, np.float32), np.zeros(size, np.float32))).all()
    if fits < 9:
        with pytest.raises(ValueError, match=r"'linalg\.generic' op, (size of|the first place in)"):
            kernel(np.ones(3, np.float32), np.zeros(fits + 1, np.float32))


def test_places_of_static_sizes_between_the_first_and_the_last() -> None:
    """The verifier looks at d0 = 0 and 4, which are at place 0."""
    with pytest.raises(ValueError, match=r"must be at least what its map reaches: expected 4"):
        compile("""
            func.func @f(%x: tensor<2xf32>, %y: tensor<5xf32>) -> tensor<5xf32> {
              %r = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0 mod 4)>,
                  affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
                  ins(%x : tensor<2xf32>) outs(%y : tensor<5xf32>) {
              ^bb0(%a: f32, %o: f32):
                linalg.yield %a : f32
              } -> tensor<5xf32>
              return %r : tensor<5xf32>
            }""")(np.ones(2, np.float32), np.zeros(5, np.float32))


@pytest.mark.parametrize("body", ["mulf", "addf"])
def test_a_product_whose_map_no_generic_has(body: str) -> None:
    text = f"""
        func.func @f(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>, %c: tensor<?x?xf32>)
            -> tensor<?x?xf32> {{
          %0 = linalg.generic {{
              indexing_maps = [affine_map<(i, j, k) -> (i, k)>,
                               affine_map<(i, j, k) -> (k + 9223372036854775807, j)>,
                               affine_map<(i, j, k) -> (i, j)>],
              iterator_types = ["parallel", "parallel", "reduction"]}}
              ins(%a, %b : tensor<?x?xf32>, tensor<?x?xf32>) outs(%c : tensor<?x?xf32>) {{
          ^bb0(%x: f32, %y: f32, %z: f32):
            %p = arith.{body} %x, %y : f32
            %s = arith.addf %z, %p : f32
            linalg.yield %s : f32
          }} -> tensor<?x?xf32>
          return %0 : tensor<?x?xf32>
        }}"""
    with pytest.raises(ValueError, match=r"size of dimension 0 of 'operand #1' must be at least"):
        compile(text)(*np.ones((3, 5, 5), np.float32))
