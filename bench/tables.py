# SPDX-License-Identifier: MIT
"""Markdown tables of measured rows: a suite's whole ones, or the short ones of the README."""

import math
import re

LEAST_N = 10**4
# What the short document shows at every size: all rows of a suite, or one subject and its plot.
BY_SIZE_SUITES = ("list", "list_steps", "textbook")
BY_SIZE_SUBJECTS = {("scan", "int32 add excl"), ("list_steps", "ranks"),
                    ("minplus", "float32")}
# What the short document leaves to the others: on any device, and on a CPU besides.
WHOLE_ONLY = ("list_faults", "calls", "bwt")
WHOLE_ONLY_ON_CPUS = ("list_steps", "listscan", "forest")
# Of list ranking: the rows that are no step, and the order of those that are.
WHOLE_RUNS = ("whole", "whole, no report")
STEPS = ("alone", "head", "walk", "sublists", "sort", "place", "check")


def count_text(n):
    for base, least in ((10, 3), (2, 7)):
        exponent = round(math.log(n, base)) if n > 0 else 0
        if exponent >= least and base**exponent == n:
            return f"{base}^{exponent}"
    return str(n)


def seconds_text(seconds):
    for unit, scale in (("µs", 1e-6), ("ms", 1e-3), ("s", 1)):
        value = seconds / scale
        if value < 999.5 or unit == "s":
            digits = max(0, 2 - int(math.floor(math.log10(value)))) if value > 0 else 0
            return f"{value:.{min(digits, 2)}f} {unit}"


def ratio_text(over, under):
    if over <= 0 or under <= 0:
        return "-"
    return f"{over / under:.2f}" if over >= 0.1 * under else f"{over / under:.2g}"


def shown_sizes(rows):
    """All but the smallest, which show launch times only; the textbook's tables are whole, as the
    seeds' are."""
    sizes = sorted({row["n"] for row in rows})
    if rows[0]["suite"] in ("textbook", "minplus"):
        return sizes
    return [n for n in sizes if n >= LEAST_N] or sizes


def table(title, rows, cell, label):
    sizes = shown_sizes(rows)
    lines = [f"| {title} | " + " | ".join(count_text(n) for n in sizes) + " |"]
    lines.append("|---" * (len(sizes) + 1) + "|")
    named = {}
    for row in rows:
        named.setdefault(label(row), {})[row["n"]] = cell(row)
    for name, cells in named.items():
        lines.append(f"| {name} | " + " | ".join(cells.get(n, "") for n in sizes) + " |")
    return lines + [""]


def own_label(rows):
    """What tells the library's rows apart: the method too, where one subject has several."""
    methods = {}
    for row in rows:
        methods.setdefault((row["name"], row["n"]), set()).add(row["method"])
    if all(len(found) == 1 for found in methods.values()):
        return lambda row: row["name"]
    return lambda row: f"{row['name']}, {row['method']}"


def library_label(row):
    by_method = row["library"] == "textbook" or row["suite"] == "list_steps"
    return row["method"] if by_method else row["library"]


def against_copy(row):
    share = ratio_text(row["copy_seconds"], row["seconds"])
    return f"{seconds_text(row['seconds'])} ({share})"


def bandwidth(row):
    attained = row["bytes"] / row["seconds"] * 1e-12
    share = ratio_text(row["copy_seconds"], row["seconds"])
    return f"{seconds_text(row['seconds'])}, {attained:.2f} TB/s ({share})"


def with_copy(rows):
    """A row for the copy that each size was compared with: what the device attains at best."""
    copies = {}
    for row in rows:
        copies.setdefault(row["n"], {**row, "library": "a copy", "method": "a copy",
                                     "seconds": row["copy_seconds"]})
    return list(copies.values()) + rows


def against_serial(row):
    times = ratio_text(row["serial_seconds"], row["seconds"])
    return f"{seconds_text(row['seconds'])} ({times} x)"


def against_both(row):
    times = ratio_text(row["serial_seconds"], row["seconds"])
    share = ratio_text(row["copy_seconds"], row["seconds"])
    times = times if times == "-" else f"{times} x"
    return f"{seconds_text(row['seconds'])} ({times}, {share})"


def against_good(row):
    return f"{seconds_text(row['seconds'])} ({ratio_text(row['seconds'], row['good_seconds'])})"


SUITES = {
    "scan": ("scan: time (share of a copy of the same bytes)", against_copy),
    "list": ("list ranking: time (times as fast as plain C)", against_serial),
    "listscan": ("list scan: time (times as fast as plain C, share of a copy of the same bytes)",
                 against_both),
    "forest": ("ranks and heads of a forest: time (times as fast as plain C, share of a copy)",
               against_both),
    "list_faults": ("what is no list, and lists made against the hash: time (times a good list's)", against_good),
    "minplus": ("min-plus: time (share of the arithmetic in registers alone)", against_copy),
    "bwt": ("inverting a text: time of the ranking (times as fast as plain C)", against_serial),
}


def suite_title(suite):
    return SUITES.get(suite, (f"{suite}: time (share of a copy of the same bytes)", against_copy))


def beside_table(suite, name, beside):
    """One subject, a line for each library: the first method of ours."""
    first = next((row["method"] for row in beside if row["library"] == "clprims"), None)
    beside = [row for row in beside if row["library"] != "clprims" or row["method"] == first]
    compared = {row["n"] for row in beside if row["library"] != "clprims"}
    beside = [row for row in beside if row["n"] in compared]
    if name.startswith("002"):
        return table(f"{name}: time, bandwidth (share of a copy's)", with_copy(beside), bandwidth,
                     library_label)
    if suite == "textbook":
        return table(f"{name}: time (share of a copy)", beside, against_copy, library_label)
    return table(f"{suite}, {name}, beside others", beside, against_copy, library_label)


