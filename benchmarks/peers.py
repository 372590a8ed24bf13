"""Making calls into other libraries: their arrays over a case's memory, their best way to write.

A maker runs when its library is installed and named in `--peers`, so libraries are imported in it.
"""

import functools
import importlib.metadata
import os
import platform
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import ml_dtypes
import numpy as np
from workload import Case, Maker

PACKAGES = {
    "numpy": "numpy",
    "torch": "torch",
    "torch.compile": "torch",
    "jax": "jax",
    "onnxruntime": "onnxruntime",
    "numba": "numba",
    "scipy": "scipy",
    "iree": "iree-base-runtime",
}
"""Kind of peer, which is the first word of its name, to the package that it needs."""

_NEEDS = {"onnxruntime": ("onnx",), "iree": ("iree-base-compiler", "jax")}
"""What else a kind needs."""

HAND_WRITTEN = {"numba"}
"""Kinds that are loops written by hand; all others are libraries."""

WRITES_TEMPORARIES = frozenset(
    {
        "torch index_add_",
        "torch index_copy_",
        "torch index_select einsum",
        "torch index_select mv",
        *("jax add", "jax add sorted", "jax set"),
        *("iree add", "iree add sorted", "iree set"),
    }
)
"""Ways to do a chain whose ops leave tensors to one another in memory, updates of a scatter at
least; all other ways are one pass over it."""


def kind_of(name: str) -> str:
    return name.split()[0]


def missing(kind: str) -> str | None:
    """Why peers of this kind cannot run here, None if they can."""
    for name in (PACKAGES[kind], *_NEEDS.get(kind, ())):
        if version(name) is None:
            return f"{name} is not installed"
    if kind == "torch.compile" and shutil.which(os.environ.get("CXX", "g++")) is None:
        return "there is no C++ compiler"
    return None


def version(package: str) -> str | None:
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return None


def numpy_call(function: Callable[[Case], Any]) -> Maker:
    """A peer that works on the case's own arrays; what it returns, or what is written."""
    return lambda d: lambda: function(d)


def over_tensors(function: Callable[..., Any]) -> Maker:
    """A peer of `t`, which has the arrays of the case as torch tensors, and `t.torch`."""

    def make(d: Case) -> Callable[[], Any]:
        tensors = Tensors(d)
        function(tensors)
        return functools.partial(function, tensors)

    return make


class Tensors:
    """The arrays of a case as torch tensors, made when first asked for."""

    def __init__(self, case: Case) -> None:
        import torch

        self.torch = torch
        self._case = case

    def __getattr__(self, name: str) -> Any:
        value = getattr(self._case, name)
        if isinstance(value, np.ndarray):
            value = tensor(value)
        setattr(self, name, value)
        return value


def tensor(array: np.ndarray) -> Any:
    """A torch tensor over the same memory."""
    import torch

    if array.dtype == ml_dtypes.bfloat16:
        return torch.from_numpy(array.view(np.uint16)).view(torch.bfloat16)
    return torch.from_numpy(array)


def compiled(function: Callable[..., Any], *names: str) -> Maker:
    """torch.compile of a function of tensors; the arguments are attributes of the case."""

    def make(d: Case) -> Callable[[], Any]:
        import torch

        torch._dynamo.reset()
        call = torch.compile(function, dynamic=False, fullgraph=True)
        arguments = [tensor(getattr(d, name)) for name in names]
        call(*arguments)
        return lambda: call(*arguments)

    return make


def jitted(function: Callable[..., Any], *names: str) -> Maker:
    """jax.jit of `function(dest, *arrays)`, its first argument donated.

    Where nothing is updated in place, that argument is the memory of the last result, for XLA to
    use again.
    """

    def make(d: Case) -> Callable[[], Any]:
        import jax

        jax.config.update("jax_enable_x64", True)
        arrays = [jax.numpy.array(getattr(d, name)) for name in names]
        state = jax.numpy.array(d.initial if d.in_place else np.zeros_like(d.out))
        call = jax.jit(function, donate_argnums=0, keep_unused=True)

        def run() -> Any:
            nonlocal state
            state = call(state, *arrays)
            return state.block_until_ready()

        return run

    return make


def through_iree(function: Callable[..., Any], *names: str) -> Maker:
    """The same function, as JAX writes it in StableHLO, compiled by IREE for this CPU.

    Results are arrays of their own, so what is updated in place by others is copied here. With the
    first argument donated, as to JAX, two threads took no less: 5.9 ms instead of 3.4 for G01, 15
    instead of 9.5 for G09, 53 instead of 42 for S03, 0.39 instead of 0.45 for G06.
    """

    def make(d: Case) -> Callable[[], Any]:
        import jax
        from iree import compiler, runtime

        jax.config.update("jax_enable_x64", True)
        arrays = [_moved(getattr(d, name)) for name in names]
        arrays.insert(0, _moved(d.initial if d.in_place else np.zeros_like(d.out)))
        text = jax.jit(function, keep_unused=True).lower(*arrays).as_text(dialect="stablehlo")
        code = compiler.compile_str(
            text,
            input_type="stablehlo",
            target_backends=["llvm-cpu"],
            extra_args=["--iree-llvmcpu-target-cpu=host"],
        )
        if d.threads > 1:
            runtime.flags.parse_flags(f"--task_topology_group_count={d.threads}")
        device = runtime.get_device("local-task" if d.threads > 1 else "local-sync")
        config = runtime.Config(device=device)
        module = runtime.VmModule.copy_buffer(config.vm_instance, code)
        call = runtime.load_vm_module(module, config)["main"]
        state, *rest = (runtime.asdevicearray(device, array) for array in arrays)

        def run() -> Any:
            nonlocal state
            found = call(state, *rest)
            if d.in_place:
                state = found
            return found

        return run

    return make


