#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""From Python, with pyopencl's queue and arrays: the sum and the number of the values of each key.
Nothing is copied to the host but the results."""
import clprims
import numpy
import pyopencl
import pyopencl.array


def group_by(keys, values):
    """The distinct keys in order, the sum of the values of each, and how many there are."""
    order = clprims.argsort(keys)
    distinct, counts = clprims.unique(keys, return_counts=True)
    start = pyopencl.array.zeros(keys.queue, 1, numpy.int64)
    offsets = pyopencl.array.concatenate((start, clprims.cumsum(counts)))
    return distinct, clprims.segment_reduce(clprims.take(values, order), offsets), counts


def main():
    queue = pyopencl.CommandQueue(pyopencl.create_some_context(interactive=False))
    random = numpy.random.default_rng(1)
    keys, values = random.integers(0, 1000, 100003, numpy.int32), random.integers(-50, 50, 100003)
    results = group_by(*(pyopencl.array.to_device(queue, array) for array in (keys, values)))
    distinct, sums, counts = (array.get() for array in results)
    numpy.testing.assert_array_equal(sums, numpy.bincount(keys, values)[distinct])
    numpy.testing.assert_array_equal(counts, numpy.bincount(keys)[distinct])
    print(f"{len(distinct)} sums agree with NumPy's on {queue.device.name}")


if __name__ == "__main__":
    main()
