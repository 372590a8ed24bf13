"""Forms of each ONNX op: a node of the onnx package's own tests, and what may be done to it."""

import importlib
import pkgutil
import warnings
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any

import numpy as np
import onnx
from onnx import helper

Array = np.ndarray
LEAST, MOST = -(1 << 63), (1 << 63) - 1
SLOW = {"averagepool", "lppool", "maxpool", "image_decoder"}
"""Modules of the onnx package whose tests take seconds to make."""
NUMBERS = (
    "bool", "int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64",
    "float16", "bfloat16", "float32", "float64", "complex64",
)  # fmt: skip


@dataclass(frozen=True)
class Form:
    """A node of one op. `inputs`: by name, None where one is left out; `outputs`: element types.

    `constants` and `dynamic` name inputs.
    """

    op: str
    domain: str
    opset: int
    name: str
    inputs: tuple[tuple[str, Any], ...]
    outputs: tuple[tuple[str, int], ...]
    attributes: tuple[Any, ...] = ()
    constants: frozenset[str] = field(default_factory=frozenset)
    dynamic: frozenset[str] = field(default_factory=frozenset)

    @property
    def key(self) -> str:
        """The op as our messages name it."""
        return f"onnx.{self.op}"

    def given(self) -> dict[str, Array]:
        """The arguments of the model."""
        return {k: v for k, v in self.inputs if v is not None and k not in self.constants}

    def model(self) -> onnx.ModelProto:
        held = [(k, v) for k, v in self.inputs if v is not None]
        names = [name if value is not None else "" for name, value in self.inputs]
        while names and not names[-1]:
            names.pop()
        node = helper.make_node(
            self.op, names, [name for name, _ in self.outputs], "node", domain=self.domain
        )
        node.attribute.extend(self.attributes)
        results = []
        for name, kind in self.outputs:
            if name:
                info = onnx.ValueInfoProto(name=name)
                info.type.tensor_type.elem_type = kind
                results.append(info)
        graph = helper.make_graph(
            [node],
            "g",
            [self._info(*each) for each in held if each[0] not in self.constants],
            results,
            [onnx.numpy_helper.from_array(v, k) for k, v in held if k in self.constants],
        )
        opsets = [helper.make_opsetid(self.domain, self.opset)]
        return helper.make_model(graph, opset_imports=opsets, ir_version=10)

    def _info(self, name: str, value: Array) -> Any:
        kind = helper.np_dtype_to_tensor_dtype(value.dtype)
        free = name in self.dynamic
        sizes = [f"{name}_{d}" for d in range(value.ndim)] if free else list(value.shape)
        return helper.make_tensor_value_info(name, kind, sizes)


@cache
def schemas() -> dict[tuple[str, str], Any]:
    """The newest definition of every op, by domain and name."""
    found = {}
    for each in onnx.defs.get_all_schemas_with_history():
        key = (each.domain, each.name)
        if key not in found or each.since_version > found[key].since_version:
            found[key] = each
    return found


@cache
def _tests() -> dict[tuple[str, str], list[Any]]:
    """The tests of one node, by domain and op, the smallest first."""
    package = importlib.import_module("onnx.backend.test.case.node")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for each in pkgutil.iter_modules(package.__path__):
            if each.name not in SLOW:
                importlib.import_module(f"{package.__name__}.{each.name}")
    found: dict[tuple[str, str], list[Any]] = {}
    for case in package._NodeTestCases:
        if case.model is None or len(case.model.graph.node) != 1:
            continue
        node = case.model.graph.node[0]
        found.setdefault((node.domain, node.op_type), []).append(case)
    for cases in found.values():
        cases.sort(key=lambda case: (len(case.model.SerializeToString()), case.name))
    return found


def _form_of(case: Any) -> Form | None:
    """A test as a form; None for one of sequences, optionals or text."""
    node = case.model.graph.node[0]
    inputs, _ = case.data_sets[0]
    kinds = {info.name: info.type for info in case.model.graph.output}
    given = iter(inputs)
    held: list[tuple[str, Any]] = []
    for number, name in enumerate(node.input):
        value = next(given) if name else None
        if isinstance(value, onnx.TensorProto):
            value = onnx.numpy_helper.to_array(value)
        if value is not None and not isinstance(value, np.ndarray | np.generic):
            return None
        held.append((f"x{number}", None if value is None else np.asarray(value)))
    if any(v is not None and v.dtype.kind in "OUS" for _, v in held):
        return None
    made = []
    for number, name in enumerate(node.output):
        if name and not kinds[name].tensor_type.elem_type:
            return None
        made.append(
            (f"y{number}" if name else "", kinds[name].tensor_type.elem_type if name else 0)
        )
    version = case.model.opset_import[0].version
    return Form(
        node.op_type, node.domain, version, case.name.removeprefix("test_"),
        tuple(held), tuple(made), tuple(node.attribute),
    )  # fmt: skip