def steps_tables(rows):
    """A table for each way to rank: a line for each n, with k and the share of each step."""
    lines = []
    for name in dict.fromkeys(row["name"] for row in rows):
        of_name = [row for row in rows if row["name"] == name]
        found = dict.fromkeys(row["method"] for row in of_name if row["method"] not in WHOLE_RUNS)
        steps = sorted(found, key=lambda step: STEPS.index(step) if step in STEPS else len(STEPS))
        heads = [f"list ranking, {name}: n", "k", "time", "ns an element", *steps,
                 "without a report"]
        lines += ["| " + " | ".join(heads) + " |", "|---" * len(heads) + "|"]
        for n in sorted({row["n"] for row in of_name}):
            at = {row["method"]: row for row in of_name if row["n"] == n}
            whole = at["whole"]
            cells = [count_text(n), f"{whole['parts']:,}" if whole["parts"] else "-",
                     seconds_text(whole["seconds"]), f"{whole['seconds'] * 1e9 / n:.3g}"]
            for step in steps:
                seconds = at[step]["seconds"] if step in at else 0
                share = f"{100 * seconds / whole['seconds']:.0f} %"
                cells.append(f"{seconds_text(seconds)} ({share})" if seconds > 0 else "")
            cells.append(seconds_text(at["whole, no report"]["seconds"]))
            lines.append("| " + " | ".join(cells) + " |")
        lines.append("")
    return lines


def lone_table(title, rows, cell, label):
    """A line for each result."""
    subject, what = title.split(": ", 1)
    lines = [f"| {subject} | n | {what} |", "|---|---|---|"]
    return lines + [f"| {label(row)} | {count_text(row['n'])} | {cell(row)} |"
                    for row in rows] + [""]


def own_tables(title, rows, cell):
    """A column for each size; subjects whose sizes no other has stand below, a line a result."""
    names_of = {}
    for row in rows:
        names_of.setdefault(row["n"], set()).add(row["name"])
    shared = {row["name"] for row in rows if len(names_of[row["n"]]) > 1}
    label = own_label(rows)
    lone = [row for row in rows if row["name"] not in shared]
    if not shared or not lone:
        return table(title, rows, cell, label)
    return (table(title, [row for row in rows if row["name"] in shared], cell, label)
            + lone_table(title, [row for row in lone if row["n"] >= LEAST_N], cell, label))


def suite_tables(suite, rows):
    """The library's own table, then one for each subject that has other lines beside it."""
    if suite == "list_steps":
        return steps_tables(rows)
    title, cell = suite_title(suite)
    own = [row for row in rows if row["library"] == "clprims"]
    lines = []
    if own and suite != "textbook":
        lines += own_tables(title, own, cell)
    for name in compared_names(rows):
        lines += beside_table(suite, name, [row for row in rows if row["name"] == name])
    return lines


def short_tables(suite, rows):
    """The library's fastest time of each subject at its largest size, with the shares of others;
    then what is shown at every size, and the steps of a textbook that lead to a subject."""
    on_gpu = rows[0]["layer"] == "nvidia"
    if suite in WHOLE_ONLY or not on_gpu and suite in WHOLE_ONLY_ON_CPUS:
        return []
    if suite == "list_steps":
        rows = [row for row in rows if (suite, row["name"]) in BY_SIZE_SUBJECTS]
    if suite in BY_SIZE_SUITES:
        return suite_tables(suite, rows)
    title, cell = suite_title(suite)
    subject, share = re.fullmatch(r"(.*): time \((.*)\)", title).groups()
    fastest = {}
    for row in rows:
        best = fastest.get((row["name"], row["library"], row["n"]), row)
        fastest[row["name"], row["library"], row["n"]] = min(best, row,
                                                             key=lambda one: one["seconds"])
    largest = {}
    for name, library, n in fastest:
        if library == "clprims":
            largest[name] = max(n, largest.get(name, 0))
    libraries = dict.fromkeys(library for name, library, n in fastest
                              if largest.get(name) == n and library not in ("clprims", "textbook"))
    if cell is not against_copy:
        return lone_table(title, [fastest[name, "clprims", n] for name, n in largest.items()],
                          cell, lambda row: row["name"])
    heads = [subject, "n", "time", share, *libraries]
    lines = ["| " + " | ".join(heads) + " |", "|---" * len(heads) + "|"]
    for name, n in largest.items():
        own = fastest[name, "clprims", n]
        beside = [fastest.get((name, library, n)) for library in libraries]
        cells = [name, count_text(n), seconds_text(own["seconds"]), *(
            ratio_text(row["copy_seconds"], row["seconds"]) if row else ""
            for row in [own, *beside])]
        lines.append("| " + " | ".join(cells) + " |")
    lines.append("")
    for name in compared_names(rows):
        of_name = [row for row in rows if row["name"] == name]
        if (suite, name) in BY_SIZE_SUBJECTS or any(r["library"] == "textbook" for r in of_name):
            lines += beside_table(suite, name, of_name)
    return lines


def compared_names(rows):
    names = dict.fromkeys(row["name"] for row in rows)
    return [name for name in names
            if len({library_label(row) for row in rows if row["name"] == name}) > 1]
