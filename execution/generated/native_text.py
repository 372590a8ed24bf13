"""Generated code that is a kernel to CPython: a vectorcall over arrays and numbers.

`__gs_call(self, args, nargs, names)` describes the arrays to the compiled function as they lie in
memory, makes the result's array, and calls the function without the interpreter's lock. What it
does not take, it hands to `Kernel._general`: nothing has been written then.

An object has its type at byte 8; an ndarray has its data at 16, rank at 24, sizes at 32, strides
in bytes at 40, dtype at 56 and flags at 64; `native.py` checks that this is so.

A plan is {function, general, number of arguments, number of results to write, what to return (an
argument, -1 for None, -2 for the result), the name "out", type ndarray, whether out= may be any
array, None, function for strided arrays, what raises the error that was set, type int, type float,
most bytes of a new result, the result's shape or null if sizes are computed, the table of
`native_torch`, NumPy's `PyArray_Empty`, the name "item" where the result's element is returned or
null, the function of the arguments that makes a result of more bytes or of computed sizes, or
null}, then eight words for each parameter: {kind, two dtypes, their words for DLPack, log2 of the
element size, rank, flags that are needed}. A shape has two words for each dimension:
{argument or -1, dimension or -1 for its value or the size}.
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

_CALL = f"""
llvm.func @__gs_call(%self: !llvm.ptr, %args: !llvm.ptr, %flagged: i64, %names: !llvm.ptr)
    -> !llvm.ptr {{
  %anys = llvm.alloca %c{2 * MAX_PARAMETERS} x i64 : (i64) -> !llvm.ptr
  %dls = llvm.alloca %c{6 * MAX_PARAMETERS} x i64 : (i64) -> !llvm.ptr
  %strides = llvm.alloca %c{MAX_RANK * MAX_PARAMETERS} x i64 : (i64) -> !llvm.ptr
  %sizes = llvm.alloca %c{MAX_RANK} x i64 : (i64) -> !llvm.ptr
  %returned = llvm.alloca %c2 x i64 : (i64) -> !llvm.ptr
  %fits = llvm.alloca %c1 x i1 : (i64) -> !llvm.ptr
  %n = llvm.and %flagged, %c9223372036854775807 : i64
  %plan = load %self[{PLAN} x i8] : ptr
  %wanted, %written = load %plan[2] : i64
  %none = load %plan[8] : ptr
  %same_count = llvm.icmp "eq" %n, %wanted : i64
  llvm.cond_br %same_count, ^names, ^general
^names:
  %unnamed = llvm.icmp "eq" %names, %null : !llvm.ptr
  llvm.cond_br %unnamed, ^loop(%c0, %null, %i0 : i64, !llvm.ptr, i32), ^named
^named:
  %named = call @PyTuple_Size(%names)
  %one_name = llvm.icmp "eq" %named, %c1 : i64
  llvm.cond_br %one_name, ^name, ^general
^name:
  %name = call @PyTuple_GetItem(%names, %c0)
  %out_name = load %plan[5] : ptr
  %takes = load %plan[7] : i64
  %is_out = llvm.icmp "eq" %name, %out_name : !llvm.ptr
  llvm.cond_br %is_out, ^out, ^general
^out:
  %out_value = load %args[%n] : ptr
  %is_none = llvm.icmp "eq" %out_value, %none : !llvm.ptr
  %out_given = llvm.select %is_none, %null, %out_value : i1, !llvm.ptr
  %taken = llvm.icmp "ne" %takes, %c0 : i64
  llvm.cond_br %taken, ^loop(%c0, %out_given, %i0 : i64, !llvm.ptr, i32), ^in_place
^in_place:
  %result_argument = load %plan[4] : i64
  %is_argument = llvm.icmp "sge" %result_argument, %c0 : i64
  llvm.cond_br %is_argument, ^which, ^general
^which:
  %written_at = llvm.getelementptr %args[%result_argument]
    : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.ptr
  %written_argument = load %written_at : ptr
  %is_same = llvm.icmp "eq" %out_value, %written_argument : !llvm.ptr
  %fits_out = llvm.or %is_same, %is_none : i1
  llvm.cond_br %fits_out, ^loop(%c0, %null, %i0 : i64, !llvm.ptr, i32), ^general
^loop(%k: i64, %out: !llvm.ptr, %seen: i32):
  %k3 = llvm.shl %k, %c3 : i64
  %place = llvm.add %c{HEAD}, %k3 : i64
  %p = at %plan[%place]
  %k2 = llvm.shl %k, %c1 : i64
  %any = at %anys[%k2]
  %k6 = llvm.mul %k, %c6 : i64
  %dl = at %dls[%k6]
  %scratch = at %strides[%k3]
  %more = llvm.icmp "slt" %k, %n : i64
  llvm.cond_br %more, ^argument, ^result
^argument:
  %o = load %args[%k] : ptr
  %kind = load %p : i64
  %is_array = llvm.icmp "eq" %kind, %c0 : i64
  llvm.cond_br %is_array, ^array, ^number
^array:
  %which = call @__gs_array(%o, %p, %any, %dl, %scratch, %plan)
  %ok_array = llvm.icmp "ne" %which, %i0 : i32
  %seen1 = llvm.or %seen, %which : i32
  llvm.br ^next(%ok_array, %seen1 : i1, i32)
^number:
  %ok_number = call @__gs_number(%o, %kind, %any, %plan)
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
  %given = call @__gs_array(%out, %p, %any, %dl, %scratch, %plan)
  %ok_given = llvm.icmp "ne" %given, %i0 : i32
  llvm.cond_br %ok_given, ^run(%null, %out : !llvm.ptr, !llvm.ptr), ^general
^which_fresh:
  %shape = load %plan[14] : ptr
  %has_shape = llvm.icmp "ne" %shape, %null : !llvm.ptr
  llvm.cond_br %has_shape, ^fresh, ^computed
^computed:
  %maker = load %plan[18] : ptr
  %has_maker = llvm.icmp "ne" %maker, %null : !llvm.ptr
  %of_numpy = llvm.icmp "ule" %seen, %i1 : i32
  %can_compute = llvm.and %has_maker, %of_numpy : i1
  llvm.cond_br %can_compute, ^compute, ^general
^compute:
  %computed = call @PyObject_Vectorcall(%maker, %args, %n, %null)
  %uncomputed = llvm.icmp "eq" %computed, %null : !llvm.ptr
  llvm.cond_br %uncomputed, ^clear, ^filled(%computed : !llvm.ptr)
^clear:
  call @PyErr_Clear()
  llvm.br ^general
^fresh:
  %new = call @__gs_fresh(%plan, %p, %anys, %dls, %sizes, %seen, %dl, %fits)
  %fitting = load %fits : i1
  llvm.cond_br %fitting, ^made, ^computed
^made:
  %unmade = llvm.icmp "eq" %new, %null : !llvm.ptr
  llvm.cond_br %unmade, ^error, ^filled(%new : !llvm.ptr)
^filled(%mine_new: !llvm.ptr):
  %ok_new = call @__gs_array(%mine_new, %p, %any, %dl, %scratch, %plan)
  llvm.br ^run(%mine_new, %mine_new : !llvm.ptr, !llvm.ptr)
^error:
  llvm.return %null : !llvm.ptr
^run(%mine: !llvm.ptr, %target: !llvm.ptr):
  %values = llvm.add %n, %written : i64
  %values32 = llvm.trunc %values : i64 to i32
  %first = load %plan : ptr
  %state = call @PyEval_SaveThread()
  llvm.br ^attempt(%first : !llvm.ptr)
^attempt(%function: !llvm.ptr):
  store %c0, %returned : i64
  %status = call @TVMFFIFunctionCall(%function, %anys, %values32, %returned)
  %good = llvm.icmp "eq" %status, %i0 : i32
  llvm.cond_br %good, ^look, ^failed
^look:
  %returned_kind = load %returned : i32
  %finished = llvm.icmp "eq" %returned_kind, %i0 : i32
  llvm.cond_br %finished, ^done, ^strided
^strided:
  %other = load %plan[9] : ptr
  %absent = llvm.icmp "eq" %other, %null : !llvm.ptr
  %tried = llvm.icmp "eq" %other, %function : !llvm.ptr
  %no_other = llvm.or %absent, %tried : i1
  llvm.cond_br %no_other, ^drop, ^attempt(%other : !llvm.ptr)
^drop:
  call @PyEval_RestoreThread(%state)
  %nothing = llvm.icmp "eq" %mine, %null : !llvm.ptr
  llvm.cond_br %nothing, ^general, ^free
^free:
  call @Py_DecRef(%mine)
  llvm.br ^general
^done:
  call @PyEval_RestoreThread(%state)
  %return = load %plan[4] : i64
  %is_new = llvm.icmp "ne" %mine, %null : !llvm.ptr
  %some = llvm.icmp "sge" %return, %c0 : i64
  llvm.cond_br %is_new, ^new, ^old
^new:
  %item = load %plan[17] : ptr
  %is_array_wanted = llvm.icmp "eq" %item, %null : !llvm.ptr
  llvm.cond_br %is_array_wanted, ^give(%mine : !llvm.ptr), ^element
^element:
  store %mine, %returned : ptr
  %element = call @PyObject_VectorcallMethod(%item, %returned, %c1, %null)
  call @Py_DecRef(%mine)
  llvm.return %element : !llvm.ptr
^old:
  %has_target = llvm.icmp "ne" %target, %null : !llvm.ptr
  %fallback = llvm.select %has_target, %target, %none : i1, !llvm.ptr
  llvm.cond_br %some, ^argument_back, ^keep(%fallback : !llvm.ptr)
^argument_back:
  %back = load %args[%return] : ptr
  llvm.br ^keep(%back : !llvm.ptr)
^keep(%kept: !llvm.ptr):
  call @Py_IncRef(%kept)
  llvm.br ^give(%kept : !llvm.ptr)
^give(%gift: !llvm.ptr):
  llvm.return %gift : !llvm.ptr
^failed:
  call @PyEval_RestoreThread(%state)
  %unused = llvm.icmp "eq" %mine, %null : !llvm.ptr
  llvm.cond_br %unused, ^raise, ^free_first
^free_first:
  call @Py_DecRef(%mine)
  llvm.br ^raise
^raise:
  %raiser = load %plan[10] : ptr
  %raised = call @PyObject_Vectorcall(%raiser, %null, %c0, %null)
  llvm.return %raised : !llvm.ptr
^general:
  %has_no_names = llvm.icmp "eq" %names, %null : !llvm.ptr
  llvm.cond_br %has_no_names, ^forward(%n : i64), ^count_names
^count_names:
  %name_count = call @PyTuple_Size(%names)
  %with_names = llvm.add %n, %name_count : i64
  llvm.br ^forward(%with_names : i64)
^forward(%total: i64):
  %total1 = llvm.add %total, %c1 : i64
  %n1 = llvm.add %n, %c1 : i64
  %bytes = llvm.shl %total, %c3 : i64
  %copy = llvm.alloca %total1 x i64 : (i64) -> !llvm.ptr
  %rest = at %copy[1]
  store %self, %copy : ptr
  "llvm.intr.memcpy"(%rest, %args, %bytes) <{{isVolatile = false}}>
    : (!llvm.ptr, !llvm.ptr, i64) -> ()
  %general = load %plan[1] : ptr
  %answer = call @PyObject_Vectorcall(%general, %copy, %n1, %names)
  llvm.return %answer : !llvm.ptr
}}
llvm.func @__gs_failed(%packed: !llvm.ptr) {{
  %failed = llvm.mlir.constant(-1 : i32) : i32
  %status = load %packed[4] : ptr
  store %failed, %status : i32
  llvm.return
}}
"""

TEXT = _DECLARATIONS + native_values.TEXT + _CALL
"""`__gs_call`, for objects that have the address of their plan at `PLAN`, and `__gs_failed`, a safe
call of tvm-ffi, as MLIR packs its arguments, that does nothing and fails: it raises the error that
is set."""
