#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""beside_awkward.py LIBRARY WORK: Awkward Array's own kernels for CPUs beside ours, on random and malformed
jagged arrays, by the plans of the package clprims. The kernels come with the Python package awkward-cpp, which
tests/run installs into build/awkward; CLPRIMS_AWKWARD may name another libawkward-cpu-kernels.so."""
import ctypes
import os
import sys
import unittest
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "python"))
import agrees  # noqa: E402

LONG = os.environ.get("CLPRIMS_TEST_LONG", "0") not in ("", "0")
MOST = 3000
SHAPES = "ones", "short", "giant", "mixed", "sparse", "inside", "empty", "alike"

# The kernel, behind "awkward_reduce_"; our operator; types of elements and results; what an empty list
# gives, and the input. The second half is for the long tier.
REDUCERS = (
    ("sum_int64_int8_64", "ADD", "i1", "i8", None, None),
    ("sum_float32_float32_64", "ADD", "f4", "f4", None, None),
    ("prod_int64_int32_64", "MUL", "i4", "i8", None, None),
    ("min_int16_int16_64", "MIN", "i2", "i2", 2**15 - 1, None),
    ("max_float32_float32_64", "MAX", "f4", "f4", -3e38, None),
    ("argmin_float32_64", "ARGMIN", "f4", "f4", None, None),
    ("argmax_int8_64", "ARGMAX", "i1", "i1", None, None),
    ("countnonzero_int32_64", "ADD", "i4", "i8", None, "x != 0"),
    ("count_64", "ADD", "i4", "i8", None, "1"),
    ("sum_uint64_uint16_64", "ADD", "u2", "u8", None, None),
    ("sum_float64_float64_64", "ADD", "f8", "f8", None, None),
    ("max_uint64_uint64_64", "MAX", "u8", "u8", 0, None),
    ("min_float64_float64_64", "MIN", "f8", "f8", 1e300, None),
    ("argmin_uint16_64", "ARGMIN", "u2", "u2", None, None),
    ("argmax_float64_64", "ARGMAX", "f8", "f8", None, None),
)
IN_DEFAULT_TIER = 8


class Error(ctypes.Structure):
    """What each kernel returns: of a failure, its words and the number of the list or index."""
    _fields_ = [("words", ctypes.c_char_p), ("file", ctypes.c_char_p), ("list", ctypes.c_int64),
                ("attempt", ctypes.c_int64)]


def theirs(name, *arguments):
    """Calls the kernel. A NumPy scalar is passed by its type, an int as int64."""
    function = getattr(kernels, "awkward_" + name)
    function.restype = Error
    converted = []
    for argument in arguments:
        if isinstance(argument, np.ndarray):
            converted.append(ctypes.c_void_p(argument.ctypes.data))
        else:
            converted.append(np.ctypeslib.as_ctypes_type(np.asarray(argument, getattr(
                argument, "dtype", np.int64)).dtype)(argument))
    return function(*converted)


def values(rng, dtype, n):
    """Sums of the floats are exact in every order; integers are of the whole range."""
    dtype = np.dtype(dtype)
    if dtype.kind == "f":
        return rng.integers(-9, 10, n).astype(dtype)
    ends = np.iinfo(dtype)
    return rng.integers(ends.min, ends.max, n, dtype, endpoint=True)


def lengths(rng, shape, n):
    """As many lengths of lists as n elements may need."""
    if shape == "short":
        return rng.integers(1, 16, n)
    if shape == "giant":
        return np.full(n, n)
    if shape == "sparse":
        return rng.integers(0, 4, 8 * n + 99) == 0
    if shape in ("mixed", "inside"):
        kind = rng.integers(0, 4, 2 * n + 99)
        return np.where(kind == 0, 0, np.where(kind < 3, rng.integers(0, 9, len(kind)),
                                               rng.integers(0, n // 3 + 2, len(kind))))
    if shape == "alike":
        return np.full(n, rng.integers(1, 41 if rng.random() < 0.5 else n + 3))
    return np.ones(n, int)


def jagged(rng):
    """n elements and offsets of their lists, in every shape of lists."""
    for n in (0, 1, 7, 130, 1001, MOST - 1):
        for shape in SHAPES:
            begin, end = (n // 5, n - n // 7) if shape == "inside" else (0, n)
            if shape == "empty":
                yield n, np.full(n + 1, n // 2)
                continue
            ends = np.minimum(begin + np.cumsum(lengths(rng, shape, n)), end)
            whole = np.concatenate(([begin], ends)).astype(np.int64)
            yield n, whole[:np.flatnonzero(whole == end)[0] + 1]


class Kernels(unittest.TestCase):
    def setUp(self):
        self.rng = np.random.default_rng(1)
        self.place = clprims._places.Host(None)

    def run_plan(self, kind, description, arrays, n):
        most = {"max_n": MOST}
        if kind in ("segmented", "parents"):
            most["max_segments"] = 5 * MOST
        self.place.run(kind, {**description, **most}, arrays, n)

    def refused(self, words, *call):
        with self.assertRaises(clprims.DataError) as raised:
            self.run_plan(*call)
        self.assertIn(words, str(raised.exception))

    def agree(self, name, *arguments):
        self.assertIsNone(theirs(name, *arguments).words)

    def test_reducers(self):
        for name, op, dtype, accumulator, start, text in REDUCERS if LONG else REDUCERS[:IN_DEFAULT_TIER]:
            description = {"op": getattr(lib, "CLPRIMS_" + op), "type": type_of(dtype),
                           "accumulator": type_of(accumulator), "input": text}
            if start is not None:
                description["init"] = np.array([start], accumulator)
            for n, offsets in jagged(self.rng):
                count = len(offsets) - 1
                expected, actual = np.zeros((2, count), "i8" if op.startswith("ARG") else accumulator)
                given = values(self.rng, dtype, n)
                arguments = [expected, given, offsets, count]
                if op.startswith("ARG"):
                    arguments.insert(2, offsets)
                if start is not None:
                    arguments.append(np.dtype(accumulator).type(start))
                if name == "count_64":
                    del arguments[1]
                with self.subTest(name=name, n=n, lists=count):
                    self.agree("reduce_" + name, *arguments)
                    self.run_plan("segmented", description, {
                        "in": given, "heads": offsets, "out": actual, "sizes": {"segments": count}}, n)
                    np.testing.assert_array_equal(actual, expected)

    def test_local_indices(self):
        """Elements are numbered within their lists: by the scan of ones, and by parents."""
        ones = {"kind": lib.CLPRIMS_SEGMENTED_EXCLUSIVE, "type": type_of("i8"), "no_input_array": 1, "input": "1"}
        for n, offsets in jagged(self.rng):
            count, begin = len(offsets) - 1, int(offsets[0])
            parents, local, scanned, of_parents, numbers = np.full((5, n), -7)
            self.agree("ListArray64_localindex_64", local, offsets, count)
            self.agree("ListOffsetArray64_reduce_local_nextparents_64", parents[begin:], offsets, count,
                       int(offsets[-1]) - begin)
            sizes = {"segments": count}
            self.run_plan("segmented", ones, {"heads": offsets, "out": scanned, "sizes": sizes}, n)
            self.run_plan("parents", {"result": lib.CLPRIMS_PARENTS_BOTH},
                          {"offsets": offsets, "parents": of_parents, "local_index": numbers, "sizes": sizes}, n)
            for ours, expected in ((scanned, local), (numbers, local), (of_parents, parents)):
                np.testing.assert_array_equal(ours, expected)

    def test_broadcast(self):
        """Where each element of new lists comes from in the old content: theirs in one kernel, ours by
        parents, a gather of starts, and the local index."""
        for _, offsets in jagged(self.rng):
            offsets = offsets - offsets[0]
            count, n = len(offsets) - 1, int(offsets[-1])
            starts = self.rng.integers(0, 50000, count)
            expected, segment, local, start = np.zeros((4, n), np.int64)
            self.agree("ListArray64_broadcast_tooffsets_64", expected, offsets, count + 1, starts,
                       starts + np.diff(offsets), 50000 + MOST)
            self.run_plan("parents", {"result": lib.CLPRIMS_PARENTS_BOTH}, {
                "offsets": offsets, "parents": segment, "local_index": local, "sizes": {"segments": count}}, n)
            self.run_plan("gather", {"type": type_of("i8")},
                          {"index": segment, "in": starts, "out": start, "sizes": {"length": count}}, n)
            np.testing.assert_array_equal(start + local, expected)

    def test_compact_offsets(self):
        """Both make offsets of starts and stops, or name the first list that stops before it starts."""
        for n in (0, 2, 8, 26, 80, 242, 728, 2186):
            for bad in range(4):
                starts = self.rng.integers(0, 2**20, n)
                stops = starts + self.rng.integers(0, 9, n)
                at = self.rng.integers(0, n, bad) if n else []
                stops[at] = starts[at] - 1 - self.rng.integers(0, 5)
                expected, actual = np.zeros((2, n + 1), np.int64)
                error = theirs("ListArray64_compact_offsets_64", expected, starts, stops, n)
                call = ("offsets", {"type": type_of("i8")}, {"starts": starts, "stops": stops, "offsets": actual}, n)
                if error.words:
                    self.refused(f"stops[{error.list}]", *call)
                else:
                    self.run_plan(*call)
                    np.testing.assert_array_equal(actual, expected)

    def test_validity(self):
        """Their check names the list, ours the offset: the one that ends the list, or the first of all.
        Lists have elements, because theirs takes any empty list."""
        count, n = 200, 1000
        refused = 0
        for k in range(150):
            offsets = self.rng.integers(0, 5) + np.concatenate(([0], np.cumsum(self.rng.integers(1, 5, count))))
            for _ in range(k % 4):
                at = 0 if k % 5 == 0 else count if k % 5 == 1 else int(self.rng.integers(0, count + 1))
                offsets[at] = self.rng.integers(-n, 2 * n)
                if at < count and offsets[at] == offsets[at + 1]:
                    offsets[at] -= 1
                if at > 0 and offsets[at] == offsets[at - 1]:
                    offsets[at] -= 1
            error = theirs("ListArray64_validity", offsets, offsets[1:], count, n)
            sizes = {"segments": count}
            zeros, out = np.zeros((2, n), np.int64)
            calls = (("segmented", {"type": type_of("i8")},
                      {"in": zeros, "heads": offsets, "out": out, "sizes": sizes}, n),
                     ("parents", {}, {"offsets": offsets, "parents": out, "sizes": sizes}, n))
            for call in calls:
                if error.words:
                    first = not 0 <= offsets[0] <= n
                    self.assertTrue(not first or error.list == 0)
                    self.refused(f"{call[0]}: offsets[{0 if first else error.list + 1}] =", *call)
                    refused += 1
                else:
                    self.run_plan(*call)
        self.assertGreater(refused, 100)

    def test_carries(self):
        """Both name the first index that is outside of the content."""
        length = 900
        content = values(self.rng, "i8", length)
        for k in range(60):
            n = int(self.rng.integers(1, MOST + 1))
            index = self.rng.integers(0, length, n)
            for b in range(k % 4):
                index[self.rng.integers(0, n)] = -1 - b if b % 2 == 0 else length + b - 1
            carry, actual = np.zeros((2, n), np.int64)
            error = theirs("IndexedArray64_getitem_nextcarry_64", carry, index, n, length)
            call = ("gather", {"type": type_of("i8")},
                    {"index": index, "in": content, "out": actual, "sizes": {"length": length}}, n)
            if error.words:
                self.refused(f"gather: index[{error.list}] =", *call)
            else:
                self.run_plan(*call)
                np.testing.assert_array_equal(actual, content[carry])


if __name__ == "__main__":
    found = sorted((Path(__file__).resolve().parents[2] / "build/awkward").glob(
        "lib/python*/site-packages/awkward_cpp/lib/libawkward-cpu-kernels.so"))
    path = os.environ.get("CLPRIMS_AWKWARD") or (found[0] if found else None)
    if path is None:
        print("SKIPPED ALL: awkward-cpp is not installed")
        sys.exit(77)
    kernels = ctypes.CDLL(str(path))
    agrees.clprims = clprims = agrees.package(Path(sys.argv[1]).resolve(), Path(sys.argv[2]).resolve())
    lib, type_of = clprims._library.lib, clprims._places.type_of
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]])
