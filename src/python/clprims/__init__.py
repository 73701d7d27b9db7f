# SPDX-License-Identifier: MIT
"""clprims: parallel primitives in OpenCL C, for arrays of NumPy and of pyopencl.

Functions have the names and the results of NumPy's. NumPy's arrays are copied to the device, and
results are copied back. Arrays of pyopencl's stay where they are: a call submits its work to the
queue of the first one, and returns an array of pyopencl's at once. Calls that check indices,
offsets, links or graphs wait until the check is done.

dtypes are bool, int8 to int64, uint8 to uint64, float32 and float64; others raise a TypeError.
NumPy's arrays that are not contiguous, or not of this machine's byte order, are copied first.
Arrays of pyopencl's must be contiguous, and `axis` is None or their last axis. A buffer of
pyopencl's becomes an array by pyopencl.array.Array(queue, shape, dtype, data=buffer).

The first call of a kind creates a plan, which the context keeps. Context(program_store=FOLDER)
keeps the compiled programs for the next process, too; set_context makes it the context of all
calls that name none.
"""
from ._arrays import (argmax, argmin, argsort, cumsum, histogram, max, min, nonzero, searchsorted, sort, sum,
                      topk, unique)
from ._indexed import (list_rank, map, minplus, scatter, segment_reduce, segment_scan, shortest_paths, take)
from ._library import (ArgumentError, BuildError, Context, DataError, Error, OutOfMemoryError, TooLargeError,
                       UnsupportedError, ffi, get_context, lib, set_context)

__version__ = ffi.string(lib.clprims_version()).decode()
__all__ = ["argmax", "argmin", "argsort", "cumsum", "histogram", "list_rank", "map", "max", "min", "minplus",
           "nonzero", "scatter", "searchsorted", "segment_reduce", "segment_scan", "shortest_paths", "sort",
           "sum", "take", "topk", "unique", "ArgumentError", "BuildError", "Context", "DataError", "Error",
           "OutOfMemoryError", "TooLargeError", "UnsupportedError", "get_context", "set_context"]
