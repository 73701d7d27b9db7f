# SPDX-License-Identifier: MIT
"""Why another library is faster, where the columns of a row do not tell. The notes in bench/results
have the measurements."""

import collections
from fnmatch import fnmatchcase

from rows import POCL, SERIAL, count_text

# The suite of a row, and shell patterns of its device or platform, of the library that is faster, of
# the row's name and of its size.
Known = collections.namedtuple("Known", "where library suite name size why")

NEARLY_IN_ORDER = ("ordered", "reversed", "blocks", "zig-zag")

KNOWN = [Known(*row) for row in (
    ("NVIDIA H200", "Thrust", "search", "uint32, sorted needles", "2^16",
     "one work-item searched for both ends of a tile in that run; two do now (12.7 µs for 15.3 on an H100)"),
    ("NVIDIA H100*", "Thrust", "search", "uint32, sorted needles among 16 times as many", "2^20",
     "clprims splits the arrays into tiles by a launch of its own, some 4 µs"),
    ("NVIDIA H100*", "CUB", "merge", "uint32, one array before the other", "2^24",
     "CUB has the same two launches; the difference of 1.3 µs is not explained"),
    (POCL, "*", "scan", "*", "2^16", "one work-item takes so few elements"),
    (POCL, "*", "offsets", "*", "2^16", "one work-item takes so few elements"),
    (POCL, "oneTBB", "reduce", "int8 add", "2^20",
     "half of the difference remains with POCL_AFFINITY=1, and is not explained"),
    (POCL, "plain C", "segmented", "uint32 to int32 by key, *", "*",
     "clprims reads the keys twice, plain C once"),
    (POCL, "oneTBB", "sort", "uint32 keys sorted", "*", "oneTBB notices that the keys are in order"),
    (POCL, "oneTBB", "sort", "uint32 keys alike", "*", "oneTBB notices that the keys are in order"),
    (POCL, "oneTBB", "sort", "uint32 keys reversed", "*",
     "oneTBB sorts reversed keys 9 times as fast as random ones"),
    (POCL, "plain C", "histogram", "uint32, 2^22 bins", "2^20",
     "each work-item has counters of its own, four for each element"),
    (POCL, SERIAL, "listscan", "*", "10^5",
     "one work-item walks the list as plain C does, and then copies the result"),
    *((POCL, SERIAL, "listscan", f"{order} *", "10^6",
       "plain C reads such a list nearly in the order of the memory; clprims takes the same steps for any order")
      for order in NEARLY_IN_ORDER),
)]


def known_reason(row, library):
    """The reason of the first line of KNOWN that fits, or "" if there is none."""
    for known in KNOWN:
        if (known.suite == row["suite"] and fnmatchcase(library, known.library)
                and any(fnmatchcase(row[place], known.where) for place in ("device", "platform"))
                and fnmatchcase(row["name"], known.name)
                and fnmatchcase(count_text(row["n"]), known.size)):
            return known.why
    return ""
