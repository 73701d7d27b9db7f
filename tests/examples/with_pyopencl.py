#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""From Python: clprims on the context, queue and arrays of pyopencl, through ctypes.

with_pyopencl.py LIBCLPRIMS.SO: scans an array of the device where it lies and
compares the sums with NumPy's.
"""
import ctypes
import sys

import numpy
import pyopencl
import pyopencl.array

CLPRIMS_I32 = 3  # pinned in clprims/core.h


class ContextOptions(ctypes.Structure):
    """clprims_context_options."""
    _fields_ = [("device", ctypes.c_char_p),
                ("context", ctypes.c_void_p), ("device_id", ctypes.c_void_p),
                ("queue", ctypes.c_void_p), ("layer", ctypes.c_int),
                ("cl_dir", ctypes.c_char_p), ("tuning_file", ctypes.c_char_p)]


class Buffer(ctypes.Structure):
    """clprims_buffer."""
    _fields_ = [("mem", ctypes.c_void_p), ("first", ctypes.c_size_t)]


class Error(ctypes.Structure):
    """clprims_error."""
    _fields_ = [("status", ctypes.c_int), ("cl_code", ctypes.c_int),
                ("message", ctypes.c_char_p), ("build_log", ctypes.c_char_p)]


class Clprims:
    """The library on one queue of pyopencl's."""

    def __init__(self, path, queue):
        self.lib = ctypes.CDLL(path)
        self.lib.clprims_last_error.restype = ctypes.POINTER(Error)
        self.queue = queue
        self.context = ctypes.c_void_p()
        options = ContextOptions(context=queue.context.int_ptr, device_id=queue.device.int_ptr,
                                 queue=queue.int_ptr)
        self.check(self.lib.clprims_context_create_sized(
            ctypes.byref(self.context), ctypes.byref(options),
            ctypes.c_size_t(ctypes.sizeof(options))))

    def check(self, status):
        if status != 0:
            raise RuntimeError(self.lib.clprims_last_error().contents.message.decode())

    def scan(self, array, out):
        """Submits the exclusive sums of an int32 array, as int64, and returns pyopencl's event."""
        event = ctypes.c_void_p()
        self.check(self.lib.clprims_exclusive_cumsum_enqueue(
            self.context, ctypes.c_void_p(self.queue.int_ptr), CLPRIMS_I32, place_of(array),
            ctypes.c_size_t(array.size), place_of(out), 0, None, ctypes.byref(event)))
        return pyopencl.Event.from_int_ptr(event.value, retain=False)

    def close(self):
        self.lib.clprims_context_destroy(self.context)


def place_of(array):
    """Where a pyopencl array begins, in elements: views are fine."""
    return Buffer(array.base_data.int_ptr, array.offset // array.dtype.itemsize)


def main():
    if len(sys.argv) != 2:
        sys.exit(f"usage: {sys.argv[0]} PATH-OF-LIBCLPRIMS.SO")
    context = pyopencl.create_some_context(interactive=False)
    queue = pyopencl.CommandQueue(context)
    library = Clprims(sys.argv[1], queue)
    values = numpy.random.default_rng(1).integers(-1000, 1000, 100003, dtype=numpy.int32)
    on_device = pyopencl.array.to_device(queue, values)[3:]  # a view
    sums = pyopencl.array.empty(queue, on_device.size, numpy.int64)
    library.scan(on_device, sums)
    expected = numpy.cumsum(values[3:], dtype=numpy.int64) - values[3:]
    numpy.testing.assert_array_equal(sums.get(), expected)
    library.close()
    print(f"{on_device.size} sums agree with NumPy's on {queue.device.name}")


if __name__ == "__main__":
    main()
