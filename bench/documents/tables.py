# SPDX-License-Identifier: MIT
"""Markdown tables of all measured rows, a section for each suite."""

import re

from rows import (POCL, count_text, label as library_label, seconds_text, share_text, subjects,
                  times_text)

# Smaller sizes show launch times only.
LEAST_N = 10**4
# Of list ranking: the rows that are no step, and the order of those that are.
WHOLE_RUNS = ("whole", "whole, no report")
STEPS = ("single work-group", "head", "walk", "sublists", "sort", "scatter", "check")


# ---- Cells --------------------------------------------------------------------------------------

def share_of_copy(row):
    return share_text(row["copy_seconds"], row["seconds"])


def times_plain_c(row):
    times = times_text(row["serial_seconds"], row["seconds"])
    return times if times == "-" else f"{times} x"


def time_alone(row):
    return seconds_text(row["seconds"])


def against_copy(row):
    return f"{seconds_text(row['seconds'])} ({share_of_copy(row)})"


def against_plain_c(row):
    return f"{seconds_text(row['seconds'])} ({times_plain_c(row)})"


def against_both(row):
    return f"{seconds_text(row['seconds'])} ({times_plain_c(row)}, {share_of_copy(row)})"


def against_good(row):
    return f"{seconds_text(row['seconds'])} ({share_text(row['seconds'], row['good_seconds'])})"


def bandwidth(row):
    attained = row["bytes"] / row["seconds"] * 1e-12
    return f"{seconds_text(row['seconds'])}, {attained:.2f} TB/s ({share_of_copy(row)})"


COPY = "Time (share of a copy of the same bytes)"
# The heading of a suite's section, what its cells hold, and the function that writes a cell.
SUITES = {
    "scan": ("Scan", COPY, against_copy),
    "offsets": ("Offsets", COPY, against_copy),
    "select": ("Select", COPY, against_copy),
    "reduce": ("Reduce", COPY, against_copy),
    "segmented": ("Segmented", COPY, against_copy),
    "counted": ("Counts on the device", COPY, against_copy),
    "sort": ("Sort", COPY, against_copy),
    "segmented_sort": ("Segmented sort", COPY, against_copy),
    "topk": ("Top-k", COPY, against_copy),
    "histogram": ("Histogram", COPY, against_copy),
    "merge": ("Merge", COPY, against_copy),
    "search": ("Search", COPY, against_copy),
    "jagged": ("Parents and gather", COPY, against_copy),
    "scatter": ("Scatter", COPY, against_copy),
    "map": ("Map", COPY, against_copy),
    "calls": ("Calls, as the host sees them", "Time", time_alone),
    "list": ("List ranking", "Time (times as fast as plain C on one core)", against_plain_c),
    "list_steps": ("List ranking by steps", "Time (part of the whole); k is the number of sublists",
                   None),
    "list_faults": ("Malformed and adversarial lists",
                    "Time (times that of a well-formed list of the same size)", against_good),
    "listscan": ("List scan",
                 "Time (times as fast as plain C on one core, share of a copy of the same bytes)",
                 against_both),
    "forest": ("Forests: ranks and heads",
               "Time (times as fast as plain C on one core, share of a copy of the same bytes)",
               against_both),
    "bwt": ("Inverse Burrows-Wheeler transform of a text",
            "Time of the ranking (times as fast as plain C on one core)", against_plain_c),
    "minplus": ("Min-plus products and shortest paths",
                "Time (share of the time of the arithmetic alone, in registers); n is the side",
                against_copy),
    "textbook": ("The textbook's steps", COPY, against_copy),
}


# ---- Tables -------------------------------------------------------------------------------------

def head(cells):
    return ["| " + " | ".join(cells) + " |", "|---" * len(cells) + "|"]


def shown_sizes(rows):
    """The textbook's and min-plus's tables have all sizes; others those from LEAST_N on."""
    sizes = sorted({row["n"] for row in rows})
    if rows[0]["suite"] in ("textbook", "minplus"):
        return sizes
    return [n for n in sizes if n >= LEAST_N] or sizes


def table(corner, rows, cell, label):
    """A line per label, a column per size."""
    sizes = shown_sizes(rows)
    named = {}
    for row in rows:
        if row["n"] in sizes:
            named.setdefault(label(row), {})[row["n"]] = cell(row)
    return head([corner, *map(count_text, sizes)]) + [
        f"| {name} | " + " | ".join(cells.get(n, "") for n in sizes) + " |"
        for name, cells in named.items()] + [""]


def lone_table(corner, what, rows, cell, label):
    """A line per result."""
    lines = [f"| {label(row)} | {count_text(row['n'])} | {cell(row)} |" for row in rows]
    return head([corner, "n", what]) + lines + [""] if rows else []


def own_label(rows):
    """What tells the library's rows apart: the method too, where one subject has several."""
    methods = {}
    for row in rows:
        methods.setdefault((row["name"], row["n"]), set()).add(row["method"])
    if all(len(found) == 1 for found in methods.values()):
        return lambda row: row["name"]
    return lambda row: f"{row['name']}, {row['method']}"


