#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""beside_pyopencl.py LIBRARY WORK: what pyopencl's parallel algorithms do, done by the package clprims on
the same arrays and queue. Each result is compared with that of pyopencl's own kernels."""
import sys
import unittest
from pathlib import Path

import numpy as np
import pyopencl
import pyopencl.algorithm
import pyopencl.array
import pyopencl.reduction
import pyopencl.scan

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "python"))
import agrees  # noqa: E402

SIZES = (1, 2, 100, 1023, 4097, 100000)


def each():
    """Arrays of each size, with numbers of which many are equal."""
    for n in SIZES:
        rng = np.random.default_rng(n)
        yield n, pyopencl.array.to_device(agrees.queue(), rng.integers(0, 1000, n, np.int32))


def numbers(n):
    return clprims.map("i", n=n, dtype=np.int32, queue=agrees.queue())


def same(result, expected, **tolerance):
    np.testing.assert_allclose(result.get(), expected.get() if hasattr(expected, "get") else expected,
                               **{"rtol": 0, **tolerance})


class Algorithms(unittest.TestCase):
    def test_elementwise(self):
        kernel = pyopencl.elementwise.ElementwiseKernel(
            agrees.queue().context, "float a, float *x, float b, int *y, float *z", "z[i] = a * x[i] + b * y[i]")
        for _, y in each():
            x = y.astype(np.float32) / 7
            z = pyopencl.array.empty_like(x)
            kernel(np.float32(5), x, np.float32(-3), y, z)
            same(clprims.map("a * x + b * y[i]", x, a=5.0, b=-3.0, y=y), z, rtol=1e-6)

    def test_reductions(self):
        kernel = pyopencl.reduction.ReductionKernel(
            agrees.queue().context, np.int64, "0", "a + b", "(long)x[i] * y[i]", "int *x, int *y")
        for n, x in each():
            y = x + 1
            same(clprims.sum(clprims.map("(long)x * y[i]", x, dtype=np.int64, y=y)), kernel(x, y))
            same(clprims.sum(x), pyopencl.array.sum(x, dtype=np.int64))
            same(clprims.min(x), pyopencl.array.min(x))
            same(clprims.max(x), pyopencl.array.max(x))
            subset = clprims.nonzero(clprims.map("x % 3 == 1", x, dtype=bool))[0]
            if len(subset):
                same(clprims.min(clprims.take(x, subset)), pyopencl.array.subset_min(subset.astype("i4"), x))

    def test_scans(self):
        kernel = pyopencl.scan.InclusiveScanKernel(agrees.queue().context, np.int32, "a + b", neutral="0")
        for _, x in each():
            expected = x.copy()
            kernel(expected)
            same(clprims.cumsum(x, dtype=np.int32), expected)

    def test_selections(self):
        for n, x in each():
            keep = clprims.map("x > limit", x, limit=500, dtype=bool)
            kept = clprims.take(x, clprims.nonzero(keep)[0])
            others = clprims.take(x, clprims.nonzero(clprims.map("!x", keep))[0])
            copied, count, _ = pyopencl.algorithm.copy_if(x, "ary[i] > 500")
            same(kept, copied[:int(count.get())])
            true, false, count, _ = pyopencl.algorithm.partition(x, "ary[i] > 500")
            same(kept, true[:int(count.get())])
            same(others, false[:n - int(count.get())])
            ordered = clprims.sort(x)
            distinct, count, _ = pyopencl.algorithm.unique(ordered)
            same(clprims.unique(x), distinct[:int(count.get())])

    def test_segmented_scans(self):
        """A segment begins where a flag is set, and at the first element."""
        kernel = pyopencl.scan.GenericScanKernel(
            agrees.queue().context, np.int32, "int *x, char *begins, int *out", "x[i]",
            scan_expr="across_seg_boundary ? b : a + b", neutral="0", is_segment_start_expr="begins[i]",
            output_statement="out[i] = item;")
        for n, x in each():
            begins = clprims.map("i % 37 == 0 || x % 11 == 0", x, dtype=np.int8)
            expected = pyopencl.array.empty_like(x)
            kernel(x, begins, expected)
            ends = pyopencl.array.to_device(agrees.queue(), np.array([n]))
            offsets = pyopencl.array.concatenate((clprims.nonzero(begins)[0], ends))
            same(clprims.segment_scan(x, offsets, dtype=np.int32), expected)

    def test_sorts(self):
        kernel = pyopencl.algorithm.RadixSort(
            agrees.queue().context, "int *x, int *payload", key_expr="x[i]", sort_arg_names=["x", "payload"])
        for n, x in each():
            payload = numbers(n)
            (keys, moved), _ = kernel(x, payload, key_bits=10)
            order = clprims.argsort(x)
            same(clprims.take(x, order), keys)
            same(clprims.take(payload, order), moved)

    def test_groups(self):
        """The values of each key, one key after the other, and where they begin."""
        kernel = pyopencl.algorithm.KeyValueSorter(agrees.queue().context)
        for n, keys in each():
            values = numbers(n)
            starts, lists, _ = kernel(agrees.queue(), keys, values, 1000, np.dtype(np.int32))
            ordered = clprims.sort(keys)
            same(clprims.take(values, clprims.argsort(keys)), lists)
            same(clprims.searchsorted(ordered, numbers(1001)), starts)

    def test_lists(self):
        """Lists of i numbers each, one list after the other."""
        builder = pyopencl.algorithm.ListOfListsBuilder(
            agrees.queue().context, [("lists", np.int32)],
            "void generate(LIST_ARG_DECL USER_ARG_DECL index_type i)"
            "{ for (int k = 0; k < i % 5; k++) APPEND_lists(k); }", [])
        for n, _ in each():
            built, _ = builder(agrees.queue(), n)
            ends = clprims.cumsum(clprims.map("i % 5", n=n, dtype=np.int32, queue=agrees.queue()))
            same(ends, built["lists"].starts[1:])
            total = int(ends[-1:].get()[0])
            first = clprims.map("i == 0 ? 0 : ends[i - 1]", n=n, dtype=np.int64, ends=ends)
            if total:
                owner = clprims.searchsorted(ends, numbers(total), "right")
                same(clprims.map("i - first[x]", owner, dtype=np.int32, first=first), built["lists"].lists)


if __name__ == "__main__":
    agrees.clprims = clprims = agrees.package(Path(sys.argv[1]).resolve(), Path(sys.argv[2]).resolve())
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]])