def xla(name: str, function: Callable[..., Any], *names: str) -> dict[str, Maker]:
    """`function(dest, *arrays)`, written in JAX, as XLA and as IREE compile it."""
    return {
        f"jax {name}": jitted(function, *names),
        f"iree {name}": through_iree(function, *names),
    }


def onnx_node(op: str, *names: str, threads: int | None = None, **attributes: Any) -> Maker:
    """One ONNX op with its inputs and its output bound to the arrays of the case.

    An op that updates in place gets one array as its input and its output. `threads`: by default
    those of the run.
    """

    def make(d: Case) -> Callable[[], Any]:
        import onnxruntime

        arrays = [_moved(getattr(d, name)) for name in names]
        output = _moved(d.dest if d.in_place else d.out)
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = threads or d.threads
        options.log_severity_level = 3
        session = onnxruntime.InferenceSession(
            _model(op, arrays, output, attributes), options, ["CPUExecutionProvider"]
        )
        binding = session.io_binding()
        for number, array in enumerate(arrays):
            place = (array.dtype, array.shape, array.ctypes.data)
            binding.bind_input(f"x{number}", "cpu", 0, *place)
        binding.bind_output("y", "cpu", 0, output.dtype, output.shape, output.ctypes.data)

        def run() -> np.ndarray:
            session.run_with_iobinding(binding)
            return d.dest if d.in_place else d.out

        return run

    return make


def _moved(array: np.ndarray) -> np.ndarray:
    """What is only moved may travel as integers, which every op takes."""
    return array.view(np.uint16) if array.dtype.itemsize == 2 else array


def _model(op: str, inputs: list[np.ndarray], output: np.ndarray, attributes: Any) -> bytes:
    from onnx import helper

    def info(name: str, array: np.ndarray) -> Any:
        element = helper.np_dtype_to_tensor_dtype(array.dtype)
        return helper.make_tensor_value_info(name, element, array.shape)

    names = [f"x{number}" for number in range(len(inputs))]
    node = helper.make_node(op, names, ["y"], **attributes)
    infos = [info(name, array) for name, array in zip(names, inputs, strict=True)]
    graph = helper.make_graph([node], "g", infos, [info("y", output)])
    opset = [helper.make_opsetid("", 18)]
    return helper.make_model(graph, opset_imports=opset, ir_version=9).SerializeToString()


def environment(threads: int) -> dict[str, str]:
    """The variables that give every runtime the CPU and as many threads, which spin for as long."""
    count = str(threads)
    return {
        **dict.fromkeys(("OMP_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS"), count),
        # Its default, for all that is linked to LLVM's OpenMP: 0 would cost each call a wake-up.
        "KMP_BLOCKTIME": "200",
        # Where JAX finds a GPU it takes that.
        "JAX_PLATFORMS": "cpu",
    }


def machine() -> dict[str, Any]:
    """CPU, memory and versions: what a figure depends on."""
    cpu = platform.processor() or platform.machine()
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as file:
            names = [line.split(":")[1].strip() for line in file if line.startswith("model name")]
        cpu = names[0] if names else cpu
    except OSError:
        pass
    packages = {"mlir-gs", "torch-mlir", *PACKAGES.values()}
    return {
        "cpu": cpu,
        "cpus": len(os.sched_getaffinity(0)),
        "caches": caches(),
        "system": f"{platform.system()} {'.'.join(platform.release().split('.')[:2])}",
        "python": platform.python_version(),
        "packages": {name: version(name) for name in sorted(packages) if version(name)},
    }


def commit() -> str:
    """The commit that is timed; "-dirty" says that files were changed since."""
    command = ["git", "describe", "--always", "--dirty", "--exclude=*"]
    found = subprocess.run(
        command, cwd=Path(__file__).parent, capture_output=True, text=True, check=False
    )
    return found.stdout.strip() or "of no repository"


def caches() -> dict[str, str]:
    """Sizes of the caches of the first CPU, from Linux."""
    found = {}
    for number in range(4):
        folder = f"/sys/devices/system/cpu/cpu0/cache/index{number}"
        try:
            level, kind, size = (
                open(f"{folder}/{name}", encoding="utf-8").read().strip()  # noqa: SIM115
                for name in ("level", "type", "size")
            )
        except OSError:
            continue
        found[f"L{level} {kind}" if kind != "Unified" else f"L{level}"] = size
    return found
