# SPDX-License-Identifier: MIT
"""Why another library is faster, where the figures of a row alone do not tell."""

import collections
from fnmatch import fnmatchcase

# Of rows: the device or platform, library, name and size, as patterns of the shell, and the suite.
Known = collections.namedtuple("Known", "where library suite name sizes why")

POCL = "Portable Computing Language"
PLAIN_LOOP = "plain C on one core"
# Linux moves the threads of longer calls apart.
SHORT_SECONDS = 3e-3
NO_SLOWER = 1.02

KNOWN = [Known(*row) for row in (
    ("NVIDIA H200", "Thrust", "search", "uint32, sorted needles", "2^16",
     "since that run two work-items find the two ends of a tile: 12.7 µs for 15.2 on an H100"),
    ("NVIDIA H100*", "Thrust", "search", "uint32, sorted needles among 16 times as many", "2^20",
     "a launch of its own finds where tiles begin, some 4 µs"),
    ("NVIDIA H100*", "CUB", "merge", "uint32, one array before the other", "2^24",
     "CUB takes the same two launches; 1.3 µs are not explained"),
    (POCL, "*", "scan", "*", "2^16", "one work-item takes so few elements"),
    (POCL, "*", "offsets", "*", "2^16", "one work-item takes so few elements"),
    (POCL, "plain C", "segmented", "uint32 to int32 by key, *", "*",
     "the kernels read the keys twice, the loop once"),
    (POCL, "oneTBB", "sort", "uint32 keys sorted", "*", "oneTBB notices that the keys are in order"),
    (POCL, "oneTBB", "sort", "uint32 keys alike", "*", "oneTBB notices that the keys are in order"),
    (POCL, "oneTBB", "sort", "uint32 keys reversed", "*",
     "oneTBB sorts reversed keys 9 times as fast as random ones"),
    (POCL, "plain C", "histogram", "uint32, 2^22 bins", "2^20",
     "each work-item has counters of its own, four for each element"),
    (POCL, PLAIN_LOOP, "listscan", "*", "10^5",
     "one work-item walks the list as the loop does, and then copies what it found"),
    (POCL, PLAIN_LOOP, "listscan", "*", "10^6",
     "the loop reads such a list in the order of the memory; ranking takes the same steps for any"),
)]


def known_reason(row, library, size):
    """The sentence of the first line of KNOWN that fits, or "" if there is none."""
    for known in KNOWN:
        on = known.where
        if ((fnmatchcase(row["device"], on) or fnmatchcase(row["platform"], on))
                and fnmatchcase(library, known.library) and known.suite == row["suite"]
                and fnmatchcase(row["name"], known.name) and fnmatchcase(size, known.sizes)):
            return known.why
    return ""


def threads_reason(row, other):
    """PoCL's threads share a core in most short calls: bench/results/scan_notes.md."""
    if row["platform"] != POCL:
        return ""
    if 0 < row["seconds_least"] <= NO_SLOWER * other["seconds_least"] and row is not other:
        return "clprims's best run is no slower; in others PoCL's threads shared a core"
    if row["seconds"] < SHORT_SECONDS:
        return "PoCL's threads share a core in calls this short"
    return ""
