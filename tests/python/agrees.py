#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""agrees.py LIBRARY WORK [NAME...]: makes the package clprims in the folder WORK, around the library,
and compares its functions with NumPy's: on arrays of NumPy's and of pyopencl's, which hypothesis
draws. Also runs the examples of its docstrings. Names are those of unittest."""
import contextlib
import doctest
import faulthandler
import functools
import importlib
import io
import runpy
import shutil
import subprocess
import sys
import threading
import unittest
import unittest.mock
from pathlib import Path

import numpy as np
import pyopencl
import pyopencl.array
from hypothesis import given, settings
from hypothesis import strategies as st

ROOT = Path(__file__).resolve().parents[2]
INTEGERS = [np.dtype(kind + size) for kind in "iu" for size in "1248"]
FLOATS = [np.dtype("f4"), np.dtype("f8")]
DTYPES = [np.dtype(bool), *INTEGERS, *FLOATS]
FEW = [np.dtype(name) for name in ("?", "i1", "u8", "f4")]  # each type has programs of its own
drawn = settings(max_examples=25, deadline=None, database=None, derandomize=True)


def package(library, work):
    shutil.rmtree(work, ignore_errors=True)
    shutil.copytree(ROOT / "src/python/clprims", work / "clprims")
    subprocess.run([sys.executable, ROOT / "src/python/declare.py", ROOT / "include",
                    work / "clprims/_headers.py"], check=True, stdout=subprocess.DEVNULL)
    (work / "clprims/libclprims.so").symlink_to(library)
    sys.path.insert(0, str(work))
    return importlib.import_module("clprims")


@functools.lru_cache(None)
def queue():
    """A queue on the device that the context of NumPy's arrays has."""
    name = clprims.get_context().device
    for platform in pyopencl.get_platforms():
        for device in platform.get_devices():
            if device.name == name:
                return pyopencl.CommandQueue(pyopencl.Context([device]))
    raise LookupError(name)


def values(rng, dtype, shape, has_nan=True):
    """Few different values and many, the least and the greatest, NaN and zeros of both signs."""
    n = int(np.prod(shape))
    if dtype in FLOATS:
        a = rng.integers(-9, 9, n) * 0.5 if rng.random() < 0.5 else rng.normal(0, 100, n)
        a = np.where(rng.random(n) < 0.1, -0.0, a)
        a = np.where(rng.random(n) < (0.05 if has_nan and rng.random() < 0.5 else 0), np.nan, a)
    elif dtype.kind == "b":
        a = rng.random(n) < 0.5
    elif dtype.kind not in "iu":
        a = rng.integers(0, 100, n)
    else:
        ends = np.iinfo(dtype)
        few = rng.random() < 0.5
        a = rng.integers(0 if few else ends.min, 9 if few else ends.max, n, dtype, endpoint=True)
    return a.astype(dtype).reshape(shape)


def laid_out(a, layout):
    """The same elements in another order of memory, or of bytes."""
    if layout == "swapped":
        return a.astype(a.dtype.newbyteorder())
    if layout == "fortran":
        return np.asfortranarray(a)
    if layout == "strided":
        wide = np.zeros(a.shape[:-1] + (2 * a.shape[-1],), a.dtype)
        wide[..., ::2] = a
        return wide[..., ::2]
    return a[::-1] if layout == "reversed" else a


@st.composite
def arrays(draw, dtypes=FEW, most_axes=3, has_nan=True, longest=3000):
    dtype = draw(st.sampled_from(dtypes))
    axes = draw(st.integers(1, most_axes))
    length = st.integers(0, longest if axes == 1 else 30)
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    a = values(rng, dtype, draw(st.tuples(*[length] * axes)), has_nan)
    return laid_out(a, draw(st.sampled_from(["plain", "swapped", "fortran", "strided", "reversed"])))


def on_device(a):
    return pyopencl.array.to_device(queue(), np.ascontiguousarray(a, a.dtype.newbyteorder("=")))