def _bases(key: tuple[str, str], most: int) -> list[Form]:
    found = [_form_of(case) for case in _tests().get(key, ())]
    known = [each for each in found if each is not None]
    known = known or [*_written(key)]
    # Of the small ones, one for each number of inputs.
    chosen: dict[Any, Form] = {}
    for each in known:
        chosen.setdefault(tuple(value is not None for _, value in each.inputs), each)
    return list(chosen.values())[:most]


def _written(key: tuple[str, str]) -> Iterator[Form]:
    """A node of what has no test of tensors: pools here, others with one float input."""
    domain, name = key
    schema = schemas()[key]
    picture = np.arange(32, dtype=np.float32).reshape(1, 2, 4, 4)
    attributes: dict[str, Any] = {}
    inputs: list[Array] = [picture] * max(schema.min_input, 1 if schema.max_input else 0)
    if "Pool" in name and "Global" not in name:
        attributes["pooled_shape" if name == "MaxRoiPool" else "kernel_shape"] = [2, 2]
    if name == "MaxRoiPool":
        inputs = [picture, np.array([[0, 0, 0, 2, 2]], np.float32)]
    if name.startswith("Random") and "Like" not in name:
        attributes["shape"] = [2, 3]
    opset = max(s.since_version for s in schemas().values() if s.domain == domain)
    yield Form(
        name, domain, opset, "written",
        tuple((f"x{k}", value) for k, value in enumerate(inputs)),
        tuple((f"y{k}", onnx.TensorProto.FLOAT) for k in range(max(schema.min_output, 1))),
        tuple(helper.make_attribute(k, v) for k, v in attributes.items()),
    )  # fmt: skip


@cache
def all_forms() -> tuple[Form, ...]:
    """All forms, op by op."""
    found: dict[tuple[str, str, str], Form] = {}
    for key in sorted(schemas()):
        for base in _bases(key, 3):
            for each in _variants(base):
                found.setdefault((*key, each.name), each)
    return tuple(found.values())


def _variants(base: Form) -> Iterator[Form]:
    names = [name for name, value in base.inputs if value is not None]
    yield base
    yield _as(base, "dynamic", dynamic=frozenset(names))
    if len(names) > 1:
        rest = frozenset(names[1:])
        yield _as(base, "constants", constants=rest)
        yield _as(base, "dynamic, constants", constants=rest, dynamic=frozenset(names[:1]))
    yield from _sizes(base)
    yield from _types(base)
    yield from _attributes(base)
    yield from _parameters(base)


def _as(form: Form, name: str, **changed: Any) -> Form:
    return replace(form, name=f"{form.name}: {name}", **changed)


def _with(form: Form, name: str, values: dict[str, Any], **changed: Any) -> Form:
    inputs = tuple((k, values.get(k, v)) for k, v in form.inputs)
    return _as(form, name, inputs=inputs, **changed)


def _cut(value: Array, dim: int, size: int) -> Array:
    return value.take(range(min(size, value.shape[dim])), dim)


def _sizes(form: Form) -> Iterator[Form]:
    """Sizes of 0 and 1, other ranks, inputs left out."""
    held = {k: v for k, v in form.inputs if v is not None}
    for size in (0, 1):
        for dim in range(max((v.ndim for v in held.values()), default=0)):
            cut = {k: _cut(v, dim, size) for k, v in held.items() if v.ndim > dim}
            yield _with(form, f"all of size {size} in dim {dim}", cut)
        for name, value in held.items():
            for dim in {0, value.ndim - 1} if value.ndim else set():
                cut = {name: _cut(value, dim, size)}
                text = f"{name} of size {size} in dim {dim}"
                yield _with(form, text, cut)
                yield _with(form, f"{text}, dynamic", cut, dynamic=frozenset(held))
    every = {k: v.ravel()[:1].reshape(()) for k, v in held.items() if v.size}
    yield _with(form, "all of rank 0", every)
    for name, value in held.items():
        if value.ndim and value.size:
            yield _with(form, f"{name} of rank 0", {name: value.ravel()[0].reshape(())})
        yield _with(form, f"{name} of one more dim", {name: value[None]})
        yield _with(form, f"no {name}", {name: None})


