#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compares the command with NumPy, whole files byte by byte.

usage: numpy_agrees.py PATH-OF-CLPRIMS [LARGEST-N]; ends with 77 where NumPy is missing.
CLPRIMS_TEST_LONG=1 asks for every type with everything.
"""
import os
import subprocess
import sys
import tempfile

try:
    import numpy
except ImportError:
    print("SKIPPED all: python3 has no numpy")
    sys.exit(77)

TYPES = "int8 int16 int32 int64 uint8 uint16 uint32 uint64 float32 float64".split()
LONG = os.environ.get("CLPRIMS_TEST_LONG", "0") not in ("", "0")


def run(command, *words):
    result = subprocess.run([command, *words], stdout=subprocess.PIPE,
                            stderr=subprocess.PIPE, text=True)
    if result.returncode == 3 and "float64" in result.stderr:
        return result.stderr.strip()
    if result.returncode != 0:
        sys.exit(f"FAILED {' '.join(words)}: exit status {result.returncode}: {result.stderr}")
    return None


def compare(name, path, expected):
    """The command's file against the one that NumPy saves, the header too."""
    numpy.save("expected.npy", expected)
    with open("expected.npy", "rb") as twin, open(path, "rb") as file:
        if twin.read() == file.read():
            return
    actual = numpy.load(path)
    if actual.dtype != expected.dtype or actual.shape != expected.shape:
        sys.exit(f"FAILED {name}: {actual.dtype} {actual.shape}, not {expected.dtype} "
                 f"{expected.shape}")
    where = numpy.flatnonzero(actual != expected)
    if where.size == 0:
        sys.exit(f"FAILED {name}: the elements agree, the headers do not")
    i = where[0]
    sys.exit(f"FAILED {name}: element {i} is {actual.flat[i]}, NumPy has {expected.flat[i]}")


def values(random, dtype, n, ordered):
    """Whole floats whose sums are exact below 2^24, so that every order of additions agrees."""
    if numpy.dtype(dtype).kind == "f":
        data = random.integers(-1, 2, n) if not ordered else numpy.arange(n) % 3 - 1
        return data.astype(dtype)
    info = numpy.iinfo(dtype)
    if ordered:
        return numpy.arange(n).astype(dtype)
    return random.integers(info.min, info.max, n, dtype=dtype, endpoint=True)


def exclusive(inclusive, first):
    shifted = numpy.empty_like(inclusive)
    shifted[:1] = first
    shifted[1:] = inclusive[:-1]
    return shifted


def scan_cases(command, random, dtype, n, ordered, kinds):
    """kinds: numbers of kinds of scan, modulo three."""
    data = values(random, dtype, n, ordered)
    name = f"scan {dtype} {'ordered' if ordered else 'random'} n={n}"
    numpy.save("in.npy", data)
    sums = numpy.cumsum(data, dtype=dtype)
    scans = (
        ("exclusive", [], exclusive(sums, 0)),
        ("inclusive", ["--inclusive"], sums),
        ("min", ["--inclusive", "--op", "min"], numpy.minimum.accumulate(data) if n else data),
    )
    for kind in kinds:
        what, words, expected = scans[kind % 3]
        skipped = run(command, "scan", *words, "in.npy", "-o", "out.npy")
        if skipped:
            print(f"SKIPPED {name}: {skipped}")
            return
        compare(f"{name} {what}", "out.npy", expected)
    if dtype == "uint8":
        run(command, "scan", "--inclusive", "--accumulate", "int64", "in.npy", "-o", "out.npy")
        compare(name + " to int64", "out.npy", numpy.cumsum(data, dtype="int64"))


