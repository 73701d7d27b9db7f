# SPDX-License-Identifier: MIT
"""The C library: its calls, its errors, and contexts, which keep plans."""
import threading
import weakref
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Dict, Iterator, List, Optional, Tuple

import numpy as np

from ._headers import ffi

lib = ffi.dlopen(str(Path(__file__).parent / "libclprims.so"))

MOST_PLANS = 64  # idle ones of a context
MOST_CONTEXTS = 16  # around contexts of pyopencl


class Error(Exception):
    """A failed call of the library; the message is the library's.

    `status` is the name of the status, `build_log` the log of the OpenCL compiler. Most failures
    raise a subclass, which is also a ValueError, a NotImplementedError or a MemoryError.
    """

    status = ""
    build_log = ""


class ArgumentError(Error, ValueError):
    """The call is wrong."""


class TooLargeError(Error, ValueError):
    """An array is larger than the device's limits."""


class UnsupportedError(Error, NotImplementedError):
    """The device can't do it."""


class DataError(Error, ValueError):
    """The data break what the function requires."""


class BuildError(Error, ValueError):
    """An expression does not compile; see `build_log`."""


class OutOfMemoryError(Error, MemoryError):
    """The host or the device is out of memory."""


_ERRORS = {lib.CLPRIMS_ERR_ARGUMENT: ArgumentError, lib.CLPRIMS_ERR_TOO_LARGE: TooLargeError,
           lib.CLPRIMS_ERR_UNSUPPORTED: UnsupportedError, lib.CLPRIMS_ERR_DATA: DataError,
           lib.CLPRIMS_ERR_BUILD: BuildError, lib.CLPRIMS_ERR_HOST_MEMORY: OutOfMemoryError,
           lib.CLPRIMS_ERR_DEVICE_MEMORY: OutOfMemoryError}


def call(name: str, *arguments: Any) -> None:
    """Calls clprims_NAME, for which cffi releases the GIL, and raises the error of its status."""
    status = getattr(lib, "clprims_" + name)(*arguments)
    if status != lib.CLPRIMS_OK:
        record = lib.clprims_last_error()
        error = _ERRORS.get(status, Error)(ffi.string(record.message).decode(errors="replace"))
        error.status = ffi.string(lib.clprims_status_name(status)).decode()
        error.build_log = ffi.string(record.build_log).decode(errors="replace")
        raise error


