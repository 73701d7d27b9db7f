# SPDX-License-Identifier: MIT
"""The places of a call's arrays: NumPy's on the host, pyopencl's on a device. Both have the same
methods, so that a function describes its plan once."""
from contextlib import contextmanager
from typing import Any, Dict, Iterator, List, Optional, Sequence, Union

import numpy as np

from ._library import Context, call, context_around, ffi, get_context, lib, native, structure

Array = Any  # numpy.ndarray, what numpy.asarray takes, or pyopencl.array.Array
Description = Dict[str, Any]


def is_device(a: Any) -> bool:
    """Whether it is an array of pyopencl's, which this module does not import."""
    return hasattr(a, "base_data")


def type_of(dtype: Any) -> int:
    """The clprims_type of a dtype."""
    dtype = np.dtype(dtype)
    kind = {"b": "U", "u": "U", "i": "I", "f": "F"}.get(dtype.kind)
    code = getattr(lib, f"CLPRIMS_{kind}{8 * dtype.itemsize}", None)
    if code is None:
        raise TypeError(f"dtype {dtype} is neither bool, int8 to int64, uint8 to uint64, float32 nor float64")
    return code


def room(n: int) -> int:
    """The max_n of a plan for n elements. Few different ones let calls of other sizes share plans."""
    return (1 << max(10, int(n).bit_length())) - 1


class Host:
    """NumPy's arrays."""

    def __init__(self, context: Optional[Context]) -> None:
        self.context = context or get_context()

    def array(self, a: Array, dtype: Any = None) -> np.ndarray:
        a = np.asarray(a)
        return np.ascontiguousarray(a, (a.dtype if dtype is None else np.dtype(dtype)).newbyteorder("="))

    def axis_last(self, a: Array, axis: Optional[int]) -> np.ndarray:
        """The array with the axis moved to the end; None: the flattened array."""
        a = np.asarray(a)
        return self.array(a.ravel() if axis is None else np.moveaxis(a, axis, -1))

    def axis_back(self, a: np.ndarray, axis: Optional[int]) -> np.ndarray:
        return a if axis is None else np.moveaxis(a, -1, axis)

    def empty(self, shape: Any, dtype: Any) -> np.ndarray:
        return np.empty(shape, dtype)

    def zeros(self, shape: Any, dtype: Any) -> np.ndarray:
        return np.zeros(shape, dtype)

    def copy(self, a: Array) -> np.ndarray:
        return np.array(a, np.asarray(a).dtype.newbyteorder("="), order="C")

    def take_written(self, a: Array) -> None:
        """Refuses an array that a run can't change in place."""
        if not (isinstance(a, np.ndarray) and a.flags.carray and a.dtype.isnative):
            raise ValueError("the array that is changed must be NumPy's, C-contiguous, writeable and of this "
                             "machine's byte order")

    def matrix(self, a: np.ndarray) -> np.ndarray:
        return a

    def head(self, a: np.ndarray, count: np.ndarray) -> np.ndarray:
        """The first elements; `count` holds their number."""
        return a[:int(count[0])].copy()

    def result(self, a: np.ndarray) -> Any:
        """A scalar of an array without axes."""
        return a[()]

    def run(self, kind: str, description: Description, arrays: Description, n: int,
            parameters: Sequence[Any] = (), check: bool = False) -> None:
        """Runs a plan. The library checks the data of runs on plain arrays without a request."""
        keep: List[Any] = []
        with self.context.plan(kind, description) as plan, parameters_set(self, kind, plan, parameters):
            call(kind + "_run_sized", plan, *structure(kind + "_arrays", arrays, keep), n)