def factors(random, dtype, n):
    """Products of these do not die out, nor do those of floats round or overflow."""
    if numpy.dtype(dtype).kind != "f":
        return values(random, dtype, n, False) | numpy.array(1, dtype)
    powers = random.integers(-3, 4, n // 2 + 1).repeat(2)[:n]
    powers *= numpy.where(numpy.arange(n) % 2, -1, 1)
    return (random.choice([-1, 1], n) * 2.0**powers).astype(dtype)


def operator_case(command, random, dtype, op, n, inclusive):
    """An exclusive scan begins with the operator's identity."""
    if numpy.dtype(dtype).kind == "f":
        low, high = -numpy.inf, numpy.inf
    else:
        low, high = numpy.iinfo(dtype).min, numpy.iinfo(dtype).max
    ufunc, identity = {
        "add": (numpy.add, 0),
        "mul": (numpy.multiply, 1),
        "min": (numpy.minimum, high),
        "max": (numpy.maximum, low),
        "and": (numpy.bitwise_and, -1 if low < 0 else high),
        "or": (numpy.bitwise_or, 0),
        "xor": (numpy.bitwise_xor, 0),
    }[op]
    data = factors(random, dtype, n) if op == "mul" else values(random, dtype, n, False)
    numpy.save("in.npy", data)
    kind = "inclusive" if inclusive else "exclusive"
    name = f"scan {dtype} {op} {kind} n={n}"
    skipped = run(command, "scan", "--op", op, "--" + kind, "in.npy", "-o", "out.npy")
    if skipped:
        print(f"SKIPPED {name}: {skipped}")
        return
    results = ufunc.accumulate(data, dtype=dtype) if n else data
    compare(name, "out.npy", results if inclusive else exclusive(results, identity))
    compare(name + ", its input", "in.npy", data)


def operator_cases(command, random):
    """Each type with each operator, in the short tier some of them; kinds and sizes take turns."""
    for turn, dtype in enumerate(TYPES):
        ops = ("add", "mul", "min", "max", "and", "or", "xor")[:4 if dtype.startswith("float") else 7]
        for k, op in enumerate(ops):
            if LONG or turn % 4 == 0 and k == turn % len(ops):
                operator_case(command, random, dtype, op, (1, 1000, 0, 65537, 2)[(turn + k) % 5],
                              (turn + k + (turn + k) // 4) % 2 == 0)


def reduce_cases(command, random, dtype, n):
    """One element each, sums in the elements' own type; and a value for each element."""
    data = values(random, dtype, n, False)
    name = f"reduce {dtype} n={n}"
    numpy.save("in.npy", data)
    results = (
        ("add", data.sum(dtype=dtype)),
        ("min", data.min()),
        ("max", data.max()),
        ("argmin", numpy.int64(data.argmin())),
        ("argmax", numpy.int64(data.argmax())),
    )
    for op, expected in results:
        if not LONG and op in ("max", "argmax") and dtype not in ("int8", "float64"):
            continue
        skipped = run(command, "reduce", "--op", op, "in.npy", "-o", "out.npy")
        if skipped:
            print(f"SKIPPED {name}: {skipped}")
            return
        compare(f"{name} {op}", "out.npy", numpy.array([expected]))
    run(command, "map", "--value", "x + i % 3", "in.npy", "-o", "out.npy")
    compare(f"map {dtype} n={n}", "out.npy", data + (numpy.arange(n) % 3).astype(dtype))


def segment_cases(command, random, dtype, n):
    """Sums of segments by offsets, some of them empty, and by keys; scans that begin anew."""
    data = random.integers(0, 100, n).astype(dtype)
    cuts = numpy.sort(random.integers(0, n + 1, n // 5))
    offsets = numpy.concatenate(([0], cuts, [n])).astype("int64")
    keys = numpy.repeat(numpy.arange(len(offsets) - 1) % 7, numpy.diff(offsets)).astype("int16")
    heads = numpy.concatenate(([True], keys[1:] != keys[:-1]))
    starts = numpy.flatnonzero(heads)
    totals = numpy.concatenate(([0], numpy.cumsum(data, dtype="int64")))
    before = numpy.repeat(totals[starts], numpy.diff(numpy.append(starts, n)))
    for name, values in (("in", data), ("offsets", offsets), ("keys", keys), ("flags", heads)):
        numpy.save(name + ".npy", values)
    name = f"segments of {dtype} n={n}"
    words = ("--accumulate", "int64", "in.npy", "-o", "out.npy")
    run(command, "segreduce", "--offsets", "offsets.npy", *words)
    compare(name + " by offsets", "out.npy", totals[offsets[1:]] - totals[offsets[:-1]])
    run(command, "segreduce", "--keys", "keys.npy", "--unique", "unique.npy", *words)
    compare(name + " by keys", "out.npy", numpy.add.reduceat(data, starts, dtype="int64"))
    compare(name + ", unique keys", "unique.npy", keys[starts])
    run(command, "segscan", "--flags", "flags.npy", "--inclusive", *words)
    compare(name + ", scan by flags", "out.npy", totals[1:] - before)


def jagged_cases(command, random, dtype, n):
    """Segments of each element, some of them empty; elements in the order of indices."""
    first = int(random.integers(0, 9))
    cuts = numpy.sort(random.integers(first, first + n + 1, n // 5))
    for turn, index_type in enumerate(("int64", "int32", "uint32")):
        offsets = numpy.concatenate(([first], cuts, [first + n]))
        numpy.save("offsets.npy", offsets.astype(("int64", "int32")[turn % 2]))
        counts = numpy.diff(offsets)
        numbers = numpy.repeat(numpy.arange(len(counts)), counts)
        outside = numpy.full(first, -1)
        name = f"parents of {n}, {index_type}"
        run(command, "parents", "offsets.npy", "-o", "out.npy")
        compare(name, "out.npy", numpy.concatenate((outside, numbers)))
        run(command, "parents", "--local", "offsets.npy", "-o", "out.npy")
        local = numpy.arange(first, first + n) - offsets[numbers]
        compare(name + ", local", "out.npy", numpy.concatenate((outside, local)))
        data = random.integers(0, 2, n // 2).astype(dtype)
        index = random.integers(0, n // 2, n).astype(index_type)
        numpy.save("in.npy", data)
        numpy.save("index.npy", index)
        run(command, "gather", "index.npy", "in.npy", "-o", "out.npy")
        compare(f"gather of {dtype} by {index_type}", "out.npy", data[index])
        scatter_cases(command, random, dtype, index, n // 2)


def scatter_cases(command, random, dtype, index, length):
    """Of equal indices the last one wins, or all are combined with what is there."""
    data = random.integers(0, 2, len(index)).astype(dtype)
    into = random.integers(0, 2, length).astype(dtype)
    numpy.save("in.npy", data)
    numpy.save("into.npy", into)
    for op, ufunc in ((None, None), ("max", numpy.fmax), ("add", numpy.add)):
        expected = into.copy()
        if op is None:
            expected[index] = data
        elif dtype == "bool" and op == "add":
            continue
        else:
            ufunc.at(expected, index, data)
        words = () if op is None else ("--op", op)
        run(command, "scatter", *words, "index.npy", "in.npy", "into.npy", "-o", "out.npy")
        compare(f"scatter of {dtype}, {op}", "out.npy", expected)


def histogram_cases(command, random, dtype, n):
    """Even bins, one of whose edges many elements are, edges, and weights of each kind."""
    data = values(random, dtype, n, False)
    low, high = float(data.min()) / 2 - 1, float(data.max()) / 2 + 1
    name = f"histogram {dtype} n={n}"
    numpy.save("in.npy", data)
    skipped = run(command, "histogram", "--bins", "77", "--range", repr(low), repr(high), "in.npy",
                  "-o", "out.npy")
    if skipped:
        print(f"SKIPPED {name}: {skipped}")
        return
    compare(name, "out.npy", numpy.histogram(data, 77, (low, high))[0].astype("int64"))
    edges = numpy.sort(data[random.integers(0, n, 40)])
    weights = random.integers(-1000, 1000, n).astype("float64" if n % 2 else "int32")
    numpy.save("edges.npy", edges)
    numpy.save("weights.npy", weights)
    run(command, "histogram", "--edges", "edges.npy", "in.npy", "-o", "out.npy")
    compare(name + " edges", "out.npy", numpy.histogram(data, edges)[0].astype("int64"))
    run(command, "histogram", "--edges", "edges.npy", "--weights", "weights.npy", "in.npy", "-o",
        "out.npy")
    sums = numpy.histogram(data, edges, weights=weights)[0]
    compare(name + " weights", "out.npy", sums.astype("float64" if n % 2 else "int64"))


def drawn_edges(random, dtype):
    """Edges as float64 whose last bin with elements is the eighth, so that they share a program:
    near elements, equal, between two elements, beyond the type, without elements at the end."""
    info = numpy.iinfo(dtype) if numpy.dtype(dtype).kind != "f" else None
    while True:
        base = random.integers(-3, 12, random.integers(9, 13)) * random.choice([0.25, 0.5, 1, 40])
        edges = base + random.choice([0, 0, 0.1, 1e-9, -1e-9], len(base))
        if info and random.integers(0, 2):
            edges += info.max if random.integers(0, 2) else info.min
        if random.integers(0, 8) == 0:
            edges[random.integers(0, len(edges))] = random.choice([numpy.inf, -numpy.inf, 1e300])
        edges.sort()
        near = numpy.concatenate([numpy.floor(edges) + k for k in range(-1, 3)])
        if info:
            near = near.clip(max(info.min, -2.0**53), min(info.max, 2.0**53)).astype(dtype)
        else:
            with numpy.errstate(over="ignore"):
                near = edges.astype(dtype)
            near = numpy.concatenate([near, numpy.nextafter(near, dtype(-numpy.inf)),
                                      numpy.nextafter(near, dtype(numpy.inf)), [numpy.nan]])
        counts = numpy.histogram(near, edges)[0]
        if counts.any() and counts.nonzero()[0][-1] == 7:
            return edges, random.permutation(near)


def edge_cases(command, random, dtype, draws):
    for draw in range(draws):
        edges, data = drawn_edges(random, numpy.dtype(dtype).type)
        numpy.save("in.npy", data)
        numpy.save("edges.npy", edges)
        run(command, "histogram", "--edges", "edges.npy", "in.npy", "-o", "out.npy")
        compare(f"histogram {dtype}, drawn edges {draw} {edges}", "out.npy",
                numpy.histogram(data, edges)[0].astype("int64"))
    numpy.save("in.npy", numpy.arange(9, dtype=dtype))
    numpy.save("edges.npy", numpy.array([-2, -1.5, -0.5, -0.2, -0.1, -0.1, -0.1, -0.05, -0.01]))
    run(command, "histogram", "--edges", "edges.npy", "in.npy", "-o", "out.npy")
    compare(f"histogram {dtype}, no element in a bin", "out.npy", numpy.zeros(8, "int64"))


def small_scans(command):
    """Where a scan is not what NumPy's function of the same name is."""
    small = numpy.array([100, 100, 100, -7], "int8")
    numpy.save("in.npy", small)
    run(command, "scan", "--inclusive", "in.npy", "-o", "out.npy")
    compare("sums of int8 wrap around", "out.npy", numpy.cumsum(small, dtype="int8"))
    if (numpy.cumsum(small) == numpy.cumsum(small, dtype="int8")).all():
        sys.exit("FAILED: NumPy's sums of int8 wrap around as well, other than the help says")
    run(command, "scan", "--inclusive", "--accumulate", "int64", "in.npy", "-o", "out.npy")
    compare("sums of int8 to int64", "out.npy", numpy.cumsum(small, dtype="int64"))
    gaps = numpy.array([1, 3, numpy.nan, 2, 5, numpy.nan], "float32")
    numpy.save("in.npy", gaps)
    run(command, "scan", "--inclusive", "--op", "max", "in.npy", "-o", "out.npy")
    compare("maxima without NaNs", "out.npy", numpy.fmax.accumulate(gaps))
    run(command, "scan", "--inclusive", "--op", "min", "in.npy", "-o", "out.npy")
    compare("minima without NaNs", "out.npy", numpy.fmin.accumulate(gaps))


def save_bools(random, name, data):
    """Any byte but 0 is true, as in files of other programs."""
    odd = random.choice(numpy.array([1, 2, 127, 128, 254, 255], "uint8"), len(data))
    numpy.save(name, numpy.where(data, odd, 0).astype("uint8").view(bool))


def large_cases(command):
    """Few results of many elements, where as many results as elements would not fit the device:
    under this limit PoCL gives 256 MiB in one piece."""
    os.environ["POCL_MEMORY_LIMIT"] = "1"
    n = 2**25 + 9
    numpy.save("in.npy", numpy.ones(n, "int8"))
    run(command, "segreduce", "--keys", "in.npy", "--accumulate", "int64", "in.npy", "-o",
        "out.npy")
    compare("one large segment", "out.npy", numpy.array([n]))
    if LONG:
        run(command, "unique", "--counts", "counts.npy", "in.npy", "-o", "out.npy")
        compare("one large run", "counts.npy", numpy.array([n]))
        run(command, "select", "--indices", "--where", "i == 5", "in.npy", "-o", "out.npy")
        compare("one index", "out.npy", numpy.array([5]))
    del os.environ["POCL_MEMORY_LIMIT"]


def endless_cases(command, random):
    """Pipes whose claimed number of elements takes some array's bytes past 2^64: refused
    for that, before an element is read."""
    numpy.save("few.npy", numpy.arange(4, dtype="int8"))
    numpy.save("offsets.npy", numpy.array([0, 2, 4]))
    commands = ("scan - --accumulate int64", "reduce -", "select - --indices",
                "unique - --counts counts.npy", "sort -", "argsort -", "topk --k 2 -",
                "merge - few.npy", "searchsorted few.npy -",
                "histogram --bins 3 --range 0 1 -", "histogram --edges - few.npy",
                "offsets --counts -", "segreduce --offsets offsets.npy - --accumulate int64",
                "gather offsets.npy -", "partition -")
    for words in commands:
        n = int(2**random.choice([60, 61, 63])) + int(random.integers(-1, 2))
        text = f"{{'descr': '|i1', 'fortran_order': False, 'shape': ({n},), }}\n".encode()
        start = b"\x93NUMPY\x01\x00" + len(text).to_bytes(2, "little") + text + bytes(64)
        result = subprocess.run([command, *words.split(), "-o", "out.npy"], input=start,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        read = b"truncated" in result.stderr or b"can't be read" in result.stderr
        if result.returncode not in (2, 3) or read:
            sys.exit(f"FAILED {words} of {n} elements: exit status {result.returncode}, "
                     f"{result.stderr.decode()}")


def bool_cases(command, random, n):
    """Results of bool are bool, but int64 where elements are added up."""
    data = random.integers(0, 2, n).astype(bool)
    runs = numpy.repeat(data, random.integers(1, 9, n))[:n]
    heads = numpy.flatnonzero(numpy.concatenate([[True], runs[1:] != runs[:-1]]))
    save_bools(random, "in.npy", data)
    save_bools(random, "runs.npy", runs)
    run(command, "scan", "--inclusive", "in.npy", "-o", "out.npy")
    compare("sums of bool", "out.npy", numpy.cumsum(data, dtype="int64"))
    run(command, "scan", "--inclusive", "--op", "or", "in.npy", "-o", "out.npy")
    compare("or of bool", "out.npy", numpy.logical_or.accumulate(data))
    run(command, "scan", "--op", "min", "in.npy", "-o", "out.npy")
    compare("minima of bool", "out.npy", exclusive(numpy.minimum.accumulate(data), True))
    for op, expected in (("min", data.min()), ("max", data.max()), ("xor", data.sum() % 2 == 1)):
        if LONG or op == "max":
            run(command, "reduce", "--op", op, "in.npy", "-o", "out.npy")
            compare(f"{op} of bool", "out.npy", numpy.array([expected]))
    numpy.save("offsets.npy", numpy.array([0, 0, n // 2, n // 2, n]))
    for op in ("min", "max") if LONG else ("min",):
        run(command, "segreduce", "--op", op, "--offsets", "offsets.npy", "in.npy", "-o", "out.npy")
        halves = [getattr(part, op)() for part in (data[:n // 2], data[n // 2:])]
        none = op == "min"
        compare(f"{op} of segments of bool", "out.npy",
                numpy.array([none, halves[0], none, halves[1]]))
    run(command, "offsets", "--counts", "in.npy", "-o", "out.npy")
    compare("offsets of bool", "out.npy", numpy.append(0, numpy.cumsum(data, dtype="int64")))
    run(command, "select", "--indices", "in.npy", "-o", "out.npy")
    compare("select --indices of bool", "out.npy", numpy.flatnonzero(data))
    run(command, "partition", "in.npy", "-o", "out.npy")
    compare("partition of bool", "out.npy", numpy.sort(data)[::-1])
    run(command, "unique", "runs.npy", "-o", "out.npy")
    compare("unique of bool", "out.npy", runs[heads])


def interval_case(command, random, dtype, n):
    """offsets[0] = 0, offsets[i + 1] = offsets[i] + stops[i] - starts[i]"""
    info = numpy.iinfo(dtype)
    ends = random.integers(info.min // 4, info.max // 4, (2, n), dtype=dtype)
    starts, stops = ends.min(axis=0), ends.max(axis=0)
    lengths = (stops.astype("int64") - starts.astype("int64")) % 1000
    stops = starts + lengths.astype(dtype)
    numpy.save("starts.npy", starts)
    numpy.save("stops.npy", stops)
    run(command, "offsets", "starts.npy", "stops.npy", "-o", "offsets.npy")
    expected = numpy.zeros(n + 1, dtype="int64")
    expected[1:] = numpy.cumsum(stops.astype("int64") - starts.astype("int64"))
    compare(f"offsets {dtype} n={n}", "offsets.npy", expected)
    numpy.save("counts.npy", lengths.astype(dtype) % 100)
    run(command, "offsets", "--counts", "counts.npy", "-o", "offsets.npy")
    expected[1:] = numpy.cumsum(lengths.astype(dtype) % 100, dtype="int64")
    compare(f"offsets of counts {dtype} n={n}", "offsets.npy", expected)


def select_cases(command, random, dtype, n, turn):
    """Half of the options each turn."""
    name = f"{dtype} n={n}"
    data = values(random, dtype, n, False)
    data[random.integers(0, 3, n) == 0] = 0
    flags = random.integers(0, 2, n).astype(bool)
    numpy.save("in.npy", data)
    if dtype.startswith("int"):  # bytes of which any bit counts
        numpy.save("flags.npy", flags.astype("uint8") << random.integers(0, 8, n).astype("uint8"))
    else:
        numpy.save("flags.npy", flags)
    skipped = run(command, "select", "in.npy", "-o", "out.npy")
    if skipped:
        print(f"SKIPPED select {name}: {skipped}")
        return
    compare("select " + name, "out.npy", data[data != 0])
    if turn % 2:
        run(command, "select", "--indices", "in.npy", "-o", "out.npy")
        compare("select --indices " + name, "out.npy", numpy.flatnonzero(data))
        run(command, "select", "--flags", "flags.npy", "in.npy", "-o", "out.npy")
        compare("select --flags " + name, "out.npy", data[flags])
        run(command, "select", "--flags", "flags.npy", "--indices", "in.npy", "-o", "out.npy")
        compare("select --flags --indices " + name, "out.npy", numpy.flatnonzero(flags))
    else:
        wanted = (data > 0) & (numpy.arange(n) % 3 != 1)
        run(command, "select", "--where", "x > 0 && i % 3 != 1", "in.npy", "-o", "out.npy")
        compare("select --where " + name, "out.npy", data[wanted])
        run(command, "partition", "--flags", "flags.npy", "in.npy", "-o", "out.npy")
        compare("partition " + name, "out.npy", numpy.concatenate([data[flags], data[~flags]]))
        run(command, "select", "--indices", "--where", "x > 0 && i % 3 != 1", "in.npy", "-o",
            "out.npy")
        compare("select --indices --where " + name, "out.npy", numpy.flatnonzero(wanted))
        run(command, "partition", "--where", "x > 0 && i % 3 != 1", "in.npy", "-o", "out.npy")
        compare("partition --where " + name, "out.npy",
                numpy.concatenate([data[wanted], data[~wanted]]))
        run(command, "partition", "in.npy", "-o", "out.npy")
        compare("partition by nonzero " + name, "out.npy",
                numpy.concatenate([data[data != 0], data[data == 0]]))
    runs = numpy.repeat(data, random.integers(1, 9, n))[:n]
    heads = numpy.flatnonzero(numpy.concatenate([[True] * min(n, 1), runs[1:] != runs[:-1]]))
    numpy.save("in.npy", runs)
    run(command, "unique", "in.npy", "-o", "out.npy", "--counts", "counts.npy")
    compare("unique " + name, "out.npy", runs[heads])
    compare("unique --counts " + name, "counts.npy", numpy.diff(numpy.append(heads, n)))
    run(command, "unique", "in.npy", "-o", "out.npy")
    compare("unique alone " + name, "out.npy", runs[heads])


def sort_cases(command, random, dtype, n, turn):
    """Keys, keys with values, and indices, one of them descending."""
    name = f"{dtype} n={n}"
    data = values(random, dtype, n, False)
    if dtype.startswith("float"):
        data[random.integers(0, 5, n) == 0] = numpy.nan
        data[random.integers(0, 5, n) == 0] = -0.0
        data[random.integers(0, 5, n) == 0] = 0.0
    elif turn % 2:
        data = data % 7
    order = numpy.argsort(data, kind="stable")
    numpy.save("in.npy", data)
    numpy.save("values.npy", numpy.arange(n, dtype="int16"))
    skipped = run(command, "sort", "--values", "values.npy", "--values-out", "moved.npy", "in.npy",
                  "-o", "out.npy")
    if skipped:
        print(f"SKIPPED sort {name}: {skipped}")
        return
    compare("sort " + name, "out.npy", data[order])
    compare("sorted values " + name, "moved.npy", numpy.arange(n, dtype="int16")[order])
    run(command, "argsort", "in.npy", "-o", "out.npy")
    compare("argsort " + name, "out.npy", order)
    if dtype.startswith("int"):
        run(command, "argsort", "--descending", "in.npy", "-o", "out.npy")
        compare("argsort --descending " + name, "out.npy", numpy.argsort(~data, kind="stable"))
    if n > 0:
        topk_case(command, name, data, order)


def topk_case(command, name, data, order):
    """The least elements are what argsort gives first; so are the greatest of integers."""
    k = min(len(data), 100)
    run(command, "topk", "--k", str(k), "--least", "in.npy", "-o", "out.npy", "--indices",
        "indices.npy")
    compare("topk --least " + name, "out.npy", data[order[:k]])
    compare("topk --least --indices " + name, "indices.npy", order[:k])
    if data.dtype.kind == "i":
        run(command, "topk", "--k", str(k), "in.npy", "--indices", "indices.npy")
        compare("topk " + name, "indices.npy", numpy.argsort(~data, kind="stable")[:k])


def segmented_sort_case(command, random, dtype, n):
    """Segments, some of them empty, by a stable sort of the keys and then of their segments."""
    data = values(random, dtype, n, False)
    cuts = numpy.sort(random.integers(0, n + 1, n // 50))
    offsets = numpy.concatenate(([0], cuts, [n])).astype("int32")
    segments = numpy.repeat(numpy.arange(len(offsets) - 1), numpy.diff(offsets))
    order = numpy.lexsort((data, segments))
    numpy.save("in.npy", data)
    numpy.save("offsets.npy", offsets)
    name = f"segments of {dtype} n={n}"
    run(command, "sort", "--offsets", "offsets.npy", "in.npy", "-o", "out.npy")
    compare("sort of " + name, "out.npy", data[order])
    run(command, "argsort", "--offsets", "offsets.npy", "in.npy", "-o", "out.npy")
    compare("argsort of " + name, "out.npy", order)


def merge_cases(command, random, dtype, n):
    """Merges and searches of arrays with many equal elements, NaNs and zeros of both signs."""
    name = f"{dtype} n={n}"
    arrays = []
    for count in (n, n // 3 + 1):
        data = values(random, dtype, count, False)
        if dtype.startswith("float"):
            data = (data * random.integers(0, 50, count)).astype(dtype)
            data[random.integers(0, 9, count) == 0] = numpy.nan
        elif count % 2:
            data = data % 50
        arrays.append(data)
    a, b = (numpy.sort(data, kind="stable") for data in arrays)
    numpy.save("a.npy", a)
    numpy.save("b.npy", b)
    numpy.save("needles.npy", arrays[1])
    skipped = run(command, "merge", "a.npy", "b.npy", "-o", "out.npy")
    if skipped:
        print(f"SKIPPED merge {name}: {skipped}")
        return
    compare("merge " + name, "out.npy", numpy.sort(numpy.concatenate((a, b)), kind="stable"))
    run(command, "searchsorted", "a.npy", "needles.npy", "-o", "out.npy")
    compare("searchsorted " + name, "out.npy", numpy.searchsorted(a, arrays[1]))
    run(command, "searchsorted", "a.npy", "needles.npy", "-o", "lower.npy", "--upper", "out.npy")
    compare("searchsorted --upper " + name, "out.npy",
            numpy.searchsorted(a, arrays[1], side="right"))
    run(command, "searchsorted", "--right", "a.npy", "needles.npy", "-o", "out.npy")
    compare("searchsorted --right " + name, "out.npy",
            numpy.searchsorted(a, arrays[1], side="right"))


def rank_case(command, random, dtype, n, kind, head_is_given):
    """keys[i] is where element i stands, so that the list is argsort of it."""
    keys = random.permutation(n) if kind == "random" else numpy.arange(n)
    if kind == "reversed":
        keys = keys[::-1]
    order = numpy.argsort(keys)
    links = numpy.full(n, -1, dtype=dtype)
    links[order[:-1]] = order[1:]
    numpy.save("next.npy", links)
    words = ["--head", str(order[0])] if head_is_given and n else []
    run(command, "rank", *words, "next.npy", "-o", "rank.npy")
    compare(f"rank {dtype} {kind} n={n}", "rank.npy",
            keys.astype(dtype))
    run(command, "order", *words, "next.npy", "-o", "order.npy")
    compare(f"order {dtype} {kind} n={n}", "order.npy",
            order.astype(dtype))
    data = random.integers(-1000, 1000, n, dtype="int64")
    sums = numpy.empty_like(data)
    sums[order] = numpy.cumsum(data[order])
    numpy.save("values.npy", data)
    run(command, "listscan", *words, "--inclusive", "--values", "values.npy", "next.npy", "-o",
        "sums.npy")
    compare(f"listscan {dtype} {kind} n={n}", "sums.npy", sums)


def no_edge(dtype):
    dtype = numpy.dtype(dtype)
    return numpy.inf if dtype.kind == "f" else numpy.iinfo(dtype).max // 2


def lengths(random, dtype, shape, least=1, most=999):
    """Whole numbers; every third pair has no edge."""
    drawn = random.integers(least, most, shape, endpoint=True).astype(dtype)
    return numpy.where(random.integers(0, 3, shape) == 0, numpy.array(no_edge(dtype), dtype), drawn)


def as_lengths(numbers, dtype):
    """Infinity becomes the type's "no edge", which a float can't hold for int64."""
    finite = numpy.where(numpy.isinf(numbers), 0, numbers).astype(dtype)
    return numpy.where(numpy.isinf(numbers), numpy.array(no_edge(dtype), dtype), finite)


def product(a, b):
    """The least sums and the lowest k of each, -1 where there is no edge."""
    none = no_edge(a.dtype)
    sums = a[:, :, None].astype("float64") + b[None, :, :].astype("float64")
    sums[(a[:, :, None] >= none) | (b[None, :, :] >= none)] = numpy.inf
    least = sums.min(axis=1)
    lowest = numpy.where(numpy.isinf(least), -1, sums.argmin(axis=1)).astype("int32")
    return as_lengths(least, a.dtype), lowest


def minplus_case(command, random, dtype, m, n, k):
    """int32 of all lengths that can be."""
    limits = (-2**29, 2**29 - 1) if dtype == "int32" else (1, 999)
    a, b = lengths(random, dtype, (m, k), *limits), lengths(random, dtype, (k, n), *limits)
    numpy.save("a.npy", a)
    numpy.save("b.npy", b)
    least, lowest = product(a, b)
    name = f"minplus {dtype} {m} * {k} * {n}"
    skipped = run(command, "minplus", "a.npy", "b.npy", "-o", "c.npy", "--argmin", "k.npy")
    if skipped:
        print(f"SKIPPED {name}: {skipped}")
        return
    compare(name, "c.npy", least)
    compare(name + " argmin", "k.npy", lowest)
    if dtype.startswith("int"):
        refused_lengths(command, random, a, b)


def refused_lengths(command, random, a, b):
    """One length next to what can be, or the type's least or greatest."""
    info = numpy.iinfo(a.dtype)
    for matrix in (a, b):
        wrong = matrix.copy()
        at = tuple(int(random.integers(0, size)) for size in matrix.shape)
        wrong[at] = random.choice(numpy.array([info.min, info.min // 4 - 1, info.max // 4 + 1,
                                               info.max // 2 - 1, info.max // 2 + 1, info.max]))
        numpy.save("a.npy", wrong if matrix is a else a)
        numpy.save("b.npy", wrong if matrix is b else b)
        words = ("minplus", "a.npy", "b.npy", "-o", "c.npy")
        result = subprocess.run([command, *words], stderr=subprocess.PIPE, text=True)
        if result.returncode != 1 or f"element {at} is {wrong[at]};" not in result.stderr:
            sys.exit(f"FAILED {' '.join(words)}: exit status {result.returncode}, not the refusal "
                     f"of element {at} = {wrong[at]}: {result.stderr}")


def paths_case(command, random, dtype, n):
    d = lengths(random, dtype, (n, n))
    numpy.save("d.npy", d)
    closed = numpy.where(d >= no_edge(dtype), numpy.inf, d.astype("float64"))
    numpy.fill_diagonal(closed, 0)
    for k in range(n):
        closed = numpy.minimum(closed, closed[:, k : k + 1] + closed[k : k + 1, :])
    name = f"paths {dtype} n={n}"
    skipped = run(command, "paths", "d.npy", "-o", "c.npy", "--via", "via.npy", "--stats")
    if skipped:
        print(f"SKIPPED {name}: {skipped}")
        return
    compare(name, "c.npy", as_lengths(closed, dtype))
    via = numpy.load("via.npy")
    far = ~numpy.isinf(closed) & ~numpy.eye(n, dtype=bool)
    if (via[~far] != -1).any():
        sys.exit(f"FAILED {name}: a vertex before none")
    i, j = numpy.nonzero(far)
    v = via[i, j]
    if not (closed[i, v] + d[v, j] == closed[i, j]).all():
        sys.exit(f"FAILED {name}: a vertex before that is not on a shortest path")


def all_scans(command, random, most):
    """In the long tier each type with each size, order and kind of scan, else they take turns."""
    sizes = (1000, 100003, 0, 1)
    for turn, dtype in enumerate(TYPES):
        for k, n in enumerate(sizes if LONG or turn % 3 == 0 else ()):
            for ordered in (False, True):
                if LONG:
                    scan_cases(command, random, dtype, n, ordered, range(3))
                elif k == turn % 4 and ordered == (turn // 2 % 2 == 1):
                    scan_cases(command, random, dtype, n, ordered, [turn])
    for turn, dtype in enumerate(TYPES):
        if dtype in (("uint8", "int32", "float32", "int64") if LONG else ("uint8", "float32")):
            scan_cases(command, random, dtype, most, turn % 2 == 0, range(3) if LONG else [turn])
    operator_cases(command, random)
    small_scans(command)
    bool_cases(command, random, 1000)
    print("scans agree", flush=True)
    for dtype in TYPES if LONG else ("int8", "float64"):
        reduce_cases(command, random, dtype, 3001)
    for dtype in ("int8", "int32") if LONG else ("int32",):
        segment_cases(command, random, dtype, 30011)
    large_cases(command)
    print("reductions agree", flush=True)
    for turn, dtype in enumerate(TYPES if LONG else ("uint8", "float32")):
        histogram_cases(command, random, dtype, 5000 + turn % 2)
    for dtype in TYPES[:-1] if LONG else ("int8", "uint8", "float32"):
        edge_cases(command, random, dtype, 200 if LONG else 15)
    print("histograms agree", flush=True)
    for dtype in TYPES + ["bool"] if LONG else ("bool", "int16", "float64"):
        jagged_cases(command, random, dtype, 10007)
    endless_cases(command, random)
    print("parents, gather and scatter agree", flush=True)


def all_passes(command, random, most):
    """The types of the short tier have one byte to eight, and are of each kind."""
    for turn, dtype in enumerate(TYPES):
        if LONG or dtype in ("int8", "uint32", "float64"):
            n = (1000, 100003, 0, 1, 65537)[turn % 5]
            select_cases(command, random, dtype, n, turn)
        if LONG or dtype in ("int16", "uint8", "float32"):
            sort_cases(command, random, dtype, (100003, 0, 1000, 1)[turn % 4], turn)
        if LONG or dtype in ("uint16", "int64", "float32", "float64"):
            merge_cases(command, random, dtype, (100003, 0, 1000, 1)[turn % 4])
        if dtype.startswith("float"):
            continue
        if LONG or dtype in ("int16", "uint32", "int64"):
            interval_case(command, random, dtype, (100003, 1, 1000, 0)[turn % 4])
    for dtype in ("int32", "uint8") if LONG else ("int32",):
        segmented_sort_case(command, random, dtype, 50000)
    for turn in range(2 if LONG else 1):
        select_cases(command, random, "uint32", most // 5, turn)
    interval_case(command, random, "uint32", most // 5)
    print("selections, sorts, merges and offsets agree", flush=True)


def all_ranks(command, random, most):
    turn = 0
    for kind in ("random", "ordered", "reversed"):
        for n in (1, 2, 1000, 100003, 0, most):
            for dtype in ("int32", "int64"):
                for head_is_given in (False, True):
                    turn += 1
                    if LONG or turn % 8 in (0, 3):
                        rank_case(command, random, dtype, n, kind, head_is_given)
    print("ranks agree", flush=True)


def all_products(command, random):
    sizes = ((1, 1, 1), (3, 130, 7), (97, 65, 33), (128, 64, 16))
    for dtype in ("int32", "float32", "int64", "float64"):
        for m, n, k in sizes if LONG else sizes[1:3]:
            if LONG or dtype == "int32":
                minplus_case(command, random, dtype, m, n, k)
        for n in (1, 2, 65, 150) if LONG else (1, 65):
            if LONG or dtype == "int32":
                paths_case(command, random, dtype, n)
    print("products and paths agree", flush=True)


def main():
    command = os.path.abspath(sys.argv[1])
    most = int(sys.argv[2]) if len(sys.argv) > 2 else 10**7 if LONG else 10**6
    random = numpy.random.default_rng(1)
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        all_passes(command, random, most)
        all_scans(command, random, most)
        all_ranks(command, random, most)
        all_products(command, random)
        os.chdir("/")
    print(f"scan, rank, minplus and paths agree with NumPy {numpy.__version__} up to n = {most}")


if __name__ == "__main__":
    main()
