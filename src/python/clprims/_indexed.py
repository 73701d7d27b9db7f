# SPDX-License-Identifier: MIT
"""Expressions, indices, segments, lists and graphs."""
from typing import Any, Optional, Sequence, Tuple, Union

import numpy as np

from ._arrays import accumulator, operator
from ._library import Context, lib
from ._places import Array, Description, Device, Place, is_device, place_of, room, type_of

_C_NAMES = {"i1": "char", "u1": "uchar", "b1": "uchar", "i2": "short", "u2": "ushort", "i4": "int",
            "u4": "uint", "i8": "long", "u8": "ulong", "f4": "float", "f8": "double"}
_COMBINE = ("add", "min", "max", "and", "or", "xor")
_SEGMENT_OPS = _COMBINE + ("mul",)


def _chosen(name: str, value: str, values: Sequence[str]) -> str:
    if value not in values:
        raise ValueError(f"{name} = {value!r} is none of {', '.join(values)}")
    return value


def _integers(place: Place, a: Array, dtypes: Sequence[str] = ("i4", "i8", "u8")) -> Array:
    """Indices, offsets or links: of a type that the library takes, else as int64."""
    a = place.array(a)
    if a.dtype.kind not in "iu" and a.size > 0:
        raise TypeError(f"dtype {a.dtype} is no type of indices")
    return a if a.dtype.str[1:] in dtypes else place.array(a, np.int64)


def map(value: Union[str, Sequence[str]], a: Array = None, /, *, n: Optional[int] = None, dtype: Any = None,
        queue: Any = None, context: Optional[Context] = None, **parameters: Any) -> Any:
    """An array of the values of an OpenCL C expression of x, the element of `a`, and i, its index
    (ulong). Without `a`, the expression names i alone, and the result has n elements; with `queue`,
    one of pyopencl's, the result is an array of pyopencl's. Up to four expressions give a tuple of
    arrays. `dtype` is the type of the results, or a list of types; by default the type of `a`.
    Expressions also name the parameters, which are numbers and arrays; an array of pyopencl's
    without axes, as clprims.sum gives, is a pointer.

    >>> map("x * scale + i", np.array([1., 2., 3.]), scale=10)
    array([10., 21., 32.])
    >>> map("table[i % 2]", n=3, dtype=np.int32, table=np.array([7, 8], np.int32))
    array([7, 8, 7], dtype=int32)
    """
    values = [value] if isinstance(value, str) else list(value)
    place = Device(queue, context) if queue else place_of(a, *parameters.values(), context=context)
    arrays: Description = {}
    description: Description = {}
    if a is not None and n is None:
        arrays["in"] = a = place.array(a)
        shape, count, description["type"] = a.shape, a.size, type_of(a.dtype)
    elif a is None and n is not None and dtype is not None:
        shape, count, description["no_input_array"] = n, n, True
    else:
        raise TypeError("map takes either an array, or n and dtype")
    dtypes = [a.dtype if dtype is None else dtype] * len(values)
    if isinstance(dtype, (list, tuple)):
        dtypes = list(dtype)
    if len(dtypes) != len(values) or not 1 <= len(values) <= 4:
        raise ValueError(f"{len(values)} expressions and {len(dtypes)} types: 1 to 4, and as many of both")
    given = [_parameter(place, a, parameter) for parameter in parameters.values()]
    out = [place.empty(shape, dtype) for dtype in dtypes]
    description["max_n"] = room(count)
    description["parameters"] = ", ".join(_declaration(*pair) for pair in zip(parameters, given)) or None
    description["output"] = [{"type": type_of(o.dtype), "value": f"({v}) != 0" if o.dtype == bool else v}
                             for o, v in zip(out, values)]
    place.run("map", description, {**arrays, "out": out}, count, given)
    return out[0] if isinstance(value, str) else tuple(out)


def _parameter(place: Place, a: Optional[Array], value: Any) -> Array:
    """A parameter's value as an array, of a number one without axes. Python's floats have the type
    of an array of floats."""
    if isinstance(value, float) and a is not None and a.dtype.kind == "f":
        return np.array(value, a.dtype)
    return np.asarray(value) if np.ndim(value) == 0 and not is_device(value) else place.array(value)


def _declaration(name: str, value: Array) -> str:
    type_of(value.dtype)  # refuses all others
    declared = _C_NAMES[value.dtype.str[1:]]
    is_number = isinstance(value, np.ndarray) and value.ndim == 0
    return f"{declared} {name}" if is_number else f"global const {declared} *{name}"


