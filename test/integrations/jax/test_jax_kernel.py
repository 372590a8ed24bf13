"""`kernel`: JAX functions as kernels, with their transforms."""

import inspect
from typing import Any

import numpy as np
import pytest

jax = pytest.importorskip("jax")
pytest.importorskip("jax_tvm_ffi")

import jax.numpy as jnp  # noqa: E402  (after importorskip)
import mlir_gs  # noqa: E402  (after importorskip)
from mlir_gs import dialect, ir, run_pipeline  # noqa: E402  (after importorskip)
from mlir_gs.integrations import jax as gs  # noqa: E402  (after importorskip)
from random_jax_functions import assert_close, check  # noqa: E402  (after importorskip)

# pyright: reportUnknownMemberType=false
RNG = np.random.default_rng(5)
MATRIX = jnp.asarray(RNG.normal(size=(5, 5)), jnp.float32)


@pytest.mark.parametrize("seed", [1, 6, 38, 107])
def test_random_functions(seed: int) -> None:
    check(seed)


def trilinear(volume: Any, points: Any) -> Any:
    """Samples of a volume [x, y, z] at points [n, 3] in it."""
    low = jnp.floor(points)
    weights, low = points - low, low.astype(jnp.int32)
    sampled = jnp.zeros(len(points))
    for corner in np.ndindex(2, 2, 2):
        at = [jnp.clip(low[:, d] + corner[d], 0, volume.shape[d] - 1) for d in range(3)]
        parts = [weights[:, d] if corner[d] else 1 - weights[:, d] for d in range(3)]
        sampled += volume[tuple(at)] * parts[0] * parts[1] * parts[2]
    return sampled


def nearest(table: Any, points: Any, scale: Any) -> Any:
    """The elements of a table [x, y, z] next to points [..., 3], and how far these are in x."""
    at = jnp.round(points / scale)
    n = jnp.clip(at.astype(jnp.int32), -5, 6)
    return table[n[..., 0], n[..., 1], n[..., 2]], (points / scale - at)[..., 0]


@pytest.mark.parametrize("shape", [(1000, 3), (7, 11, 3), (3,), (0, 3), (1, 3)])
def test_coordinates_of_points_have_the_bits_of_jax(shape: tuple[int, ...]) -> None:
    table = jnp.asarray(RNG.random((4, 5, 3)), jnp.float32)
    points = jnp.asarray(RNG.normal(size=shape) * 6, jnp.float32)
    arrays = (table, points, jnp.asarray([0.5, 2, 1], jnp.float32))
    for ours, theirs in zip(gs.kernel(nearest)(*arrays), jax.jit(nearest)(*arrays), strict=True):
        np.testing.assert_array_equal(ours, theirs)


def test_a_trilinear_sample_and_its_gradient() -> None:
    volume = jnp.asarray(RNG.random((4, 5, 3)), jnp.float32)
    points = jnp.asarray(RNG.random((20, 3)) * [3, 4, 2], jnp.float32)
    ours = gs.kernel(trilinear)
    assert_close(ours(volume, points), trilinear(volume, points), "values")

    def loss(f: Any) -> Any:
        return lambda *arguments: jnp.sin(f(*arguments)).sum()

    found, wanted = (jax.grad(loss(f), (0, 1))(volume, points) for f in (ours, trilinear))
    assert_close(found, wanted, "gradients")


def test_eight_gathers_are_one_nest() -> None:
    volume, points = jnp.zeros((40, 50, 60)), jnp.zeros((1000, 3))
    text = jax.jit(gs.kernel(trilinear, threads=1)).lower(volume, points).as_text()
    assert text.count("stablehlo.custom_call") == 1
    assert "stablehlo.gather" not in text
    source = jax.jit(trilinear).lower(volume, points).as_text()
    context = dialect.context()
    with context, ir.Location.unknown():
        module = mlir_gs.parse(source)
        for pipeline in ("gs-import-stablehlo", "gs-prepare", "gs-optimize"):
            run_pipeline(module, pipeline)
    assert str(module).count("gs.generic") == 1


def test_random_bits_and_steps_by_element() -> None:
    def newton(a: Any) -> Any:
        return jax.lax.fori_loop(0, 6, lambda i, x: x - (x * x * x - a) / (3 * x * x + i), a + 1)

    def turned(a: Any) -> Any:
        x, y = jax.lax.fori_loop(0, 5, lambda _, s: (s[1], s[0] * 0.5 + s[1]), (a, 2 * a))
        return x + y[::-1]

    def drawn(a: Any) -> Any:
        keys = jax.random.split(jax.random.key(3), 3)
        bits = jax.vmap(lambda key: jax.random.bits(key, (7, 5)))(keys)
        return bits, jax.random.normal(keys[0], a.shape), jax.random.permutation(keys[1], a)

    a = jnp.asarray(RNG.random((30, 7)), jnp.float32)
    for f in (newton, jax.grad(lambda a: newton(a).sum()), turned, drawn):
        assert_close(gs.kernel(f)(a), jax.jit(f)(a), "steps")