def native(value: Any, keep: List[Any]) -> Any:
    """What cffi stores in a member: the address of a NumPy array, the clprims_buffer of an array of
    pyopencl's, the handle of another object of pyopencl's. `keep` keeps what addresses point to."""
    if value is None:
        return ffi.NULL
    if isinstance(value, dict):
        return {name: native(member, keep) for name, member in value.items()}
    if isinstance(value, (list, tuple)):
        return [native(element, keep) for element in value]
    if isinstance(value, str):
        value = ffi.new("char[]", value.encode())
        keep.append(value)
    elif isinstance(value, np.ndarray):
        keep.append(value)
        return ffi.cast("void *", value.ctypes.data)
    elif hasattr(value, "base_data"):
        mem = value.base_data
        return {"mem": ffi.NULL if mem is None else ffi.cast("cl_mem", mem.int_ptr),
                "first": value.offset // value.dtype.itemsize}
    elif hasattr(value, "int_ptr"):
        return ffi.cast("void *", value.int_ptr)
    return value


def structure(name: str, values: Dict[str, Any], keep: List[Any]) -> Tuple[Any, int]:
    """A structure clprims_NAME with the members in `values`, all others 0; and its size."""
    pointer = ffi.new(f"clprims_{name} *", native(values, keep))
    return pointer, ffi.sizeof(pointer[0])


def _frozen(value: Any) -> Any:
    """A member of a description as a part of a key."""
    if isinstance(value, dict):
        return tuple((name, _frozen(member)) for name, member in value.items())
    if isinstance(value, list):
        return tuple(map(_frozen, value))
    return (value.dtype.str, value.tobytes()) if isinstance(value, np.ndarray) else value


def _close(pointer: Any, idle: List[Any]) -> None:
    while idle:
        idle.pop()[-1]()
    lib.clprims_context_destroy(pointer)


class Context:
    """One device, and the plans that later calls take again.

    The options are the members of clprims_context_options: `device` is a number or a part of a
    name, `program_store` a folder that keeps built programs, `queue` a queue of pyopencl's for calls
    on NumPy's arrays. Any number of threads may use a context at once.
    """

    def __init__(self, **options: Any) -> None:
        keep: List[Any] = []
        queue, packs = options.get("queue"), options.get("program_packs")
        if queue is not None:
            options.setdefault("context", queue.context)
            options.setdefault("device_id", queue.device)
        if packs:
            packs = ffi.new("char *[]", native(packs, keep))
            options.update(program_packs=packs, program_pack_count=len(packs))
        out = ffi.new("clprims_context **")
        call("context_create_sized", out, *structure("context_options", options, keep))
        self.pointer = out[0]
        self._idle: List[Tuple[Any, Any, Any]] = []  # a plan's key, itself, and what destroys it
        self._lock = threading.Lock()
        self._finalizer = weakref.finalize(self, _close, self.pointer, self._idle)

    def __enter__(self) -> "Context":
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()

    def close(self) -> None:
        """Frees the device's memory and completes the program store. No other thread may use the
        context then or later."""
        self._finalizer()
        self.pointer = ffi.NULL

    @property
    def device(self) -> str:
        """The name of the device."""
        info, size = structure("context_info", {}, [])
        call("context_describe_sized", self.pointer, info, size)
        return ffi.string(info.device.name).decode(errors="replace")

    def forget_plans(self) -> None:
        """Destroys the plans that no call uses, which frees their memory."""
        with self._lock:
            idle, self._idle[:] = self._idle[:], []
        for _, _, destroy in idle:
            destroy()

    def _create(self, key: Any, kind: str, description: Dict[str, Any]) -> Tuple[Any, Any, Any]:
        keep: List[Any] = []
        out = ffi.new(f"clprims_{kind} **")
        call(kind + "_create_sized", out, self.pointer, *structure(kind + "_desc", description, keep))
        plan, destroy = out[0], getattr(lib, f"clprims_{kind}_destroy")
        return key, plan, lambda: destroy(plan)

    @contextmanager
    def plan(self, kind: str, description: Dict[str, Any]) -> Iterator[Any]:
        """A plan for one run. Calls at the same time get different plans."""
        key = kind, _frozen(description)
        with self._lock:
            at = [number for number, entry in enumerate(self._idle) if entry[0] == key]
            entry = self._idle.pop(at[-1]) if at else None
        if entry is None:
            try:
                entry = self._create(key, kind, description)
            except OutOfMemoryError:
                self.forget_plans()
                entry = self._create(key, kind, description)
        try:
            yield entry[1]
        finally:
            with self._lock:
                self._idle.append(entry)
                oldest = self._idle.pop(0) if len(self._idle) > MOST_PLANS else None
            if oldest:
                oldest[2]()


_default: Optional[Context] = None
_around: Dict[Tuple[int, int], Context] = {}  # the least recently used one first
_lock = threading.Lock()


def get_context() -> Context:
    """The context of calls on NumPy's arrays that name none: the one of set_context, else one on a GPU
    if one works, else on a CPU."""
    global _default
    with _lock:
        if _default is None:
            _default = Context()
        return _default


def set_context(context: Optional[Context]) -> None:
    """Sets the context of calls on NumPy's arrays that name none. With None, the next call creates
    one."""
    global _default
    with _lock:
        _default = context


def context_around(queue: Any) -> Context:
    """The context around the OpenCL context of pyopencl's queue."""
    key = queue.context.int_ptr, queue.device.int_ptr
    with _lock:
        context = _around.pop(key, None) or Context(context=queue.context, device_id=queue.device)
        _around[key] = context
        if len(_around) > MOST_CONTEXTS:
            _around.pop(next(iter(_around)))  # closed when the last call that uses it has returned
        return context