def take(a: Array, indices: Array, *, context: Optional[Context] = None) -> Array:
    """The elements of the flattened array `a` at indices; the result has the shape of the indices.
    Elements have any dtype of at most 256 bytes. A negative index raises a DataError, as an index
    beyond the elements does.

    >>> take([10, 20, 30], [2, 0])
    array([30, 10])
    """
    place = place_of(a, indices, context=context)
    a, index = place.array(a), _integers(place, indices, ("i4", "i8", "u4", "u8"))
    out = place.empty(index.shape, a.dtype)
    description = {**_elements(a), "index_type": type_of(index.dtype), "max_n": room(index.size)}
    arrays = {"index": index, "in": a, "out": out, "sizes": {"length": a.size}}
    place.run("gather", description, arrays, index.size, check=True)
    return out


def _elements(a: Array) -> Description:
    """The type of elements that are moved and not computed with."""
    if a.dtype.hasobject:
        raise TypeError(f"dtype {a.dtype} has Python's objects")
    if a.dtype.kind in "biuf" and a.dtype.itemsize <= 8 and a.dtype != np.float16:
        return {"type": type_of(a.dtype)}
    return {"type": lib.CLPRIMS_STRUCT, "custom": {"type_bytes": a.dtype.itemsize}}


def scatter(out: Array, indices: Array, values: Array, op: Optional[str] = None, *, distinct: bool = False,
            context: Optional[Context] = None) -> Array:
    """Stores values at indices of the flattened array `out`, and returns `out`. Where an index repeats,
    the last value is stored; `distinct` promises that no index repeats. With an operator ("add", "min",
    "max", "and", "or", "xor"), all values of an index are combined with the element of `out`. Sums of
    floats may differ from run to run in their last bits; "min" and "max" drop NaN. An index that is
    negative or beyond the elements raises a DataError; then NumPy's `out` stays as it was.

    >>> scatter(np.zeros(4, int), [1, 3, 1], [5, 6, 7])
    array([0, 7, 0, 6])
    >>> scatter(np.zeros(4, int), [1, 3, 1], [5, 6, 7], "add")
    array([ 0, 12,  0,  6])
    """
    place = place_of(out, indices, values, context=context)
    index = _integers(place, indices, ("i4", "i8", "u4", "u8"))
    place.take_written(out)
    values = place.array(values)
    if not np.can_cast(values.dtype, out.dtype, "same_kind"):
        raise TypeError(f"values of dtype {values.dtype} for an array of {out.dtype}")
    values = place.array(values, out.dtype)
    if values.size != index.size:
        raise ValueError(f"{values.size} values for {index.size} indices")
    description = {**_elements(out), "index_type": type_of(index.dtype), "max_n": room(index.size),
                   "max_length": room(out.size)}
    if op is not None:
        description.update(repeats=lib.CLPRIMS_SCATTER_COMBINE, fast_floats=out.dtype.kind == "f",
                           op=getattr(lib, "CLPRIMS_" + _chosen("op", op, _COMBINE).upper()))
    elif distinct:
        description["repeats"] = lib.CLPRIMS_SCATTER_DISTINCT
    arrays = {"index": index, "in": values, "out": out, "sizes": {"length": out.size}}
    place.run("scatter", description, arrays, index.size, check=True)
    return out


def _segments(kind: int, a: Array, offsets: Array, op: str, dtype: Any, context: Optional[Context]) -> Array:
    place = place_of(a, offsets, context=context)
    a, offsets = place.axis_last(a, None), _integers(place, offsets)
    wide = accumulator(op, a.dtype, dtype)
    segments = offsets.size - 1
    is_scan = kind != lib.CLPRIMS_SEGMENTED_REDUCE
    if segments < 0:
        raise ValueError("offsets has no element: n segments have n + 1 offsets")
    # What is in no segment of a scan stays 0.
    out = place.zeros(a.shape, wide) if is_scan else place.empty(segments, wide)
    description = {"kind": kind, "type": type_of(a.dtype), "heads_type": type_of(offsets.dtype),
                   "max_n": room(a.size), "max_segments": room(segments)}
    if op in ("argmin", "argmax"):
        description.update(operator(op, a.dtype))
    else:
        description.update(operator(op, wide), accumulator=type_of(wide))
    arrays = {"in": a, "heads": offsets, "out": out, "sizes": {"segments": segments}}
    place.run("segmented", description, arrays, a.size, check=True)
    return out


def segment_reduce(a: Array, offsets: Array, op: str = "add", *, dtype: Any = None,
                   context: Optional[Context] = None) -> Array:
    """The combination of the elements of each segment, a[offsets[s]:offsets[s + 1]], by an operator:
    "add", "mul", "min", "max", "and", "or" or "xor"; "argmin" and "argmax" give the index in `a`. An
    empty segment gives the operator's identity, or the index -1. Integers are added and multiplied
    in 64 bits.

    >>> segment_reduce([1, 2, 3, 4], [0, 2, 2, 4])
    array([3, 0, 7])
    """
    _chosen("op", op, _SEGMENT_OPS + ("argmin", "argmax"))
    return _segments(lib.CLPRIMS_SEGMENTED_REDUCE, a, offsets, op, dtype, context)


