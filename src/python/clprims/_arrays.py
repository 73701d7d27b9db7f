# SPDX-License-Identifier: MIT
"""Sums, extremes, orders, and what else NumPy has for one array."""
import builtins
from typing import Any, Optional, Tuple, Union

import numpy as np

from ._library import Context, lib
from ._places import Array, Description, Place, is_device, place_of, room, type_of


def operator(op: str, dtype: np.dtype) -> Description:
    """The members of a description for an operator. As in NumPy, the least and the greatest of
    floats are NaN where an element is NaN."""
    if op in ("min", "max") and dtype.kind == "f":
        sign, last = ("<", np.inf) if op == "min" else (">", -np.inf)
        return {"op": lib.CLPRIMS_CUSTOM, "custom": {
            "op": f"a {sign} b || a != a ? a : b", "identity": np.array(last, dtype), "commutative": 1}}
    members = {"op": getattr(lib, "CLPRIMS_" + op.upper())}
    if op in ("argmin", "argmax") and dtype.kind == "f":
        # NumPy finds the first NaN, if there is one: compares integers in the order of the floats.
        bits, word = (32, "int") if dtype.itemsize == 4 else (64, "long")
        x = f"as_{word}(x + ({'float' if bits == 32 else 'double'})0)"  # -0.0 equals 0.0
        end = f"{word.upper()}_{op[3:].upper()}"
        members.update(accumulator=getattr(lib, f"CLPRIMS_I{bits}"),
                       input=f"x != x ? {end} : {x} ^ ({x} >> {bits - 1} & {word.upper()}_MAX)")
    return members


def accumulator(op: str, dtype: np.dtype, wanted: Any = None) -> np.dtype:
    """The type of an operator's results. Integers are added and multiplied in 64 bits."""
    if op in ("argmin", "argmax"):
        return np.dtype(np.int64)
    if wanted is not None and np.dtype(wanted) == bool:
        raise TypeError("dtype = bool: results are numbers")
    if wanted is not None:
        return np.dtype(wanted)
    if op in ("add", "mul") and dtype.kind in "biu":
        return np.dtype(np.uint64 if dtype.kind == "u" else np.int64)
    return dtype


def _reduce(op: str, a: Array, axis: Optional[int], dtype: Any, context: Optional[Context]) -> Any:
    place = place_of(a, context=context)
    a = place.axis_last(a, axis)
    wide = accumulator(op, a.dtype, dtype)
    shape = () if axis is None else a.shape[:-1]
    if a.size == 0:
        if op != "add" and (axis is None or a.shape[-1] == 0):
            raise ValueError(f"{op} of no element: the shape is {a.shape}")
        return place.result(place.zeros(shape, wide))
    description = {"type": type_of(a.dtype), "max_n": room(a.size), **operator(op, a.dtype)}
    if op == "add":
        description["accumulator"] = type_of(wide)
    out = place.empty(shape, wide)
    arrays: Description = {"in": a, "out": out}
    if axis is None:
        place.run("reduce", description, arrays, a.size)
    else:
        description.update(by=lib.CLPRIMS_SEGMENTS_EQUAL, max_segments=room(out.size),
                           local_index=op in ("argmin", "argmax"))
        place.run("segmented", description, dict(arrays, sizes={"length": a.shape[-1]}), a.size)
    return place.result(out)


def sum(a: Array, axis: Optional[int] = None, dtype: Any = None, *, context: Optional[Context] = None) -> Any:
    """The sum of all elements, or of the elements along an axis. Integers are added in 64 bits,
    modulo 2**64, and floats in their own type. A sum of all elements has the same bits on every
    device.

    >>> sum([1, 2, 3])
    np.int64(6)
    >>> sum([[1.5, 2], [3, 4]], axis=1)
    array([3.5, 7. ])
    """
    return _reduce("add", a, axis, dtype, context)


def min(a: Array, axis: Optional[int] = None, *, context: Optional[Context] = None) -> Any:
    """The least element, or NaN if an element is NaN. An empty array raises a ValueError.

    >>> min([3, 1, 2])
    np.int64(1)
    """
    return _reduce("min", a, axis, None, context)