def test_short_last_dims() -> None:
    """Boxes that overlap, distances, forces: results and arguments of a short last dim."""

    def overlaps(corners: Any, order: Any) -> Any:
        b = corners[order]
        sides = jnp.minimum(b[:, None, 2:], b[None, :, 2:]) - jnp.maximum(b[:, None, :2], b[:, :2])
        both = jnp.maximum(sides, 0).prod(-1)
        area = (b[:, 2:] - b[:, :2]).prod(-1)
        return both / (area[:, None] + area - both)

    def forces(r: Any) -> Any:
        d = r[:, None] - r
        return (d / (1 + (d * d).sum(-1, keepdims=True))).sum(1), d[..., 0] * d[..., 2]

    corners = jnp.asarray(RNG.random((33, 2)), jnp.float32)
    corners = jnp.concatenate([corners, corners + 0.5], 1)
    order = jnp.asarray(RNG.permutation(33), jnp.int32)
    for f, arguments in ((overlaps, (corners, order)), (forces, (corners[:, :3],))):
        assert_close(gs.kernel(f)(*arguments), f(*arguments), f.__name__)


def test_second_derivatives_and_own_rules() -> None:
    @jax.custom_vjp
    def scaled(x: Any) -> Any:
        return x * 2

    scaled.defvjp(lambda x: (x * 2, x), lambda x, change: (change * 3 * x,))
    ours = gs.kernel(lambda x: jnp.sin(scaled(x)) @ MATRIX)
    theirs = lambda x: jnp.sin(scaled(x)) @ MATRIX  # noqa: E731  (beside its kernel)
    found, wanted = (jax.grad(lambda x, f=f: f(x).sum())(MATRIX) for f in (ours, theirs))
    assert_close(found, wanted, "custom_vjp")
    ours = gs.kernel(lambda x: jax.nn.softmax(jnp.tanh(x @ MATRIX))[0])
    theirs = lambda x: jax.nn.softmax(jnp.tanh(x @ MATRIX))[0]  # noqa: E731  (beside its kernel)
    found, wanted = (jax.hessian(f)(MATRIX[0]) for f in (ours, theirs))
    assert_close(found, wanted, "hessian")


def test_pytrees_static_arguments_and_arrays_from_outside() -> None:
    @jax.jit
    def outer(w: Any, x: Any) -> Any:
        return gs.kernel(lambda x: {"a": x @ w, "b": (x.sum(), x > 0.5)})(x)

    assert_close(
        outer(MATRIX, MATRIX),
        {"a": MATRIX @ MATRIX, "b": (MATRIX.sum(), MATRIX > 0.5)},
        "an array that is traced outside",
    )
    powers = gs.kernel(lambda x, *, n, kind: x**n, static_argnames=("n", "kind"))
    assert_close(powers(MATRIX, n=3, kind="power"), MATRIX**3, "static")
    assert_close(gs.kernel(lambda: jnp.arange(3))(), jnp.arange(3), "no arguments")
    same = gs.kernel(lambda x, n: (x, x, n))(MATRIX, 2)
    assert_close(same, (MATRIX, MATRIX, jnp.asarray(2)), "what is given back")
    half = gs.kernel(lambda x, n: x * n)(MATRIX.astype(jnp.bfloat16), 3)
    assert half.dtype == jnp.bfloat16  # A Python number has no type of its own.


@pytest.mark.parametrize("impl", ["threefry2x32", "rbg"])
def test_typed_keys(impl: str) -> None:
    """Arguments, results, batches and constants; no derivative with respect to them."""
    key = jax.random.key(3, impl=impl)
    keys = jax.random.split(key, 4)

    def raw(tree: Any) -> Any:
        def is_key(x: Any) -> bool:
            return jnp.issubdtype(x.dtype, jax.dtypes.prng_key)

        return jax.tree.map(lambda x: jax.random.key_data(x) if is_key(x) else x, tree)

    def step(x: Any, key: Any) -> Any:
        now, later = jax.random.split(key)
        return (x * jax.random.normal(now, x.shape) ** 2).sum(), (later, keys[1], jnp.argsort(x))

    x = jnp.asarray(RNG.random(5), jnp.float32)
    for transform, given in (
        (lambda f: f, key),
        (lambda f: jax.vmap(f, (None, 0)), keys),
        (lambda f: jax.value_and_grad(f, has_aux=True), key),
    ):
        found, wanted = (transform(f)(x, given) for f in (gs.kernel(step), jax.jit(step)))
        assert jax.tree.map(jnp.shape, found) == jax.tree.map(jnp.shape, wanted)
        assert_close(raw(found), raw(wanted), "keys")


@pytest.mark.parametrize("kind", ["complex64", "int4", "bool", "float8_e5m2"])
def test_element_types(kind: str) -> None:
    def f(x: Any) -> Any:
        return jnp.concatenate([x[::-1], x[:2]])[jnp.array([6, 0, 3])]

    x = MATRIX.astype(kind)
    assert (np.asarray(gs.kernel(f)(x)) == np.asarray(f(x))).all()