def _types(form: Form) -> Iterator[Form]:
    """Other elements of all inputs that share a type variable."""
    schema = schemas()[form.domain, form.op]
    kinds = {each.type_param_str: set(each.allowed_type_strs) for each in schema.type_constraints}
    formal = [*schema.inputs, *schema.inputs[-1:] * len(form.inputs)][: len(form.inputs)]
    for variable in sorted({each.type_str for each in formal} & set(kinds)):
        for number in NUMBERS:
            text = {"float32": "float", "float64": "double"}.get(number, number)
            if f"tensor({text})" not in kinds[variable]:
                continue
            dtype = helper.tensor_dtype_to_np_dtype(getattr(onnx.TensorProto, text.upper()))
            values = {
                name: np.abs(value).astype(dtype)
                if dtype.name.startswith("u")
                else value.astype(dtype)
                for (name, value), each in zip(form.inputs, formal, strict=True)
                if each.type_str == variable and value is not None and value.dtype.kind != "V"
            }
            outputs = tuple(
                (
                    name,
                    getattr(onnx.TensorProto, text.upper()) if each.type_str == variable else kind,
                )
                for (name, kind), each in zip(
                    form.outputs, [*schema.outputs, *schema.outputs[-1:] * 9], strict=False
                )
            )
            yield _with(form, f"{variable} of {number}", values, outputs=outputs)


def _typed(value: Array, dtype: np.dtype) -> Array:
    return (np.abs(value) if dtype.name.startswith("u") else value).astype(dtype)


def _attributes(form: Form) -> Iterator[Form]:
    """Attributes at their extremes, of another kind, one too many, and left out."""
    schema = schemas()[form.domain, form.op]
    given = {each.name: each for each in form.attributes}
    for name, about in sorted(schema.attributes.items()):
        for text, value in _values_of(about, given.get(name)):
            made = helper.make_attribute(name, value)
            kept = tuple(each for each in form.attributes if each.name != name)
            yield _as(form, f"{name} = {text}", attributes=(*kept, made))
        if name in given:
            kept = tuple(each for each in form.attributes if each.name != name)
            yield _as(form, f"no attribute {name}", attributes=kept)
    more = (*form.attributes, helper.make_attribute("no_such_attribute", 1))
    yield _as(form, "an attribute that it has not", attributes=more)


def _values_of(about: Any, given: Any) -> Iterator[tuple[str, Any]]:
    kind = about.type
    if kind == onnx.defs.OpSchema.AttrType.INT:
        for number in (0, 1, -1, 2, 1 << 31, LEAST, MOST):
            yield str(number), number
        yield "text", "text"
    elif kind == onnx.defs.OpSchema.AttrType.INTS:
        held = list(given.ints) if given is not None else [1, 1]
        for number in (0, -1, 1 << 31, LEAST, MOST):
            yield f"{[number, *held[1:]]}", [number, *held[1:]]
        yield "one more", [*held, 1]
        yield "the same", [held[0]] * max(len(held), 2) if held else [0, 0]
        yield "1", 1
    elif kind == onnx.defs.OpSchema.AttrType.FLOAT:
        for real in (0.0, -1.0, float("inf"), float("nan")):
            yield str(real), real
        yield "text", "text"
    elif kind == onnx.defs.OpSchema.AttrType.STRING:
        yield "nonsense", "nonsense"
        yield "1", 1


def _parameters(form: Form) -> Iterator[Form]:
    """Small integer inputs, which may be axes, sizes and the like, at their extremes."""
    for name, value in form.inputs[1:]:
        if value is None or value.dtype.kind not in "iu" or value.size > 16 or value.ndim > 1:
            continue
        limits = np.iinfo(value.dtype)
        for number in (0, 1, -1, int(limits.min), int(limits.max)):
            if number < limits.min:
                continue
            first = value.copy()
            first.ravel()[:1] = number
            for constants in (frozenset(), frozenset({name})):
                text = f"{name} starts with {number}" + (", constant" if constants else "")
                yield _with(form, text, {name: first}, constants=constants)
