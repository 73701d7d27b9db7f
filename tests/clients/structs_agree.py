#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""structs_agree.py LIBRARY WORK: every primitive with elements of many sizes and alignments, from 3 to 256 bytes,
aligned to 1 to 128, declared or OpenCL C's own, by the plans of the package clprims, beside NumPy."""
import os
import sys
import unittest
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "python"))
import agrees  # noqa: E402

LONG = os.environ.get("CLPRIMS_TEST_LONG", "0") not in ("", "0")
N = 500
SEGMENTS = 7


class Struct:
    """A type whose elements are some unsigned integers side by side, of which the first is the key."""

    def __init__(self, name, dtype, count, word=None):
        self.name, self.dtype, self.count = name, np.dtype(dtype), count
        self.bytes = self.dtype.itemsize * count
        self.declarations, self.add, self.first = None, "a + b", "s0"  # OpenCL C has the type
        if word is not None:
            words = self.bytes // (32 if word == "ulong4" else self.dtype.itemsize)
            self.first = "c[0].s0" if word == "ulong4" else "c[0]"
            self.add = f"{name}_sum(a, b)"
            self.declarations = (
                f"typedef struct {{ {word} c[{words}]; }} {name};\n"
                f"static inline {name} {name}_sum({name} a, {name} b) {{\n"
                f"    for (uint k = 0; k < {words}; k++) a.c[k] += b.c[k];\n    return a;\n}}\n")
        self.less = f"a.{self.first} < b.{self.first}"

    def custom(self, **more):
        return {"declarations": self.declarations, "type_name": self.name, "type_bytes": self.bytes, **more}


TYPES = (Struct("bytes3", "u1", 3, "uchar"), Struct("shorts3", "u2", 3, "ushort"), Struct("uint2", "u4", 2),
         Struct("uint4", "u4", 4), Struct("bytes33", "u1", 33, "uchar"), Struct("vectors3", "u8", 12, "ulong4"),
         Struct("ulong16", "u8", 16), Struct("words64", "u4", 64, "uint"))


def stable(x):
    return x[np.argsort(x[:, 0], kind="stable")]


