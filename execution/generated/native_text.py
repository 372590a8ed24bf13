"""Generated code that is a kernel to CPython: a vectorcall over arrays and numbers.

`__gs_call(self, args, nargs, names)` describes the arrays to the compiled function as they lie in
memory, makes the result's array, and calls the function without the interpreter's lock. What it
does not take, it hands to `Kernel._general`: nothing has been written then.

An object has its type at byte 8; an ndarray has its data at 16, rank at 24, sizes at 32, strides
in bytes at 40, dtype at 56 and flags at 64; `native.py` checks that this is so.

A plan is {function, general, number of arguments, number of results to write, what to return (an
argument, -1 for None, -2 for the result), the name "out", type ndarray, whether out= may be any
array, None, function for strided arrays, what raises the error that was set, type int, type float,
most bytes of a new result, the result's shape, the table of `native_torch`, NumPy's
`PyArray_Empty`, the name "item" where the result's element is returned or null, the function of the
arguments that makes a result of computed sizes or null}, then eight words for each parameter:
{kind, two dtypes, their words for DLPack, log2 of the element size, rank, flags that are needed}. A
shape has two words for each dimension: {argument or -1, dimension or -1 for its value or the size}.
"""

from mlir_gs.execution.generated import native_values

HEAD = 19
"""Words of a plan before its parameters."""

WORDS = 8
"""Words of a parameter."""

VECTORCALL, PLAN = 16, 24
"""Where a kernel has its two pointers, behind what every object has."""

MAX_PARAMETERS = 16
MAX_RANK = 8

ARRAY, INTEGER, FLOAT = 0, 1, 2
"""Kinds of parameters."""

NAMES = ("__gs_call", "__gs_failed")
CALLS = (
    *("PyObject_Vectorcall", "PyTuple_Size", "PyTuple_GetItem", "Py_IncRef", "Py_DecRef"),
    *("PyEval_SaveThread", "PyEval_RestoreThread", "PyLong_AsLongLong", "PyFloat_AsDouble"),
    *("PyErr_Occurred", "PyErr_Clear", "PyObject_GetAttr", "PyObject_VectorcallMethod"),
)
"""What it calls of CPython."""

_DECLARATIONS = """
llvm.func @PyObject_Vectorcall(!llvm.ptr, !llvm.ptr, i64, !llvm.ptr) -> !llvm.ptr
llvm.func @PyTuple_Size(!llvm.ptr) -> i64
llvm.func @PyTuple_GetItem(!llvm.ptr, i64) -> !llvm.ptr
llvm.func @Py_IncRef(!llvm.ptr)
llvm.func @Py_DecRef(!llvm.ptr)
llvm.func @PyEval_SaveThread() -> !llvm.ptr
llvm.func @PyEval_RestoreThread(!llvm.ptr)
llvm.func @PyLong_AsLongLong(!llvm.ptr) -> i64
llvm.func @PyFloat_AsDouble(!llvm.ptr) -> f64
llvm.func @PyErr_Occurred() -> !llvm.ptr
llvm.func @PyErr_Clear()
llvm.func @PyObject_GetAttr(!llvm.ptr, !llvm.ptr) -> !llvm.ptr
llvm.func @PyObject_VectorcallMethod(!llvm.ptr, !llvm.ptr, i64, !llvm.ptr) -> !llvm.ptr
llvm.func @TVMFFIFunctionCall(!llvm.ptr, !llvm.ptr, i32, !llvm.ptr) -> i32
"""