def test_a_donated_argument_is_written_in_place() -> None:
    step = gs.kernel(lambda sums, k: sums.at[k].add(1.0), donate_argnums=0)

    def loop(sums: Any) -> Any:
        return jax.lax.fori_loop(0, 5, lambda k, kept: step(kept, k), sums)

    found = jax.jit(loop)(jnp.zeros(6))
    np.testing.assert_array_equal(found, [1, 1, 1, 1, 1, 0])
    lines = jax.jit(loop, donate_argnums=0).lower(jnp.zeros(6)).compile().as_text().splitlines()
    assert [line for line in lines if "f32[6]" in line and " copy(" in line] == []
    x = jnp.zeros(6)
    np.testing.assert_array_equal(jax.jit(lambda x: step(x, 0) + x)(x), [1, 0, 0, 0, 0, 0])


def test_what_cannot_be_imported_is_named_with_its_line() -> None:
    def f(x: Any) -> Any:
        return jnp.fft.fft(x)

    line = inspect.getsourcelines(f)[1] + 1
    with pytest.raises(mlir_gs.CompileError, match=rf"test_jax_kernel.py:{line}:.*stablehlo.fft"):
        gs.kernel(f)(MATRIX)


def test_lapack_is_named_with_what_asks_for_it() -> None:
    text = r"calls @lapack_spotrf_ffi for .*cholesky, which only XLA has"
    with pytest.raises(mlir_gs.CompileError, match=text):
        gs.kernel(jnp.linalg.cholesky)(MATRIX)


@pytest.mark.parametrize("dim", [0, 1])
@pytest.mark.parametrize("whole", [False, True])
def test_an_approximate_choice_is_exact(dim: int, whole: bool) -> None:
    def f(x: Any) -> Any:
        options = {"reduction_dimension": dim, "aggregate_to_topk": not whole}
        most, least = jax.lax.approx_max_k(x, 4, **options), jax.lax.approx_min_k(x, 3, **options)
        return most, least, jax.lax.scan(lambda c, x: (c, jax.lax.approx_max_k(x, 2)), 0, x)[1]

    x = jnp.asarray(RNG.permutation(1500).reshape(30, 50), jnp.float32)
    assert_close(gs.kernel(f)(x), jax.jit(f)(x), "approximate")
    # With NaN, and where elements are equal, as by top_k.
    x = jnp.where(x % 7 == dim, jnp.nan, x // 9)
    most, least, _ = gs.kernel(f)(x)
    for found, given, k in ((most, x, 4), (least, -x, 3)):
        wanted = jax.lax.top_k(jnp.moveaxis(given, dim, 1), k)[1]
        np.testing.assert_array_equal(jnp.moveaxis(found[1], dim, 1)[:, :k], wanted)


def test_rolls_of_each_axis_and_parts_of_nothing() -> None:
    """Concatenations whose parts are narrower than a cache line, or of size 0."""

    def life(g: Any) -> Any:
        near = [(a, b) for a in (-1, 0, 1) for b in (-1, 0, 1) if a or b]

        def step(_: Any, g: Any) -> Any:
            n = sum(jnp.roll(g, each, (0, 1)) for each in near)
            return ((n == 3) | ((n == 2) & (g == 1))).astype(g.dtype)

        return jax.lax.fori_loop(0, 5, step, g)

    def columns(g: Any) -> Any:
        return jnp.stack([g[:, n] * g[:, -n] for n in range(20)], -1), g[:, :0] @ g[:0]

    for kind in ("uint8", "int32", "float32", "bfloat16"):
        g = jnp.asarray(RNG.integers(0, 2, (40, 70)), kind)
        for f in (life, columns, lambda g: jnp.concatenate([g[:, :0], g[:, :0]], 1)):
            assert_close(gs.kernel(f)(g), jax.jit(f)(g), f"{f.__name__} {kind}")


def test_a_loop_of_more_inputs_than_a_nest_takes() -> None:
    """Particles deposit in cells of a grid and are moved by what they find there."""

    def move(x: Any, v: Any) -> Any:
        def step(state: Any, _: Any) -> Any:
            x, v = state
            low = jnp.floor(x * 16).astype(jnp.int32)
            part, field, found = x * 16 - low, jnp.zeros((16, 16)), []
            for a in (0, 1):
                for b in (0, 1):
                    weight = (part[:, 0] if a else 1 - part[:, 0]) * (
                        part[:, 1] if b else 1 - part[:, 1]
                    )
                    at = (low[:, 0] + a) % 16, (low[:, 1] + b) % 16
                    field, found = field.at[at].add(weight), [*found, (weight, at)]
            force = jnp.stack([jnp.roll(field, 1, d) - jnp.roll(field, -1, d) for d in (0, 1)], -1)
            v = v + 0.01 * sum(weight[:, None] * force[at] for weight, at in found)
            return ((x + 0.01 * v) % 1.0, v), field.max()

        return jax.lax.scan(step, (x, v), None, length=4)

    x, v = (jnp.asarray(RNG.random((300, 2)), jnp.float32) for _ in range(2))
    assert_close(gs.kernel(move)(x, v), jax.jit(move)(x, v), "particles")