def segment_scan(a: Array, offsets: Array, op: str = "add", *, exclusive: bool = False, dtype: Any = None,
                 context: Optional[Context] = None) -> Array:
    """The combination of each element and all elements before it in its segment. With `exclusive`, the
    element itself is left out. Operators are as in segment_reduce, but for "argmin" and "argmax". The
    result of an element in no segment is 0.

    >>> segment_scan([1, 2, 3, 4], [0, 2, 4])
    array([1, 3, 3, 7])
    """
    _chosen("op", op, _SEGMENT_OPS)
    kind = lib.CLPRIMS_SEGMENTED_EXCLUSIVE if exclusive else lib.CLPRIMS_SEGMENTED_INCLUSIVE
    return _segments(kind, a, offsets, op, dtype, context)


def list_rank(next: Array, head: Optional[int] = None, *, order: bool = False,
              context: Optional[Context] = None) -> Array:
    """The position of each element of a linked list. next[i] is the element after i, and -1 ends the
    list. `head` is the first element; None finds it. With `order`, the result is the elements in the
    order of the list. A malformed list raises a DataError that names the fault. The result has the
    type of the links, int32 or int64.

    >>> list_rank([2, -1, 1])
    array([0, 2, 1])
    """
    place = place_of(next, context=context)
    links = _integers(place, next, ("i4", "i8"))
    out = place.empty(links.shape, links.dtype)
    description = {"link": type_of(links.dtype), "max_n": room(links.size),
                   "result": lib.CLPRIMS_LIST_ORDER if order else lib.CLPRIMS_LIST_RANKS}
    arrays = {"next": links, "out": out, "head": None if head is None else np.array([head], np.int64)}
    place.run("list", description, arrays, links.size, check=True)
    return out


def minplus(a: Array, b: Array, semiring: str = "min-plus", *, argmin: bool = False,
            context: Optional[Context] = None) -> Any:
    """The product of two matrices, or of two stacks of matrices, with min in place of + and + in place
    of *. Other semirings are "max-plus", "min-max" and, of integers, "or-and". No edge is infinity, of
    integers np.iinfo(dtype).max // 2; in "max-plus" it is the negative of both (of integers less 1).
    With `argmin`, a second result is the lowest k that attains each element, int32, and -1 where there
    is no edge.

    >>> minplus([[0., 3.], [1., 0.]], [[5.], [1.]])
    array([[4.],
           [1.]])
    """
    place = place_of(a, b, context=context)
    a, b = place.array(a), place.array(b)
    dtype = np.result_type(a.dtype, b.dtype)
    a, b = place.array(a, dtype), place.array(b, dtype)
    if a.ndim not in (2, 3) or a.ndim != b.ndim or a.shape[-1] != b.shape[-2] or a.shape[:-2] != b.shape[:-2]:
        raise ValueError(f"shapes {a.shape} and {b.shape} have no product")
    _chosen("semiring", semiring, ("min-plus", "max-plus", "min-max", "or-and"))
    shape = (*a.shape[:-1], b.shape[-1])
    out = [place.empty(shape, dtype)] + [place.empty(shape, np.int32)] * argmin
    description = {"type": type_of(dtype), "argmin": argmin,
                   "semiring": getattr(lib, "CLPRIMS_" + semiring.replace("-", "_").upper())}
    members = {name: place.matrix(matrix) for name, matrix in zip(("a", "b", "c", "argmin"), [a, b, *out])}
    batch = a.shape[0] if a.ndim == 3 else 1
    if batch > 0:
        sizes = {"m": shape[-2], "k": a.shape[-1], "batch": batch}
        place.run("minplus", description, dict(members, sizes=sizes), shape[-1])
    return tuple(out) if argmin else out[0]


def shortest_paths(d: Array, *, predecessors: bool = False, context: Optional[Context] = None) -> Any:
    """The lengths of the shortest paths between all vertices. d[i, j] is the length of the edge from
    i to j; no edge is infinity, of integers np.iinfo(dtype).max // 2. With `predecessors`, a second
    result is the vertex before j on a path from i, int32, and -1 where there is no path. A negative
    cycle raises a DataError.

    >>> shortest_paths([[0, 2, 9.], [np.inf, 0, 3], [1, np.inf, 0]])
    array([[0., 2., 5.],
           [4., 0., 3.],
           [1., 3., 0.]])
    """
    place = place_of(d, context=context)
    out = place.copy(d)
    if out.ndim != 2 or out.shape[0] != out.shape[1]:
        raise ValueError(f"shape {out.shape}: a graph has as many rows as columns")
    made = [out] + [place.empty(out.shape, np.int32)] * predecessors
    description = {"type": type_of(out.dtype), "max_n": room(len(out)), "predecessors": predecessors}
    members = {name: place.matrix(matrix) for name, matrix in zip(("d", "via"), made)}
    place.run("paths", description, members, len(out), check=True)
    return tuple(made) if predecessors else out