class Structs(unittest.TestCase):
    def setUp(self):
        self.place = clprims._places.Host(None)
        self.rng = np.random.default_rng(1)

    def elements(self, s):
        """Random, with many equal first integers."""
        x = self.rng.integers(0, np.iinfo(s.dtype).max, (N, s.count), s.dtype, endpoint=True)
        x[:, 0] = self.rng.integers(0, 50, N)
        return x

    def run_plan(self, kind, description, arrays, n=N):
        self.place.run(kind, {"max_n": n, **description}, arrays, n)

    def tries(self, number, *tunings):
        """In the default tier each try has two types. A look-ahead has other knobs."""
        for at, tuning in enumerate((None, *tunings)):
            for k, s in enumerate(TYPES):
                if tuning is not None and is_nvidia or not LONG and (k + number + at) % 4 != 0:
                    continue
                with self.subTest(type=s.name, tuning=tuning):
                    x = self.elements(s)
                    yield s, x, np.zeros_like(x), {
                        "type": lib.CLPRIMS_STRUCT, "op": lib.CLPRIMS_CUSTOM, "tuning": tuning,
                        "custom": s.custom(op=s.add, commutative=1)}

    def of_keys(self, s, description, **more):
        """The members of primitives that order elements, in place of an operator's."""
        return {"type": description["type"], "tuning": description["tuning"], "custom": s.custom(), **more}

    def test_scan(self):
        for s, x, out, d in self.tries(0, "GROUP=32 ROWS=1"):
            self.run_plan("scan", {**d, "inclusive": 1}, {"in": x, "out": out})
            np.testing.assert_array_equal(out, np.cumsum(x, 0, s.dtype))

    def test_reduce(self):
        for s, x, out, d in self.tries(2, "GROUP=32"):
            self.run_plan("reduce", d, {"in": x, "out": out})
            np.testing.assert_array_equal(out[0], x.sum(0, s.dtype))
            self.assertFalse(out[1:].any())

    def test_segmented(self):
        offsets = N * np.arange(SEGMENTS + 1, dtype=np.int64)**2 // SEGMENTS**2
        for s, x, out, d in self.tries(4, "GROUP=8 SHARE=11 GROUPS=64"):
            self.run_plan("segmented", {**d, "kind": lib.CLPRIMS_SEGMENTED_INCLUSIVE, "max_segments": SEGMENTS},
                          {"in": x, "heads": offsets, "out": out, "sizes": {"segments": SEGMENTS}})
            parts = [np.cumsum(part, 0, s.dtype) for part in np.split(x, offsets[1:-1])]
            np.testing.assert_array_equal(out, np.concatenate(parts))

    def test_listscan(self):
        """The list goes through the array in order."""
        following = np.append(np.arange(1, N), -1).astype(np.int32)
        for s, x, out, d in self.tries(6):
            self.run_plan("listscan", {**d, "inclusive": 1}, {"next": following, "values": x, "out": out})
            np.testing.assert_array_equal(out, np.cumsum(x, 0, s.dtype))

    def test_sort(self):
        for s, x, out, d in self.tries(7):
            by_first = self.of_keys(s, d, type=type_of(s.dtype), key=f"x.{s.first}", elements=lib.CLPRIMS_STRUCT)
            self.run_plan("sort", by_first, {"keys_in": x, "keys_out": out})
            np.testing.assert_array_equal(out, stable(x))

    def test_topk(self):
        k = 9
        for s, x, out, d in self.tries(8):
            by_first = self.of_keys(s, d, type=type_of(s.dtype), key=f"x.{s.first}", elements=lib.CLPRIMS_STRUCT,
                                    least=1, max_k=k)
            self.run_plan("topk", by_first, {"in": x, "values": out, "sizes": {"k": k}})
            np.testing.assert_array_equal(out[:k], stable(x)[:k])
            self.assertFalse(out[k:].any())

    def test_merge(self):
        """Of two parts of the array."""
        n = N // 3
        for s, x, out, d in self.tries(9, "GROUP=8 ITEMS=3"):
            a, b = stable(x[:n]), stable(x[n:])
            self.run_plan("merge", self.of_keys(s, d, less=s.less, max_n_b=N - n),
                          {"a": a, "b": b, "out": out, "sizes": {"n_b": N - n}}, n)
            np.testing.assert_array_equal(out, stable(np.concatenate((a, b))))

    def test_search(self):
        for s, x, _, d in self.tries(10, "GROUP=4 ITEMS=3 PIVOTS=5 BLOCK=2 LEAST=0"):
            found, x_sorted = np.zeros(N, np.int32), stable(x)
            self.run_plan("search", self.of_keys(s, d, less=s.less, max_length=N, positions=type_of("i4")),
                          {"sorted": x_sorted, "needles": x, "out": found, "sizes": {"length": N}})
            np.testing.assert_array_equal(found, np.searchsorted(x_sorted[:, 0], x[:, 0]))

    def test_histogram(self):
        for s, x, _, d in self.tries(12):
            counts = np.zeros(50, np.uint32)
            self.run_plan("histogram", self.of_keys(s, d, by=lib.CLPRIMS_HISTOGRAM_EXPRESSION, bin=f"(int)x.{s.first}",
                                                    bins=50, sums=type_of("u4")), {"in": x, "out": counts})
            np.testing.assert_array_equal(counts, np.bincount(x[:, 0].astype(int), minlength=50))

    def test_results_of_numbers(self):
        """What is stored is a structure, the elements are numbers; the keys are the input itself."""
        x = (np.arange(N) // 7).astype(np.uint32)
        out, total, of_runs = np.zeros((N, 2), "u4"), np.zeros(2, "u4"), np.zeros((N, 2), "u4")
        pair = {"type": type_of("u4"), "custom": {"type_name": "uint2", "type_bytes": 8},
                "result_type": lib.CLPRIMS_STRUCT}
        self.run_plan("scan", {**pair, "inclusive": 1, "result": "(uint2)(r, x)"}, {"in": x, "out": out})
        np.testing.assert_array_equal(out, np.stack((np.cumsum(x), x), 1))
        self.run_plan("reduce", {**pair, "result": "(uint2)(r, i)"}, {"in": x, "out": total})
        np.testing.assert_array_equal(total, (x.sum(), N))
        count = np.zeros(1, np.uintp)
        self.run_plan("segmented", {**pair, "by": lib.CLPRIMS_SEGMENTS_KEYS, "heads_type": type_of("u4"),
                                    "result": "(uint2)(r, i)"},
                      {"in": x, "heads": x, "out": of_runs, "count": clprims._library.ffi.cast(
                          "size_t *", count.ctypes.data)})
        self.assertEqual(count[0], (N + 6) // 7)
        np.testing.assert_array_equal(of_runs[:count[0]], np.stack((
            np.bincount(x, x).astype("u4"), np.arange(count[0])), 1))


if __name__ == "__main__":
    agrees.clprims = clprims = agrees.package(Path(sys.argv[1]).resolve(), Path(sys.argv[2]).resolve())
    lib, type_of = clprims._library.lib, clprims._places.type_of
    info, size = clprims._library.structure("context_info", {}, [])
    clprims._library.call("context_describe_sized", clprims.get_context().pointer, info, size)
    is_nvidia = info.layer == lib.CLPRIMS_LAYER_NVIDIA
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]])