def back(result):
    if isinstance(result, tuple):
        return tuple(map(back, result))
    return result.get() if isinstance(result, pyopencl.array.Array) else result


def same(result, expected, **tolerance):
    if isinstance(expected, tuple):
        assert len(result) == len(expected)
        for got, wanted in zip(result, expected):
            same(got, wanted, **tolerance)
        return
    expected = np.asarray(expected)
    assert np.shape(result) == expected.shape, (np.shape(result), expected.shape)
    assert result.dtype == expected.dtype.newbyteorder("="), (result.dtype, expected.dtype)
    if tolerance and expected.dtype.kind == "f":
        np.testing.assert_allclose(result, expected, **tolerance)
    else:
        np.testing.assert_array_equal(result, expected)


def agrees(name, inputs, expected, device=True, tolerance={}, **options):
    """The function gives what is expected, of NumPy's arrays and of pyopencl's."""
    function = getattr(clprims, name)
    before = [np.array(a) for a in inputs]
    same(function(*inputs, **options), expected, **tolerance)
    for a, copy in zip(inputs, before):
        np.testing.assert_array_equal(a, copy)
    if device:
        same(back(function(*map(on_device, inputs), **options)), expected, **tolerance)


def outcome(function, *arguments, **options):
    """What NumPy gives, or the type of what it raises."""
    try:
        return function(*arguments, **options)
    except (ValueError, TypeError) as error:
        return type(error)


def rounding(a):
    """The tolerance of sums of floats."""
    eps = np.finfo(a.dtype).eps if a.dtype.kind == "f" else 0
    return {"rtol": 0, "atol": eps * np.abs(a.astype(float)).sum() * 4 + 1e-300} if eps else {}


def axes_of(a):
    return [None, *range(a.ndim)]


class Arrays(unittest.TestCase):
    @drawn
    @given(arrays([*FEW, *map(np.dtype, ("i2", "u4", "f8"))], has_nan=False))
    def test_sums(self, a):
        for axis in axes_of(a):
            device = axis in (None, a.ndim - 1)
            agrees("sum", [a], np.sum(a, axis), device, rounding(a), axis=axis)
            agrees("cumsum", [a], np.cumsum(a, axis), device, rounding(a), axis=axis)
        agrees("sum", [a], np.sum(a, dtype="f8"), tolerance={"rtol": 1e-9, "atol": 1e-9}, dtype="f8")

    @drawn
    @given(arrays([*FEW, np.dtype("f8")]))
    def test_extremes(self, a):
        for name in ("min", "max", "argmin", "argmax"):
            for axis in axes_of(a):
                expected = outcome(getattr(np, name), a, axis=axis)
                if isinstance(expected, type):
                    self.assertRaises(ValueError, getattr(clprims, name), a, axis)
                else:
                    agrees(name, [a], expected, axis in (None, a.ndim - 1), axis=axis)

    @drawn
    @given(arrays(DTYPES))
    def test_sorts(self, a):
        for axis in axes_of(a):
            device = axis in (None, a.ndim - 1)
            agrees("sort", [a], np.sort(a, axis), device, axis=axis)
            agrees("argsort", [a], np.argsort(a, axis, kind="stable"), device, axis=axis)
        if a.dtype.kind in "iu":
            agrees("sort", [a], np.sort(a, None)[::-1], axis=None, descending=True)

    @drawn
    @given(arrays())
    def test_distinct(self, a):
        agrees("unique", [a], np.unique(a))
        options = {"return_index": True, "return_inverse": True, "return_counts": True}
        agrees("unique", [a], np.unique(a, **options), **options)
        agrees("nonzero", [a], np.nonzero(a), a.ndim == 1)

    @drawn
    @given(arrays(most_axes=1), arrays(most_axes=2), st.sampled_from(["left", "right"]))
    def test_searches(self, a, v, side):
        a = np.sort(a)
        agrees("searchsorted", [a, v], np.searchsorted(a, v, side), side=side)

    @drawn
    @given(arrays(most_axes=2), st.integers(1, 3000), st.booleans())
    def test_topk(self, a, k, largest):
        flat, k = a.ravel(), min(k, a.size)
        if k == 0:
            self.assertRaises(clprims.ArgumentError, clprims.topk, a, k)
            return
        order = clprims.argsort(flat, descending=largest)[:k]
        agrees("topk", [a], (flat[order].astype(flat.dtype.newbyteorder("=")), order), k=k, largest=largest)

    @drawn
    @given(arrays(), st.integers(1, 40), st.sampled_from([None, (-3, 5), (0.25, 7.5)]), st.randoms())
    def test_histograms(self, a, bins, range, random):
        if a.dtype.kind == "b":
            a = a.astype(np.uint8)
        expected = outcome(np.histogram, a, bins, range)
        if isinstance(expected, type):
            self.assertRaises(expected, clprims.histogram, a, bins, range)
            return
        agrees("histogram", [a], expected, bins=bins, range=range)
        edges = np.sort(np.array([random.uniform(-10, 10) for _ in np.arange(bins + 1)]))
        agrees("histogram", [a], np.histogram(a, edges), bins=edges)
        weights = np.arange(a.size).reshape(a.shape) % 7
        agrees("histogram", [a], np.histogram(a, bins, range, weights=weights), False, bins=bins, range=range,
               weights=weights)
        if expected[0].sum() > 0:
            agrees("histogram", [a], np.histogram(a, bins, range, True), False, {"rtol": 1e-12}, bins=bins,
                   range=range, density=True)