def with_peers(own, rows):
    """Each subject's rows of clprims, then the other libraries' rows of it at the same sizes."""
    for _, name, of_name in subjects(own):
        yield from of_name
        sizes = {row["n"] for row in of_name}
        yield from (row for row in rows if row["name"] == name and row["library"] != "clprims"
                    and row["n"] in sizes)


def suite_tables(suite, rows, cell, what):
    """A line for each subject and library, a column for each size; subjects whose sizes no other
    has stand below, a line per result."""
    own = [row for row in rows if row["library"] == "clprims"]
    names_of = {}
    for row in own:
        names_of.setdefault(row["n"], set()).add(row["name"])
    shared = {row["name"] for row in own if len(names_of[row["n"]]) > 1}
    label_own = own_label(own)

    def label(row):
        return label_own(row) if row["library"] == "clprims" else f"{row['name']}: {row['library']}"

    def cell_of(row):
        """Of list ranking other libraries' rows have no time of plain C beside them."""
        is_other_list = suite == "list" and row["library"] != "clprims"
        return time_alone(row) if is_other_list else cell(row)

    lone = [row for row in own if row["name"] not in shared and row["n"] >= LEAST_N]
    if not shared or not lone:
        return table(suite, list(with_peers(own, rows)), cell_of, label)
    of_shared = [row for row in own if row["name"] in shared]
    return (table(suite, list(with_peers(of_shared, rows)), cell_of, label)
            + lone_table(suite, what, list(with_peers(lone, rows)), cell_of, label))


def with_copy(rows):
    """A row for the copy that each size was compared with: what the device attains at best."""
    copies = {}
    for row in rows:
        copies.setdefault(row["n"], {**row, "library": "a copy", "method": "a copy",
                                     "seconds": row["copy_seconds"]})
    return list(copies.values()) + rows


def beside_table(name, rows, cell):
    """One subject, a line for each library: of clprims the first method, which AUTO chose."""
    first = next((row["method"] for row in rows if row["library"] == "clprims"), None)
    rows = [row for row in rows if row["library"] != "clprims" or row["method"] == first]
    compared = {row["n"] for row in rows if row["library"] != "clprims"}
    rows = [row for row in rows if row["n"] in compared]
    if name.startswith("002"):
        return table(f"{name}, with bandwidth", with_copy(rows), bandwidth, library_label)
    return table(name, rows, cell, library_label)


def steps_table(name, rows):
    """A way to rank: a line for each n, with k and the time of each step."""
    found = dict.fromkeys(row["method"] for row in rows if row["method"] not in WHOLE_RUNS)
    steps = sorted(found, key=lambda step: STEPS.index(step) if step in STEPS else len(STEPS))
    lines = head([f"{name}: n", "k", "time", "ns per element", *steps, "without a report"])
    for n in sorted({row["n"] for row in rows}):
        at = {row["method"]: row for row in rows if row["n"] == n}
        whole = at["whole"]
        cells = [count_text(n), f"{whole['parts']:,}" if whole["parts"] else "-",
                 seconds_text(whole["seconds"]), f"{whole['seconds'] * 1e9 / n:.3g}"]
        for step in steps:
            seconds = at[step]["seconds"] if step in at else 0
            share = f"{100 * seconds / whole['seconds']:.0f} %"
            cells.append(f"{seconds_text(seconds)} ({share})" if seconds > 0 else "")
        cells.append(seconds_text(at["whole, no report"]["seconds"]))
        lines.append("| " + " | ".join(cells) + " |")
    return lines + [""]


def suite_section(suite, rows):
    """One table of a suite; of the textbook one for each subject that others were measured with."""
    title, what, cell = SUITES.get(suite, (suite.capitalize(), COPY, against_copy))
    lines = [f"### {title}", "", f"{what}.", ""]
    if suite == "list_steps":
        for _, name, of_name in subjects(rows):
            lines += steps_table(name, of_name)
        return lines
    if suite != "textbook":
        return lines + suite_tables(suite, rows, cell, what)
    for _, name, of_name in subjects(rows):
        if len({library_label(row) for row in of_name}) > 1:
            lines += beside_table(name, of_name, against_copy)
    return lines


def device_name(row):
    """PoCL puts its name of the processor first: cpu-haswell-Intel Core."""
    if row["platform"] != POCL:
        return row["device"]
    return "PoCL on " + re.sub(r"^(cpu|pthread)-[a-z0-9-]*-(?=[A-Z0-9])", "", row["device"])


def place_text(row):
    return f"{row['platform']}, driver {row['driver']}, layer {row['layer']}"


def commit_text(row):
    return f"clprims {row['version']} at {row['commit'] or 'no commit'}, {row['date']}"


def origin_text(row):
    """Where and when a file was measured."""
    return f"{place_text(row)}, {commit_text(row)}"


def device_section(path, rows):
    """All tables of a file."""
    lines = [f"## {device_name(rows[0])}", "", f"{origin_text(rows[0])} (`bench/results/{path.name}`).",
             ""]
    for suite in dict.fromkeys(row["suite"] for row in rows):
        lines += suite_section(suite, [row for row in rows if row["suite"] == suite])
    return lines
