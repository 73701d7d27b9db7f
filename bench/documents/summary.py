# SPDX-License-Identifier: MIT
"""Says in words where clprims is faster than other libraries, where slower, and why."""

import collections
import statistics

from reasons import known_reason
from rows import POCL, SERIAL, count_text, is_measured, times_text

# Shorter calls are mostly launch time.
LAUNCH_SECONDS = 15e-6
# The caches of one processor core hold this much.
CACHED_BYTES = 1 << 20
# From this share of a copy's speed on, memory leaves little to gain.
BOUND_SHARE = 0.8
# Timers do not agree better: a smaller difference is neither faster nor slower.
LEVEL = 0.02
# In shorter calls PoCL's threads often share a core: bench/results/scan_notes.md.
SHORT_SECONDS = 3e-3

ON_DEVICE = ("CUB", "Thrust", "Boost.Compute")

Comparison = collections.namedtuple("Comparison", "library row own times")


def comparisons(rows):
    """clprims's first row of each subject and size, which AUTO chose, with each other library's.
    The time of plain C stands in the row itself for lists."""
    rows = [row for row in rows if is_measured(row)]
    own = {}
    for row in rows:
        if row["library"] == "clprims":
            own.setdefault((row["suite"], row["name"], row["n"]), row)
    for row in rows:
        ours = own.get((row["suite"], row["name"], row["n"]))
        if ours is None:
            continue
        if row["library"] != "clprims":
            yield Comparison(row["library"], row, ours, row["seconds"] / ours["seconds"])
        elif row is ours and row["serial_seconds"] > 0:
            yield Comparison(SERIAL, row, ours, row["serial_seconds"] / ours["seconds"])


def subject_text(it):
    if it.library == "textbook":
        return f"{it.row['name']}, {it.row['method']}"
    return f"{it.row['suite']} {it.row['name']}"


def size_text(it):
    return f"{count_text(it.row['n'])} ({times_text(it.times, 1)} x)"


def best_text(it):
    return f"{times_text(it.times, 1)} x with {subject_text(it)}, n = {count_text(it.row['n'])}"


def is_on_host(it):
    if it.library == "textbook":
        return it.row["method"].startswith("CPU")
    return it.library not in ON_DEVICE


def threads_reason(it):
    if it.own["platform"] != POCL:
        return ""
    best = it.own["seconds_least"]
    if it.row is not it.own and 0 < best <= (1 + LEVEL) * it.row["seconds_least"]:
        return "the fastest run of clprims is no slower; PoCL's threads may share a core in others"
    if it.own["seconds"] < SHORT_SECONDS:
        return "PoCL's threads often share a core in so short a call"
    return ""


def reason(it):
    """Why the other library is faster, as far as the figures and reasons.py tell."""
    if it.own["seconds"] < LAUNCH_SECONDS:
        return ": launch time dominates"
    if is_on_host(it) and it.row["bytes"] < CACHED_BYTES:
        return ": the data fit the host's caches"
    if not is_on_host(it) and it.own["copy_seconds"] / it.own["seconds"] >= BOUND_SHARE:
        return ": both are bound by memory"
    why = known_reason(it.own, it.library) or threads_reason(it)
    return f": {why}" if why else ""


def slower_lines(slower):
    """A line for each subject and reason."""
    found = {}
    for it in slower:
        found.setdefault((subject_text(it), reason(it)), []).append(size_text(it))
    return [f"    {subject}, n = {', '.join(sizes)}{why}" for (subject, why), sizes in found.items()]


def is_slower(it):
    return it.times < 1 - LEVEL


def unexplained(rows):
    """(subject, size, library) of each row in which a library is faster and nothing says why."""
    return [(subject_text(it), size_text(it), it.library) for it in comparisons(rows)
            if is_slower(it) and not reason(it)]


def library_lines(library, found):
    found.sort(key=lambda it: it.times)
    slower = [it for it in found if is_slower(it)]
    level = [it for it in found if 1 - LEVEL <= it.times <= 1 + LEVEL]
    faster = len(found) - len(slower) - len(level)
    name = "the textbook's steps" if library == "textbook" else library
    line = f"Beside {name}: clprims is faster in {faster} of {len(found)} results"
    if faster > 0:
        median = times_text(statistics.median_high(it.times for it in found), 1)
        line += f" (median {median} x, best {best_text(found[-1])})"
    if level:
        line += f", level in {len(level)}"
    if slower:
        line += f", slower in {len(slower)}"
    return [line + (":" if slower else "."), *slower_lines(slower)]


def summary(rows):
    found = {}
    for it in comparisons(rows):
        found.setdefault(it.library, []).append(it)
    return [line for library, its in found.items() for line in library_lines(library, its)]