class Device:
    """Arrays of pyopencl's, on the queue of the first one."""

    def __init__(self, queue: Any, context: Optional[Context]) -> None:
        import pyopencl.array
        if queue is None:
            raise ValueError("the array of pyopencl has no queue: see its with_queue()")
        self.cl, self.queue = pyopencl, queue
        self.context = context or context_around(queue)
        self.read: List[Any] = []
        self.written: List[Any] = []

    def array(self, a: Array, dtype: Any = None) -> Array:
        if not is_device(a):
            raise TypeError(f"{type(a).__name__} beside an array of pyopencl: all arrays must be pyopencl's")
        if not a.flags.c_contiguous or a.offset % a.dtype.itemsize or not a.dtype.isnative:
            raise ValueError("an array of pyopencl must be C-contiguous and begin at a multiple of its "
                             "elements' size")
        self.read.append(a)
        if dtype is None or a.dtype == dtype:
            return a
        out = self.empty(a.shape, dtype)
        converted = {"type": type_of(a.dtype), "max_n": room(a.size),
                     "output": [{"type": type_of(dtype), "value": "x"}]}
        self.run("map", converted, {"in": a, "out": [out]}, a.size)
        return out

    def axis_last(self, a: Array, axis: Optional[int]) -> Array:
        if axis is not None and axis not in (-1, a.ndim - 1):
            raise ValueError(f"axis = {axis}: of pyopencl's arrays only the last axis, or None")
        a = self.array(a)
        return a.ravel() if axis is None else a

    def axis_back(self, a: Array, axis: Optional[int]) -> Array:
        return a

    def empty(self, shape: Any, dtype: Any) -> Array:
        self.written.append(self.cl.array.empty(self.queue, shape, dtype))
        return self.written[-1]

    def zeros(self, shape: Any, dtype: Any) -> Array:
        self.written.append(self.cl.array.zeros(self.queue, shape, dtype))
        return self.written[-1]

    def copy(self, a: Array) -> Array:
        self.written.append(self.array(a).copy(self.queue))
        return self.written[-1]

    def take_written(self, a: Array) -> None:
        self.written.append(self.array(a))

    def matrix(self, a: Array) -> Description:
        """The members of clprims_matrix."""
        return {**native(a, []), "ld": a.shape[-1], "stride": a.shape[-2] * a.shape[-1]}

    def head(self, a: Array, count: Array) -> Array:
        return a[:int(count.get()[0])]

    def result(self, a: Array) -> Array:
        return a

    def run(self, kind: str, description: Description, buffers: Description, n: int,
            parameters: Sequence[Any] = (), check: bool = False) -> None:
        """Submits a run behind the events of its arrays. With `check`, waits for the run's report and
        raises the fault that it names."""
        keep: List[Any] = []
        if check:
            report = self.empty(ffi.sizeof(f"clprims_{kind}_report") // 8, np.int64)
            buffers = dict(buffers, report=report)
        events = [event for a in (*self.read, *self.written) for event in a.events]
        wait = ffi.new("cl_event[]", native(events, keep)) if events else ffi.NULL
        event = ffi.new("cl_event *")
        with self.context.plan(kind, description) as plan, parameters_set(self, kind, plan, parameters):
            call(kind + "_enqueue_sized", plan, ffi.cast("cl_command_queue", self.queue.int_ptr),
                 *structure(kind + "_buffers", buffers, keep), n, len(events), wait, event)
        done = self.cl.Event.from_int_ptr(int(ffi.cast("uintptr_t", event[0])), retain=False)
        for a in self.written:
            a.add_event(done)
        if check:
            call(kind + "_check", ffi.cast(f"clprims_{kind}_report *", report.get().ctypes.data))


@contextmanager
def parameters_set(place: "Place", kind: str, plan: Any, values: Sequence[Any]) -> Iterator[None]:
    """Sets a plan's parameters. NumPy's arrays without axes are numbers; other arrays of NumPy's are
    on the device until the run is done."""
    keep: List[Any] = []
    copies: List[Any] = []
    try:
        for k, value in enumerate(values):
            if isinstance(value, np.ndarray) and value.ndim > 0:
                pointer, size = structure("buffer", {}, keep)
                call("buffer_create", pointer, place.context.pointer, max(value.nbytes, 1),
                     native(value, keep))
                copies.append(pointer)
            elif isinstance(value, np.ndarray):
                pointer, size = native(value, keep), value.nbytes
            else:
                pointer, size = structure("buffer", native(value, keep), keep)
            call(kind + "_set_parameter", plan, k, size, pointer)
        yield
    finally:
        for pointer in copies:
            lib.clprims_buffer_release(pointer)


Place = Union[Host, Device]


def place_of(*arrays: Array, context: Optional[Context] = None) -> Place:
    """The place of a call's arrays: a device if one of them is pyopencl's."""
    for a in arrays:
        if is_device(a):
            return Device(a.queue, context)
    return Host(context)