def max(a: Array, axis: Optional[int] = None, *, context: Optional[Context] = None) -> Any:
    """The greatest element, or NaN if an element is NaN. An empty array raises a ValueError.

    >>> max([[3, 1], [2, 5]], axis=0)
    array([3, 5])
    """
    return _reduce("max", a, axis, None, context)


def argmin(a: Array, axis: Optional[int] = None, *, context: Optional[Context] = None) -> Any:
    """The lowest index of the least element, or of the first NaN.

    >>> argmin([3, 1, 2, 1])
    np.int64(1)
    """
    return _reduce("argmin", a, axis, None, context)


def argmax(a: Array, axis: Optional[int] = None, *, context: Optional[Context] = None) -> Any:
    """The lowest index of the greatest element, or of the first NaN.

    >>> argmax([3., float("nan"), 7.])
    np.int64(1)
    """
    return _reduce("argmax", a, axis, None, context)


def cumsum(a: Array, axis: Optional[int] = None, dtype: Any = None, *,
           context: Optional[Context] = None) -> Array:
    """The sum of each element and of all elements before it. Types are as in sum.

    >>> cumsum(np.array([100, 100, -1], np.int8))
    array([100, 200, 199])
    """
    place = place_of(a, context=context)
    a = place.axis_last(a, axis)
    wide = accumulator("add", a.dtype, dtype)
    out = place.empty(a.shape, wide)
    if a.size == 0:
        return place.axis_back(out, axis)
    description = {"type": type_of(a.dtype), "accumulator": type_of(wide), "max_n": room(a.size)}
    arrays: Description = {"in": a, "out": out}
    if axis is None or a.ndim == 1:
        place.run("scan", dict(description, inclusive=1), arrays, a.size)
    else:
        description.update(kind=lib.CLPRIMS_SEGMENTED_INCLUSIVE, by=lib.CLPRIMS_SEGMENTS_EQUAL,
                           max_segments=room(a.size // a.shape[-1]))
        place.run("segmented", description, dict(arrays, sizes={"length": a.shape[-1]}), a.size)
    return place.axis_back(out, axis)


def _sort(place: Place, a: Array, axis: Optional[int], descending: bool, outputs: Description) -> None:
    """Sorts the rows of an array whose axis is the last one."""
    if a.size == 0:
        return
    description = {"type": type_of(a.dtype), "descending": descending, "max_n": room(a.size),
                   "no_keys": "keys_out" not in outputs,
                   "indices": lib.CLPRIMS_I64 if "indices" in outputs else lib.CLPRIMS_TYPE_DEFAULT}
    arrays = {"keys_in": a, **outputs}
    if axis is None or a.ndim == 1:
        place.run("sort", description, arrays, a.size)
    else:
        description.update(by=lib.CLPRIMS_SEGMENTS_EQUAL, local_indices="indices" in outputs,
                           max_segments=room(a.size // a.shape[-1]))
        place.run("segmented_sort", description, dict(arrays, sizes={"length": a.shape[-1]}), a.size)


def sort(a: Array, axis: Optional[int] = -1, *, descending: bool = False,
         context: Optional[Context] = None) -> Array:
    """The elements in order. The sort is stable. NaN comes last, in a descending sort, too.

    >>> sort([[3, 1, 2], [9, 7, 8]])
    array([[1, 2, 3],
           [7, 8, 9]])
    """
    place = place_of(a, context=context)
    a = place.axis_last(a, axis)
    out = place.empty(a.shape, a.dtype)
    _sort(place, a, axis, descending, {"keys_out": out})
    return place.axis_back(out, axis)


def argsort(a: Array, axis: Optional[int] = -1, *, descending: bool = False,
            context: Optional[Context] = None) -> Array:
    """The indices, int64, that sort the array as sort does.

    >>> argsort([30., 10., 20.])
    array([1, 2, 0])
    """
    place = place_of(a, context=context)
    a = place.axis_last(a, axis)
    out = place.empty(a.shape, np.int64)
    _sort(place, a, axis, descending, {"indices": out})
    return place.axis_back(out, axis)


def unique(a: Array, return_index: bool = False, return_inverse: bool = False, return_counts: bool = False, *,
           context: Optional[Context] = None) -> Union[Array, Tuple[Array, ...]]:
    """The distinct elements in order; all NaN are one element. On request also, for each of them, the
    index of its first occurrence; for each element of `a`, its position among the distinct ones; and
    the number of occurrences of each.

    >>> unique([3, 1, 3, 2], return_counts=True)
    (array([1, 2, 3]), array([1, 1, 2]))
    """
    place = place_of(a, context=context)
    flat = place.axis_last(a, None)
    dtypes = [flat.dtype, np.dtype(np.int64)][:1 + return_index]
    ordered = [place.empty(flat.shape, dtype) for dtype in dtypes]
    _sort(place, flat, None, False, dict(builtins.zip(("keys_out", "indices"), ordered)))
    firsts = [place.empty(flat.shape, dtype) for dtype in dtypes]
    count = place.zeros(1, np.uint64)
    description: Description = {"by": lib.CLPRIMS_SELECT_RUNS, "arrays": len(dtypes),
                                "type": [type_of(dtype) for dtype in dtypes], "max_n": room(flat.size)}
    arrays: Description = {"in": ordered, "out": firsts, "count": count}
    if flat.dtype.kind == "f":
        description["equal"] = "a == b || (a != a && b != b)"
    if return_counts:
        description["lengths"] = lib.CLPRIMS_I64
        arrays["lengths"] = place.empty(flat.shape, np.int64)
    place.run("select", description, arrays, flat.size)
    results = [place.head(out, count) for out in firsts]
    if return_inverse:
        results.append(searchsorted(results[0], a, context=context))
    if return_counts:
        results.append(place.head(arrays["lengths"], count))
    return results[0] if len(results) == 1 else tuple(results)


def nonzero(a: Array, *, context: Optional[Context] = None) -> Tuple[Array, ...]:
    """The indices, int64, of the elements that are not 0, as one array for each axis. An array of
    pyopencl's must have one axis.

    >>> nonzero([[0, 5], [7, 0]])
    (array([0, 1]), array([1, 0]))
    """
    place = place_of(a, context=context)
    a = place.array(a)
    out, count = place.empty(a.size, np.int64), place.zeros(1, np.uint64)
    description = {"by": lib.CLPRIMS_SELECT_NONZERO, "arrays": 1, "type": [type_of(a.dtype)], "no_values": 1,
                   "indices": lib.CLPRIMS_I64, "max_n": room(a.size)}
    place.run("select", description, {"in": [a], "indices": out, "count": count}, a.size)
    indices = place.head(out, count)
    return (indices,) if a.ndim == 1 else np.unravel_index(indices, a.shape)


def searchsorted(a: Array, v: Array, side: str = "left", *, context: Optional[Context] = None) -> Array:
    """The position, int64, at which each element of `v` would stand in the sorted array `a`: in front
    of equal elements, or with side="right" behind them. Nothing checks that `a` is sorted.

    >>> searchsorted([10, 20, 30], [20, 25])
    array([1, 2])
    """
    if side not in ("left", "right"):
        raise ValueError(f"side = {side!r} is neither 'left' nor 'right'")
    place = place_of(a, v, context=context)
    a, v = place.array(a), place.array(v)
    dtype = np.result_type(a.dtype, v.dtype)
    out = place.empty(v.shape, np.int64)
    description = {"type": type_of(dtype), "max_n": room(v.size), "max_length": room(a.size),
                   "bound": lib.CLPRIMS_SEARCH_UPPER if side == "right" else lib.CLPRIMS_SEARCH_LOWER}
    arrays = {"sorted": place.array(a, dtype), "needles": place.array(v, dtype), "out": out,
              "sizes": {"length": a.size}}
    place.run("search", description, arrays, v.size)
    return out


def _bins(a: Array, edges: np.ndarray, are_even: bool) -> Description:
    """The members of a description for these edges. Even edges, which the library can compute, are
    faster than a search among any edges."""
    least, most, bins = float(edges[0]), float(edges[-1]), len(edges) - 1
    even = (least + np.arange(bins + 1) * ((most - least) / bins)).astype(edges.dtype)
    even[-1] = most
    if are_even and np.array_equal(even, edges) and (a.dtype == edges.dtype or a.dtype.kind in "iu"):
        return {"by": lib.CLPRIMS_HISTOGRAM_EVEN, "least": least, "most": most}
    return {"by": lib.CLPRIMS_HISTOGRAM_EDGES, "edges": edges}


def histogram(a: Array, bins: Union[int, Array] = 10, range: Optional[Tuple[float, float]] = None,
              density: bool = False, weights: Optional[Array] = None, *,
              context: Optional[Context] = None) -> Tuple[Array, np.ndarray]:
    """The number of elements in each bin, and the edges of the bins, as numpy.histogram gives them.
    Sums of integer weights have 64 bits. Sums of float weights have the same bits in every order of
    the elements; a weight that is infinite or NaN raises a DataError. Refused are names of NumPy's
    estimators of bins, and `density` of arrays of pyopencl's.

    >>> histogram([1, 2, 1, 4], bins=3)
    (array([2, 1, 1]), array([1., 2., 3., 4.]))
    """
    place = place_of(a, weights, context=context)
    a = place.axis_last(a, None)
    if a.dtype == bool:
        a = a.view(np.uint8)
    type_of(a.dtype)
    if isinstance(bins, str) or (density and is_device(a)):
        raise TypeError(f"bins = {bins!r}, density = {density}: only NumPy has that")
    are_even = np.ndim(bins) == 0
    ends = np.empty(0, a.dtype)
    if are_even and range is None and a.size > 0:
        both = min(a, context=context), max(a, context=context)
        ends = np.array([end.get() for end in both] if is_device(a) else both, a.dtype)
    edges = np.histogram_bin_edges(ends, bins, range)
    description = _bins(a, edges, are_even)
    if description["by"] == lib.CLPRIMS_HISTOGRAM_EDGES:
        dtype = np.result_type(a.dtype, edges.dtype)
        a, description["edges"] = place.array(a, dtype), np.ascontiguousarray(edges, dtype)
    description.update(type=type_of(a.dtype), bins=len(edges) - 1, max_n=room(a.size))
    arrays: Description = {"in": a}
    dtype = np.dtype(np.int64)
    if weights is not None:
        arrays["weights"] = place.axis_last(weights, None)
        if arrays["weights"].size != a.size:
            raise ValueError(f"{arrays['weights'].size} weights of {a.size} elements")
        dtype = accumulator("add", arrays["weights"].dtype)
        description["weights"] = type_of(arrays["weights"].dtype)
    arrays["out"] = out = place.empty(len(edges) - 1, dtype)
    place.run("histogram", description, arrays, a.size, check=dtype.kind == "f")
    return (out / np.diff(edges) / out.sum() if density else out), edges


def topk(a: Array, k: int, *, largest: bool = True, context: Optional[Context] = None) -> Tuple[Array, Array]:
    """The k greatest elements, or the k least ones, in order, and their indices, int64. Of equal
    elements, the one with the lowest index comes first. NaN comes last.

    >>> topk([5, 9, 1, 9], 2)
    (array([9, 9]), array([1, 3]))
    """
    place = place_of(a, context=context)
    a = place.axis_last(a, None)
    values, indices = place.empty(k, a.dtype), place.empty(k, np.int64)
    description = {"type": type_of(a.dtype), "least": not largest, "indices": lib.CLPRIMS_I64,
                   "max_n": room(a.size), "max_k": builtins.min(room(k), room(a.size))}
    place.run("topk", description, {"in": a, "values": values, "indices": indices, "sizes": {"k": k}}, a.size)
    return values, indices
