# SPDX-License-Identifier: MIT
"""Draws a subject against n, one line per library: the share of a copy's speed, nanoseconds per
element where there is no copy to compare with, or keys a second. Needs matplotlib."""

import collections
import hashlib
import re

from rows import count_text, is_measured, label, subjects

# Distinguishable without full colour vision (Okabe and Ito), then by dashes.
COLORS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#555555", "#b2182b")
DASHES = ("-", "--", ":")
# Lists are not compared with a copy but with plain C, whose time stands in clprims's row.
BESIDE_PLAIN_C = ("list", "listscan", "forest")
# A pass of a sort is a copy, but their number differs, so that keys a second say more.
IN_KEYS_PER_SECOND = ("sort",)

Plot = collections.namedtuple("Plot", "suite name origin per_element lines")


def line_label(row, methods):
    """clprims has one line per method where it has several, unless n chooses among them."""
    by_method = row["suite"] not in ("list_steps", *IN_KEYS_PER_SECOND)
    if row["library"] == "clprims" and methods > 1 and by_method:
        return f"clprims, {row['method']}"
    return label(row)


def plot_of(suite, name, rows):
    """What is drawn of a subject, or None: at least two lines of two sizes are worth a plot."""
    rows = sorted(filter(is_measured, rows), key=lambda row: row["library"] != "clprims")
    per_element = suite in BESIDE_PLAIN_C or not any(row["copy_seconds"] > 0 for row in rows)
    methods = len({row["method"] for row in rows if row["library"] == "clprims"})
    lines = {}
    for row in rows:
        n, line = row["n"], line_label(row, methods)
        if suite in IN_KEYS_PER_SECOND:
            lines.setdefault(line, {})[n] = n / row["seconds"] * 1e-9
        elif not per_element and row["copy_seconds"] > 0:
            lines.setdefault(line, {})[n] = row["copy_seconds"] / row["seconds"]
        elif per_element:
            lines.setdefault(line, {})[n] = row["seconds"] * 1e9 / n
            if row["serial_seconds"] > 0:
                lines.setdefault("plain C, one core", {})[n] = row["serial_seconds"] * 1e9 / n
    lines = {line: sorted(points.items()) for line, points in lines.items() if len(points) > 1}
    if len(lines) < 2:
        return None
    first = rows[0]
    origin = (f"{first['device']}, driver {first['driver']}, clprims {first['version']}"
              f" {first['commit']}, {first['date']}")
    return Plot(suite, name, origin, per_element, lines)


def plots_of(rows):
    found = (plot_of(*subject) for subject in subjects(rows))
    return [plot for plot in found if plot is not None]


def title(plot):
    return f"{plot.suite}: {plot.name}"


def file_stem(path, plot):
    """h200_scan_int32_add_excl: the device of the CSV file, suite and name."""
    return path.stem.split("_")[0] + "_" + re.sub("[^A-Za-z0-9]", "_", f"{plot.suite}_{plot.name}")


def digest(plot):
    """Stands in each drawn SVG file, which thus shows whether it is of these figures."""
    return "clprims figures " + hashlib.sha256(repr(plot).encode()).hexdigest()[:16]


def draw(plot, path):
    """Writes the plot; the ending of the path says in which format."""
    import matplotlib
    matplotlib.use("Agg")
    from matplotlib import pyplot
    matplotlib.rcParams.update({"svg.fonttype": "none", "svg.hashsalt": "clprims", "font.size": 9})
    figure, axes = pyplot.subplots(figsize=(7.6, 4.4))
    for k, (line, points) in enumerate(plot.lines.items()):
        axes.plot([n for n, _ in points], [value for _, value in points], label=line,
                  color=COLORS[k % len(COLORS)], linestyle=DASHES[k // len(COLORS) % len(DASHES)],
                  marker="o", markersize=3)
    set_axes(axes, plot)
    axes.set_title(plot.origin, fontsize=7, color="#666666", loc="left")
    figure.suptitle(title(plot), fontsize=11, fontweight="bold")
    axes.legend(loc="center left", bbox_to_anchor=(1.01, 0.5), frameon=False)
    metadata = {"Description": digest(plot), "Date": None} if path.suffix == ".svg" else None
    figure.savefig(path, bbox_inches="tight", metadata=metadata)
    pyplot.close(figure)


def unit(plot):
    if plot.suite in IN_KEYS_PER_SECOND:
        return "10^9 keys a second"
    if plot.per_element:
        return "ns per element"
    return ("share of the arithmetic alone" if plot.suite == "minplus"
            else "share of a copy of the same bytes")


def set_axes(axes, plot):
    sizes = sorted({n for points in plot.lines.values() for n, _ in points})
    axes.set_xscale("log")
    ticks = tick_sizes(sizes)
    axes.set_xticks(ticks, [count_text(n) for n in ticks])
    axes.set_xticks([], minor=True)
    axes.set_xlabel("n")
    axes.set_ylabel(unit(plot))
    axes.grid(axis="y", color="#dddddd")
    is_share = not plot.per_element and plot.suite not in IN_KEYS_PER_SECOND
    if is_share:
        axes.axhline(1, color="#888888", linewidth=0.8)
    # The first line is clprims's. Others may leave the plot at the top.
    own = [value for _, value in next(iter(plot.lines.values()))]
    if not is_share or min(own) < 0.1:
        axes.set_yscale("log")
        axes.yaxis.set_major_formatter("{x:g}")
    else:
        axes.set_ylim(0, 1.1 * max(1, *own))


def tick_sizes(sizes):
    """At most twelve sizes, powers first."""
    powers = [n for n in sizes if "^" in count_text(n)]
    chosen = powers if len(powers) > 1 else sizes
    step = -(-len(chosen) // 12)
    return chosen[::step]
