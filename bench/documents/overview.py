# SPDX-License-Identifier: MIT
"""The README's table: some results on the GPU and the CPU, each at its largest size, beside the
library that users would otherwise take."""

from collections import Counter

from rows import count_text, is_measured, rounded, seconds_text, share_text
from tables import commit_text, device_name, place_text

# What stands in the table: its words, the suite and the name of the result.
RESULTS = (
    ("prefix sum of int32", "scan", "int32 add excl"),
    ("prefix sum of int8", "scan", "int8 add excl"),
    ("prefix sum of float64", "scan", "float64 add excl"),
    ("scan of pairs by a custom operator", "scan", "affine maps excl"),
    ("sum of float32, the same bits everywhere", "reduce", "float32 add"),
    ("sums of float32 by offsets, 8 a segment", "segmented", "float32 sums, segments of 8"),
    ("sort uint32", "sort", "uint32 keys"),
    ("sort uint64", "sort", "uint64 keys"),
    ("histogram of uint32, 256 bins", "histogram", "uint32, 256 bins"),
    ("offsets from int32 intervals", "offsets", "int32 intervals"),
    ("select half of uint32 by a predicate", "select", "uint32 predicate 50 %"),
    ("select half of uint32 by flags", "select", "uint32 flags 50 %"),
    ("first of each run of uint32, 8 per run", "select", "uint32 unique 8"),
    ("rank a list in random order", "list", "random"),
    ("prefix sum of int64 along that list", "listscan", "random int64 add excl"),
    ("ranks and heads of 1000 lists", "forest", "10^3 lists"),
    ("min-plus product of float32", "minplus", "float32"),
    ("all shortest paths, float32", "minplus", "float32, paths"),
)
BESIDE_PLAIN_C = ("list", "listscan", "forest")


def of_device(files, on_gpu):
    """The rows of all files of one device, the one that has most."""
    found = [row for rows in files for row in rows if (row["layer"] == "nvidia") == on_gpu]
    device, _ = Counter(row["device"] for row in found).most_common(1)[0]
    return [row for row in found if row["device"] == device]


def size_text(row):
    return f"{row['n']} x {row['n']}" if row["suite"] == "minplus" else count_text(row["n"])


def compared_text(row):
    """What the time is compared with differs: a copy, plain C, or arithmetic alone."""
    if row["suite"] in BESIDE_PLAIN_C:
        return rounded(row["serial_seconds"] / row["seconds"], 2) + " x plain C"
    return share_text(row["copy_seconds"], row["seconds"])


def shown(rows, suite, name):
    """clprims' row at the largest size, or None."""
    compared = "serial_seconds" if suite in BESIDE_PLAIN_C else "copy_seconds"
    own = [row for row in rows
           if (row["suite"], row["name"], row["library"]) == (suite, name, "clprims")
           and is_measured(row) and row[compared] > 0]
    # The first row of a size is what AUTO chose.
    return max(own, key=lambda row: row["n"], default=None)


def cells(rows, suite, name, peer):
    """Size, time, what it is compared with, and the peer's share."""
    ours = shown(rows, suite, name)
    if ours is None:
        return ["", "", "", ""]
    theirs = [row for row in rows
              if (row["suite"], row["name"]) == (suite, name)
              and (row["library"], row["n"]) == (peer, ours["n"])
              and is_measured(row)]
    return [size_text(ours), seconds_text(ours["seconds"], 2), compared_text(ours),
            compared_text(theirs[0]) if theirs else ""]


def origins_text(rows):
    """Where and when the rows that are shown were measured."""
    of_table = [shown(rows, suite, name) for _, suite, name in RESULTS]
    commits = dict.fromkeys(commit_text(row) for row in of_table if row is not None)
    return f"{place_text(rows[0])}, {'; '.join(commits)}"


def overview(files):
    """The table's lines; files: the rows of each file that is no textbook's."""
    gpu, cpu = of_device(files, True), of_device(files, False)
    heads = ["", "n", device_name(gpu[0]), "share", "CUB", "n", device_name(cpu[0]), "share",
             "oneTBB"]
    lines = ["| " + " | ".join(heads) + " |", "|---" * len(heads) + "|"]
    for words, suite, name in RESULTS:
        both = cells(gpu, suite, name, "CUB") + cells(cpu, suite, name, "oneTBB")
        lines.append(f"| {words} | " + " | ".join(both) + " |")
    return lines + ["", *(f"- {device_name(rows[0])}: {origins_text(rows)}"
                          for rows in (gpu, cpu)), ""]