_CALL = """
llvm.func @__gs_call(%self: !llvm.ptr, %args: !llvm.ptr, %flagged: i64, %names: !llvm.ptr)
    -> !llvm.ptr {
  %c0 = llvm.mlir.constant(0 : i64) : i64
  %c1 = llvm.mlir.constant(1 : i64) : i64
  %c2 = llvm.mlir.constant(2 : i64) : i64
  %c3 = llvm.mlir.constant(3 : i64) : i64
  %c6 = llvm.mlir.constant(6 : i64) : i64
  %head = llvm.mlir.constant(HEAD : i64) : i64
  %i0 = llvm.mlir.constant(0 : i32) : i32
  %null = llvm.mlir.zero : !llvm.ptr
  %anys_size = llvm.mlir.constant(ANYS : i64) : i64
  %dls_size = llvm.mlir.constant(DLS : i64) : i64
  %strides_size = llvm.mlir.constant(STRIDES : i64) : i64
  %rank_size = llvm.mlir.constant(RANK : i64) : i64
  %anys = llvm.alloca %anys_size x i64 : (i64) -> !llvm.ptr
  %dls = llvm.alloca %dls_size x i64 : (i64) -> !llvm.ptr
  %strides = llvm.alloca %strides_size x i64 : (i64) -> !llvm.ptr
  %sizes = llvm.alloca %rank_size x i64 : (i64) -> !llvm.ptr
  %returned = llvm.alloca %c2 x i64 : (i64) -> !llvm.ptr
  %fits = llvm.alloca %c1 x i1 : (i64) -> !llvm.ptr
  %mask = llvm.mlir.constant(9223372036854775807 : i64) : i64
  %n = llvm.and %flagged, %mask : i64
  %plan_at = llvm.getelementptr %self[PLAN] : (!llvm.ptr) -> !llvm.ptr, i8
  %plan = llvm.load %plan_at : !llvm.ptr -> !llvm.ptr
  %wanted_at = llvm.getelementptr %plan[2] : (!llvm.ptr) -> !llvm.ptr, i64
  %wanted = llvm.load %wanted_at : !llvm.ptr -> i64
  %count_at = llvm.getelementptr %plan[3] : (!llvm.ptr) -> !llvm.ptr, i64
  %written = llvm.load %count_at : !llvm.ptr -> i64
  %none_at = llvm.getelementptr %plan[8] : (!llvm.ptr) -> !llvm.ptr, i64
  %none = llvm.load %none_at : !llvm.ptr -> !llvm.ptr
  %same_count = llvm.icmp "eq" %n, %wanted : i64
  llvm.cond_br %same_count, ^names, ^general
^names:
  %unnamed = llvm.icmp "eq" %names, %null : !llvm.ptr
  llvm.cond_br %unnamed, ^loop(%c0, %null, %i0 : i64, !llvm.ptr, i32), ^named
^named:
  %named = llvm.call @PyTuple_Size(%names) : (!llvm.ptr) -> i64
  %one_name = llvm.icmp "eq" %named, %c1 : i64
  llvm.cond_br %one_name, ^name, ^general
^name:
  %name = llvm.call @PyTuple_GetItem(%names, %c0) : (!llvm.ptr, i64) -> !llvm.ptr
  %out_name_at = llvm.getelementptr %plan[5] : (!llvm.ptr) -> !llvm.ptr, i64
  %out_name = llvm.load %out_name_at : !llvm.ptr -> !llvm.ptr
  %takes_at = llvm.getelementptr %plan[7] : (!llvm.ptr) -> !llvm.ptr, i64
  %takes = llvm.load %takes_at : !llvm.ptr -> i64
  %is_out = llvm.icmp "eq" %name, %out_name : !llvm.ptr
  llvm.cond_br %is_out, ^out, ^general
^out:
  %out_at = llvm.getelementptr %args[%n] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.ptr
  %out_value = llvm.load %out_at : !llvm.ptr -> !llvm.ptr
  %is_none = llvm.icmp "eq" %out_value, %none : !llvm.ptr
  %out_given = llvm.select %is_none, %null, %out_value : i1, !llvm.ptr
  %taken = llvm.icmp "ne" %takes, %c0 : i64
  llvm.cond_br %taken, ^loop(%c0, %out_given, %i0 : i64, !llvm.ptr, i32), ^in_place
^in_place:
  %result_at = llvm.getelementptr %plan[4] : (!llvm.ptr) -> !llvm.ptr, i64
  %result_argument = llvm.load %result_at : !llvm.ptr -> i64
  %is_argument = llvm.icmp "sge" %result_argument, %c0 : i64
  llvm.cond_br %is_argument, ^which, ^general
^which:
  %written_at = llvm.getelementptr %args[%result_argument]
    : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.ptr
  %written_argument = llvm.load %written_at : !llvm.ptr -> !llvm.ptr
  %is_same = llvm.icmp "eq" %out_value, %written_argument : !llvm.ptr
  %fits_out = llvm.or %is_same, %is_none : i1
  llvm.cond_br %fits_out, ^loop(%c0, %null, %i0 : i64, !llvm.ptr, i32), ^general
^loop(%k: i64, %out: !llvm.ptr, %seen: i32):
  %k3 = llvm.shl %k, %c3 : i64
  %place = llvm.add %head, %k3 : i64
  %p = llvm.getelementptr %plan[%place] : (!llvm.ptr, i64) -> !llvm.ptr, i64
  %k2 = llvm.shl %k, %c1 : i64
  %any = llvm.getelementptr %anys[%k2] : (!llvm.ptr, i64) -> !llvm.ptr, i64
  %k6 = llvm.mul %k, %c6 : i64
  %dl = llvm.getelementptr %dls[%k6] : (!llvm.ptr, i64) -> !llvm.ptr, i64
  %scratch = llvm.getelementptr %strides[%k3] : (!llvm.ptr, i64) -> !llvm.ptr, i64
  %more = llvm.icmp "slt" %k, %n : i64
  llvm.cond_br %more, ^argument, ^result
^argument:
  %o_at = llvm.getelementptr %args[%k] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.ptr
  %o = llvm.load %o_at : !llvm.ptr -> !llvm.ptr
  %kind = llvm.load %p : !llvm.ptr -> i64
  %is_array = llvm.icmp "eq" %kind, %c0 : i64
  llvm.cond_br %is_array, ^array, ^number
^array:
  %which = llvm.call @__gs_array(%o, %p, %any, %dl, %scratch, %plan)
    : (!llvm.ptr, !llvm.ptr, !llvm.ptr, !llvm.ptr, !llvm.ptr, !llvm.ptr) -> i32
  %ok_array = llvm.icmp "ne" %which, %i0 : i32
  %seen1 = llvm.or %seen, %which : i32
  llvm.br ^next(%ok_array, %seen1 : i1, i32)
^number:
  %ok_number = llvm.call @__gs_number(%o, %kind, %any, %plan)
    : (!llvm.ptr, i64, !llvm.ptr, !llvm.ptr) -> i1
  llvm.br ^next(%ok_number, %seen : i1, i32)
^next(%ok: i1, %seen2: i32):
  %k1 = llvm.add %k, %c1 : i64
  llvm.cond_br %ok, ^loop(%k1, %out, %seen2 : i64, !llvm.ptr, i32), ^general
^result:
  %writes = llvm.icmp "ne" %written, %c0 : i64
  llvm.cond_br %writes, ^destination, ^run(%null, %null : !llvm.ptr, !llvm.ptr)
^destination:
  %unset = llvm.icmp "eq" %out, %null : !llvm.ptr
  llvm.cond_br %unset, ^which_fresh, ^given
^given:
  %given = llvm.call @__gs_array(%out, %p, %any, %dl, %scratch, %plan)
    : (!llvm.ptr, !llvm.ptr, !llvm.ptr, !llvm.ptr, !llvm.ptr, !llvm.ptr) -> i32
  %ok_given = llvm.icmp "ne" %given, %i0 : i32
  llvm.cond_br %ok_given, ^run(%null, %out : !llvm.ptr, !llvm.ptr), ^general
^which_fresh:
  %maker_at = llvm.getelementptr %plan[18] : (!llvm.ptr) -> !llvm.ptr, i64
  %maker = llvm.load %maker_at : !llvm.ptr -> !llvm.ptr
  %has_leaves = llvm.icmp "eq" %maker, %null : !llvm.ptr
  llvm.cond_br %has_leaves, ^fresh, ^computed
^computed:
  %i1 = llvm.mlir.constant(1 : i32) : i32
  %of_numpy = llvm.icmp "ule" %seen, %i1 : i32
  llvm.cond_br %of_numpy, ^compute, ^general
^compute:
  %computed = llvm.call @PyObject_Vectorcall(%maker, %args, %n, %null)
    : (!llvm.ptr, !llvm.ptr, i64, !llvm.ptr) -> !llvm.ptr
  %uncomputed = llvm.icmp "eq" %computed, %null : !llvm.ptr
  llvm.cond_br %uncomputed, ^clear, ^filled(%computed : !llvm.ptr)
^clear:
  llvm.call @PyErr_Clear() : () -> ()
  llvm.br ^general
^fresh:
  %new = llvm.call @__gs_fresh(%plan, %p, %anys, %dls, %sizes, %seen, %dl, %fits)
    : (!llvm.ptr, !llvm.ptr, !llvm.ptr, !llvm.ptr, !llvm.ptr, i32, !llvm.ptr, !llvm.ptr)
    -> !llvm.ptr
  %fitting = llvm.load %fits : !llvm.ptr -> i1
  llvm.cond_br %fitting, ^made, ^general
^made:
  %unmade = llvm.icmp "eq" %new, %null : !llvm.ptr
  llvm.cond_br %unmade, ^error, ^filled(%new : !llvm.ptr)
^filled(%mine_new: !llvm.ptr):
  %ok_new = llvm.call @__gs_array(%mine_new, %p, %any, %dl, %scratch, %plan)
    : (!llvm.ptr, !llvm.ptr, !llvm.ptr, !llvm.ptr, !llvm.ptr, !llvm.ptr) -> i32
  llvm.br ^run(%mine_new, %mine_new : !llvm.ptr, !llvm.ptr)
^error:
  llvm.return %null : !llvm.ptr
^run(%mine: !llvm.ptr, %target: !llvm.ptr):
  %values = llvm.add %n, %written : i64
  %values32 = llvm.trunc %values : i64 to i32
  %first = llvm.load %plan : !llvm.ptr -> !llvm.ptr
  %state = llvm.call @PyEval_SaveThread() : () -> !llvm.ptr
  llvm.br ^attempt(%first : !llvm.ptr)
^attempt(%function: !llvm.ptr):
  llvm.store %c0, %returned : i64, !llvm.ptr
  %status = llvm.call @TVMFFIFunctionCall(%function, %anys, %values32, %returned)
    : (!llvm.ptr, !llvm.ptr, i32, !llvm.ptr) -> i32
  %good = llvm.icmp "eq" %status, %i0 : i32
  llvm.cond_br %good, ^look, ^failed
^look:
  %returned_kind = llvm.load %returned : !llvm.ptr -> i32
  %finished = llvm.icmp "eq" %returned_kind, %i0 : i32
  llvm.cond_br %finished, ^done, ^strided
^strided:
  %other_at = llvm.getelementptr %plan[9] : (!llvm.ptr) -> !llvm.ptr, i64
  %other = llvm.load %other_at : !llvm.ptr -> !llvm.ptr
  %absent = llvm.icmp "eq" %other, %null : !llvm.ptr
  %tried = llvm.icmp "eq" %other, %function : !llvm.ptr
  %no_other = llvm.or %absent, %tried : i1
  llvm.cond_br %no_other, ^drop, ^attempt(%other : !llvm.ptr)
^drop:
  llvm.call @PyEval_RestoreThread(%state) : (!llvm.ptr) -> ()
  %nothing = llvm.icmp "eq" %mine, %null : !llvm.ptr
  llvm.cond_br %nothing, ^general, ^free
^free:
  llvm.call @Py_DecRef(%mine) : (!llvm.ptr) -> ()
  llvm.br ^general
^done:
  llvm.call @PyEval_RestoreThread(%state) : (!llvm.ptr) -> ()
  %return_at = llvm.getelementptr %plan[4] : (!llvm.ptr) -> !llvm.ptr, i64
  %return = llvm.load %return_at : !llvm.ptr -> i64
  %is_new = llvm.icmp "ne" %mine, %null : !llvm.ptr
  %some = llvm.icmp "sge" %return, %c0 : i64
  llvm.cond_br %is_new, ^new, ^old
^new:
  %item_at = llvm.getelementptr %plan[17] : (!llvm.ptr) -> !llvm.ptr, i64
  %item = llvm.load %item_at : !llvm.ptr -> !llvm.ptr
  %is_array_wanted = llvm.icmp "eq" %item, %null : !llvm.ptr
  llvm.cond_br %is_array_wanted, ^give(%mine : !llvm.ptr), ^element
^element:
  llvm.store %mine, %returned : !llvm.ptr, !llvm.ptr
  %element = llvm.call @PyObject_VectorcallMethod(%item, %returned, %c1, %null)
    : (!llvm.ptr, !llvm.ptr, i64, !llvm.ptr) -> !llvm.ptr
  llvm.call @Py_DecRef(%mine) : (!llvm.ptr) -> ()
  llvm.return %element : !llvm.ptr
^old:
  %has_target = llvm.icmp "ne" %target, %null : !llvm.ptr
  %fallback = llvm.select %has_target, %target, %none : i1, !llvm.ptr
  llvm.cond_br %some, ^argument_back, ^keep(%fallback : !llvm.ptr)
^argument_back:
  %back_at = llvm.getelementptr %args[%return] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.ptr
  %back = llvm.load %back_at : !llvm.ptr -> !llvm.ptr
  llvm.br ^keep(%back : !llvm.ptr)
^keep(%kept: !llvm.ptr):
  llvm.call @Py_IncRef(%kept) : (!llvm.ptr) -> ()
  llvm.br ^give(%kept : !llvm.ptr)
^give(%gift: !llvm.ptr):
  llvm.return %gift : !llvm.ptr
^failed:
  llvm.call @PyEval_RestoreThread(%state) : (!llvm.ptr) -> ()
  %unused = llvm.icmp "eq" %mine, %null : !llvm.ptr
  llvm.cond_br %unused, ^raise, ^free_first
^free_first:
  llvm.call @Py_DecRef(%mine) : (!llvm.ptr) -> ()
  llvm.br ^raise
^raise:
  %raiser_at = llvm.getelementptr %plan[10] : (!llvm.ptr) -> !llvm.ptr, i64
  %raiser = llvm.load %raiser_at : !llvm.ptr -> !llvm.ptr
  %raised = llvm.call @PyObject_Vectorcall(%raiser, %null, %c0, %null)
    : (!llvm.ptr, !llvm.ptr, i64, !llvm.ptr) -> !llvm.ptr
  llvm.return %raised : !llvm.ptr
^general:
  %has_no_names = llvm.icmp "eq" %names, %null : !llvm.ptr
  llvm.cond_br %has_no_names, ^forward(%n : i64), ^count_names
^count_names:
  %name_count = llvm.call @PyTuple_Size(%names) : (!llvm.ptr) -> i64
  %with_names = llvm.add %n, %name_count : i64
  llvm.br ^forward(%with_names : i64)
^forward(%total: i64):
  %total1 = llvm.add %total, %c1 : i64
  %n1 = llvm.add %n, %c1 : i64
  %bytes = llvm.shl %total, %c3 : i64
  %copy = llvm.alloca %total1 x i64 : (i64) -> !llvm.ptr
  %rest = llvm.getelementptr %copy[1] : (!llvm.ptr) -> !llvm.ptr, i64
  llvm.store %self, %copy : !llvm.ptr, !llvm.ptr
  "llvm.intr.memcpy"(%rest, %args, %bytes) <{isVolatile = false}>
    : (!llvm.ptr, !llvm.ptr, i64) -> ()
  %general_at = llvm.getelementptr %plan[1] : (!llvm.ptr) -> !llvm.ptr, i64
  %general = llvm.load %general_at : !llvm.ptr -> !llvm.ptr
  %answer = llvm.call @PyObject_Vectorcall(%general, %copy, %n1, %names)
    : (!llvm.ptr, !llvm.ptr, i64, !llvm.ptr) -> !llvm.ptr
  llvm.return %answer : !llvm.ptr
}
llvm.func @__gs_failed(%packed: !llvm.ptr) {
  %failed = llvm.mlir.constant(-1 : i32) : i32
  %status_at = llvm.getelementptr %packed[4] : (!llvm.ptr) -> !llvm.ptr, !llvm.ptr
  %status = llvm.load %status_at : !llvm.ptr -> !llvm.ptr
  llvm.store %failed, %status : i32, !llvm.ptr
  llvm.return
}
"""


def text() -> str:
    """LLVM dialect text of `__gs_call`, for objects that have the address of their plan at
    `PLAN`, and of `__gs_failed`, a safe call of tvm-ffi, as MLIR packs its arguments, that does
    nothing and fails: it raises the error that is set."""
    numbers = {
        "HEAD": HEAD,
        "ANYS": 2 * MAX_PARAMETERS,
        "DLS": 6 * MAX_PARAMETERS,
        "STRIDES": MAX_RANK * MAX_PARAMETERS,
        "RANK": MAX_RANK,
    }
    call = _CALL.replace("PLAN]", f"{PLAN}]")
    for name, number in numbers.items():
        call = call.replace(f"({name} : i64)", f"({number} : i64)")
    return _DECLARATIONS + native_values.TEXT + call
