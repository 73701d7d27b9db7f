# SPDX-License-Identifier: MIT
"""The README's table: some results on the GPU and the CPU, each at its largest size, beside the
library that users would otherwise take."""

from collections import Counter

from rows import count_text, is_measured, rounded, seconds_text, share_text, times_text
from tables import commit_text, device_name, place_text

# What stands in the table: its words, the suite and the name of the result, the calls of CUB and of
# oneTBB that do it.
RESULTS = (
    ("prefix sum of int32", "scan", "int32 add excl", "DeviceScan::ExclusiveSum", "parallel_scan"),
    ("sum of float32", "reduce", "float32 add", "DeviceReduce::Sum", "parallel_reduce"),
    ("half of uint32 by a predicate", "select", "uint32 predicate 50 %", "DeviceSelect::If",
     "parallel_scan"),
    ("sort of uint32", "sort", "uint32 keys", "DeviceRadixSort::SortKeys", "parallel_sort"),
    ("ranks of a list in random order", "list", "random", "", ""),
)
BESIDE_PLAIN_C = ("list",)


def of_device(files, on_gpu):
    """The rows of all files of one device, the one that has most."""
    found = [row for rows in files for row in rows if (row["layer"] == "nvidia") == on_gpu]
    device, _ = Counter(row["device"] for row in found).most_common(1)[0]
    return [row for row in found if row["device"] == device]


def shown(rows, suite, name):
    """clprims' row at the largest size, or None."""
    compared = "serial_seconds" if suite in BESIDE_PLAIN_C else "copy_seconds"
    own = [row for row in rows
           if (row["suite"], row["name"], row["library"]) == (suite, name, "clprims")
           and is_measured(row) and row[compared] > 0]
    # The first row of a size is what AUTO chose.
    return max(own, key=lambda row: row["n"], default=None)


def beside_text(ours, rows, peer, call):
    """How many times as fast as the peer's call, or as plain C."""
    if ours["suite"] in BESIDE_PLAIN_C:
        return rounded(ours["serial_seconds"] / ours["seconds"], 2) + ", plain C on one core"
    theirs = [row for row in rows
              if (row["suite"], row["name"]) == (ours["suite"], ours["name"])
              and (row["library"], row["n"]) == (peer, ours["n"]) and is_measured(row)]
    return f"{times_text(theirs[0]['seconds'], ours['seconds'])}, `{call}`" if theirs else ""


def cells(rows, suite, name, peer, call):
    """Size, time, share of a copy, and what another library takes."""
    ours = shown(rows, suite, name)
    if ours is None:
        return ["", "", "", ""]
    share = "" if suite in BESIDE_PLAIN_C else share_text(ours["copy_seconds"], ours["seconds"])
    return [count_text(ours["n"]), seconds_text(ours["seconds"], 2), share,
            beside_text(ours, rows, peer, call)]


def peer_text(rows, peer):
    """CUB gives its version as a number: 300001 is 3.0.1."""
    version = next((row["method"] for row in rows if row["library"] == peer), "")
    if version.isdigit():
        number = int(version)
        version = f"{number // 100000}.{number // 100 % 1000}.{number % 100}"
    return f"times {peer} {version}".rstrip()


def origins_text(rows):
    """Where and when the rows that are shown were measured."""
    of_table = [shown(rows, suite, name) for _, suite, name, _, _ in RESULTS]
    commits = dict.fromkeys(commit_text(row) for row in of_table if row is not None)
    return f"{place_text(rows[0])}, {'; '.join(commits)}"


def overview(files):
    """The table's lines; files: the rows of each file that is no textbook's."""
    gpu, cpu = of_device(files, True), of_device(files, False)
    heads = ["", "n", device_name(gpu[0]), "share", peer_text(gpu, "CUB"),
             "n", device_name(cpu[0]), "share", peer_text(cpu, "oneTBB")]
    lines = ["| " + " | ".join(heads) + " |", "|---" * len(heads) + "|"]
    for words, suite, name, cub, tbb in RESULTS:
        both = cells(gpu, suite, name, "CUB", cub) + cells(cpu, suite, name, "oneTBB", tbb)
        lines.append(f"| {words} | " + " | ".join(both) + " |")
    return lines + ["", *(f"- {device_name(rows[0])}: {origins_text(rows)}"
                          for rows in (gpu, cpu)), ""]