class Indexed(unittest.TestCase):
    @drawn
    @given(arrays(DTYPES + [np.dtype("c16"), np.dtype("S5"), np.dtype("f2")]), st.integers(0, 2**32),
           st.sampled_from(INTEGERS))
    def test_take(self, a, seed, dtype):
        rng = np.random.default_rng(seed)
        most = min(a.size, np.iinfo(dtype).max)
        indices = rng.integers(0, most, (5, 7)).astype(dtype) if most else np.zeros((0, 7), dtype)
        agrees("take", [a, indices], np.take(a, indices).astype(a.dtype.newbyteorder("=")), a.dtype in DTYPES)
        for wrong in ([-1], [0, a.size]):
            with self.assertRaisesRegex(clprims.DataError, f"gather: index.* = {wrong[-1]} is outside"):
                clprims.take(a, wrong)

    @drawn
    @given(arrays(FEW[1:], 1), st.integers(1, 500), st.sampled_from([None, "add", "min", "max", "xor"]))
    def test_scatter(self, a, length, op):
        indices = np.random.default_rng(length).integers(0, length, a.size)
        out = np.zeros(length, a.dtype.newbyteorder("="))
        if op == "xor" and a.dtype.kind == "f":
            self.assertRaises(clprims.UnsupportedError, clprims.scatter, out, indices, a, op)
            return
        expected = out.copy()
        combine = {None: None, "add": np.add, "min": np.fmin, "max": np.fmax, "xor": np.bitwise_xor}[op]
        if op:
            combine.at(expected, indices, a)
        else:
            expected[indices] = a
        tolerance = {"rtol": 1e-4, "atol": 1e-3} if op == "add" else {}
        there = on_device(out)
        assert clprims.scatter(there, on_device(indices), on_device(a), op) is there
        same(there.get(), expected, **tolerance)
        assert clprims.scatter(out, indices, a, op) is out
        same(out, expected, **tolerance)

    @drawn
    @given(arrays(most_axes=1, has_nan=False), st.lists(st.integers(0, 3000), max_size=40), st.booleans())
    def test_segments(self, a, cuts, exclusive):
        offsets = np.sort(np.minimum([0, *cuts, a.size], a.size))
        pieces = [a[b:e] for b, e in zip(offsets, offsets[1:])]
        wide = np.sum(a[:0]).dtype
        sums = np.array([np.sum(p) for p in pieces], wide)
        agrees("segment_reduce", [a, offsets], sums, tolerance=rounding(a))
        least = [int(b + np.argmin(p)) if len(p) else -1 for p, b in zip(pieces, offsets)]
        agrees("segment_reduce", [a, offsets.astype(np.int32)], np.array(least), op="argmin")
        sums = [np.cumsum(p, dtype=wide) - (p if exclusive else 0) for p in pieces]
        agrees("segment_scan", [a, offsets], np.concatenate(sums).astype(wide), tolerance=rounding(a),
               exclusive=exclusive)
        if a.dtype.kind == "f" and a.size:
            a = np.where(np.arange(a.size) == a.size // 2, np.nan, a).astype(a.dtype.newbyteorder("="))
            greatest = [np.max(a[b:e], initial=-np.inf) for b, e in zip(offsets, offsets[1:])]
            agrees("segment_reduce", [a, offsets], np.array(greatest, a.dtype), op="max")

    @drawn
    @given(arrays(FEW[1:], 2, has_nan=False), st.integers(0, 5),
           st.sampled_from([None, np.float64, bool]))
    def test_maps(self, a, number, dtype):
        a = a.astype(a.dtype.newbyteorder("="))
        wanted = np.dtype(dtype or a.dtype)
        clean = a % 100 if a.dtype.kind in "iu" else a  # products that fit
        expected = (clean.astype(np.float64) * 0 + (clean > number)).astype(wanted)
        same(clprims.map("x > k", clean, k=number, dtype=dtype), expected)
        if a.size:  # an array of pyopencl's without elements has no buffer
            there = clprims.map(("x", "w[i]"), on_device(clean), w=on_device(clean))
            same(back(there), (clean, clean))
            total = clprims.sum(on_device(clean))  # an array without axes, which is a pointer
            same(clprims.map("*a", on_device(clean), a=total, dtype=total.dtype).get(),
                 np.full(a.shape, total.get()))

    @drawn
    @given(st.integers(0, 3000), st.sampled_from(["i4", "i8"]), st.integers(0, 2**32))
    def test_lists(self, n, dtype, seed):
        order = np.random.default_rng(seed).permutation(n).astype(dtype)
        links = np.full(n, -1, dtype)
        links[order[:-1]] = order[1:]
        agrees("list_rank", [links], np.argsort(order).astype(dtype))
        agrees("list_rank", [links], order, order=True)
        if n > 1:
            links[order[-1]] = order[1]
            with self.assertRaisesRegex(clprims.DataError, "list: "):
                clprims.list_rank(links)

    @drawn
    @given(st.tuples(*[st.integers(1, 40)] * 4), st.sampled_from(["f4", "f8", "i4", "i8"]), st.booleans())
    def test_products(self, sizes, dtype, stacked):
        m, k, n, batch = sizes
        rng = np.random.default_rng(m)
        a, b = (rng.integers(-99, 99, (batch, *shape)).astype(dtype) for shape in ((m, k), (k, n)))
        a, b = (a, b) if stacked else (a[0], b[0])
        pairs = a[..., :, :, None] + b[..., None, :, :]
        expected = pairs.min(-2), pairs.argmin(-2).astype(np.int32)
        agrees("minplus", [a, b], expected, argmin=True)
        agrees("minplus", [a, b], pairs.max(-2), semiring="max-plus")

    @drawn
    @given(st.integers(0, 70), st.sampled_from(["f4", "f8", "i4", "i8"]))
    def test_paths(self, n, dtype):
        d = np.random.default_rng(n).integers(1, 99, (n, n)).astype(dtype)
        closed = d.copy()
        np.fill_diagonal(closed, 0)
        for v in range(n):
            closed = np.minimum(closed, closed[:, v, None] + closed[v])
        agrees("shortest_paths", [d], closed)
        lengths, via = clprims.shortest_paths(d, predecessors=True)
        for i, j in np.argwhere(via >= 0)[:50]:
            assert lengths[i, j] == lengths[i, via[i, j]] + d[via[i, j], j]
        if n > 1:
            d[0, 1], d[1, 0] = -9, 1
            with self.assertRaisesRegex(clprims.DataError, "cycle of negative length"):
                clprims.shortest_paths(d)


class Calls(unittest.TestCase):
    def test_refusals(self):
        a = np.arange(6).reshape(2, 3)
        device = on_device(a)
        refused = [
            (TypeError, "float16", lambda: clprims.sum(np.zeros(3, np.float16))),
            (TypeError, "dtype = bool", lambda: clprims.sum(a, dtype=bool)),
            (TypeError, "complex", lambda: clprims.sort([1j])),
            (ValueError, "axis 2", lambda: clprims.sum(a, axis=2)),
            (ValueError, "axis = 0", lambda: clprims.sum(device, axis=0)),
            (ValueError, "C-contiguous", lambda: clprims.sum(device.T)),
            (TypeError, "list beside", lambda: clprims.take(device, [0])),
            (TypeError, "float64", lambda: clprims.take(a, [0.5])),
            (TypeError, "objects", lambda: clprims.take(np.array([None]), [0])),
            (ValueError, "side", lambda: clprims.searchsorted(a, a, "middle")),
            (ValueError, "'nand' is none of add", lambda: clprims.segment_reduce(a, [0, 1], "nand")),
            (ValueError, "offsets has no element", lambda: clprims.segment_reduce(a, [])),
            (clprims.DataError, r"segmented: offsets\[1\] = 9", lambda: clprims.segment_reduce(a, [0, 9])),
            (clprims.DataError, r"segmented: offsets\[1\] is less",
             lambda: clprims.segment_scan(device, on_device(np.array([2, 1])))),
            (clprims.ArgumentError, "topk: k = 7", lambda: clprims.topk(a, 7)),
            (clprims.BuildError, "map: ", lambda: clprims.map("x +", a)),
            (TypeError, "either", lambda: clprims.map("x")),
            (ValueError, "2 expressions and 1", lambda: clprims.map(("x", "i"), a, dtype=[int])),
            (TypeError, "float64", lambda: clprims.scatter(np.zeros(3, int), [0], [0.5])),
            (ValueError, "2 values for 1", lambda: clprims.scatter(np.zeros(3, int), [0], [1, 2])),
            (ValueError, "contiguous", lambda: clprims.scatter(np.zeros(6, int)[::2], [0], [1])),
            (clprims.ArgumentError, "scatter: ",
             lambda: clprims.scatter(np.zeros(1, "S3"), [0], [b"a"], "add")),
            (ValueError, "no product", lambda: clprims.minplus(a, a)),
            (ValueError, "as many rows", lambda: clprims.shortest_paths(a)),
            (TypeError, "auto", lambda: clprims.histogram(a, "auto")),
            (ValueError, "1 weights of 6", lambda: clprims.histogram(a, weights=[1])),
            (clprims.DataError, "weight", lambda: clprims.histogram(a, weights=np.full(6, np.nan))),
            (clprims.Error, "nowhere", lambda: clprims.Context(device="nowhere")),
        ]
        for error, message, function in refused:
            with self.subTest(message=message), self.assertRaisesRegex(error, message):
                function()
        with self.assertRaises(clprims.Error) as caught:
            clprims.map("x +", a)
        assert caught.exception.status == "CLPRIMS_ERR_BUILD" and "error" in caught.exception.build_log

    def test_no_copies(self):
        place = importlib.import_module("clprims._places").Host(None)
        a = np.arange(5)
        assert np.shares_memory(place.array(a), a)
        assert not np.shares_memory(place.array(a[::-1]), a)

    def test_threads(self):
        """Threads share a context, whose plans have one run at a time."""
        wrong = []

        def work(number):
            rng = np.random.default_rng(number)
            for _ in range(20):
                a = rng.integers(-99, 99, rng.integers(1, 3000)).astype(np.int32)
                if clprims.sum(a) != a.sum() or not np.array_equal(clprims.cumsum(a), a.cumsum()):
                    wrong.append(number)
                try:
                    clprims.take(a, [len(a) + number])
                    wrong.append(number)
                except clprims.DataError as error:  # the message of this thread
                    if f" = {len(a) + number} " not in str(error):
                        wrong.append(number)
        threads = [threading.Thread(target=work, args=[number]) for number in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert not wrong, wrong

    def test_others_run(self):
        """A call does not hold the GIL: it waits for what only this thread will do."""
        a, blocked = np.arange(5), pyopencl.UserEvent(queue().context)
        mine = pyopencl.CommandQueue(queue().context)
        with clprims.Context(queue=mine) as context:
            clprims.sum(a, context=context)
            pyopencl.enqueue_marker(mine, [blocked])
            thread = threading.Thread(target=clprims.sum, args=[a], kwargs={"context": context})
            thread.start()
            thread.join(0.1)
            assert thread.is_alive()
            blocked.set_status(pyopencl.command_execution_status.COMPLETE)
            thread.join()

    def test_contexts(self):
        """Some plans are kept, and a store keeps programs."""
        work = Path(sys.path[0])
        name = clprims.get_context().device
        with clprims.Context(device=name, program_store=str(work / "store")) as context:
            with unittest.mock.patch("clprims._library.MOST_PLANS", 2):
                for k in range(1, 12):
                    assert clprims.sum(np.ones(k << 10, int), context=context) == k << 10
            assert len(context._idle) == 2, context._idle
            context.forget_plans()
            assert not context._idle
            assert clprims.sum([1, 2], context=context) == 3
            # Kept plans give way to a new one.
            tried = [clprims.OutOfMemoryError(), context._create("key", "list", {"max_n": 9})]
            with unittest.mock.patch.object(context, "_create", side_effect=tried):
                assert len(clprims.list_rank(np.array([1, 2, -1], "i4"), context=context)) == 3
            assert [entry[0] for entry in context._idle] == ["key"]
        assert any((work / "store").iterdir())
        self.assertRaises(clprims.ArgumentError, clprims.sum, [1], context=context)
        mine = clprims.Context(queue=queue())
        clprims.set_context(mine)
        assert clprims.get_context() is mine and clprims.max([1, 5]) == 5
        clprims.set_context(None)

    def test_example(self):
        with contextlib.redirect_stdout(io.StringIO()) as output:
            runpy.run_path(str(ROOT / "tests/examples/with_pyopencl.py"), run_name="__main__")
        assert "1000 sums agree" in output.getvalue()

    def test_queues(self):
        """A result may be used on the queue at once, and runs on a queue out of order wait."""
        out_of_order = pyopencl.CommandQueue(
            queue().context, properties=pyopencl.command_queue_properties.OUT_OF_ORDER_EXEC_MODE_ENABLE)
        a = np.arange(100000) % 1000
        there = pyopencl.array.to_device(out_of_order, a)
        result = clprims.cumsum(clprims.sort(clprims.map("x * 2", there)))
        np.testing.assert_array_equal(result.get(), np.cumsum(np.sort(a * 2)))
        part = there[1001:]  # a view
        np.testing.assert_array_equal(clprims.argsort(part).get(), np.argsort(a[1001:], kind="stable"))


def load_tests(loader, tests, _):
    for module in ("_arrays", "_indexed"):
        module = importlib.import_module("clprims." + module)
        tests.addTests(doctest.DocTestSuite(module, extraglobs={"np": np}))
    return tests


if __name__ == "__main__":
    clprims = package(Path(sys.argv[1]).resolve(), Path(sys.argv[2]).resolve())
    faulthandler.dump_traceback_later(600, exit=True)
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]])
