# SPDX-License-Identifier: MIT
"""The table of what GPUs of other vendors may expect: one device's local layers beside its own."""

from rows import count_text, seconds_text, share_text, times_text
from tables import device_name, head, place_text

LAYERS = ("nvidia", "local", "local, progress=failed")


def cell_of(row, own):
    """The time, its share of a copy, and how many times NVIDIA's layer takes it."""
    if row is None:
        return "-"
    notes = [share_text(row["copy_seconds"], row["seconds"])]
    if own is not None and row is not own:
        notes.append(f"{times_text(row['seconds'], own['seconds'])} x")
    return f"{seconds_text(row['seconds'])} ({', '.join(notes)})"


def any_gpu(path, rows):
    """A section of a file with rows of LAYERS."""
    commits = ", ".join(dict.fromkeys(row["commit"] for row in rows))
    lines = [f"## What other GPUs may expect, by the local layer of {device_name(rows[0])}", "",
             f"{place_text(rows[0]).rpartition(',')[0]}, at {commits} (`bench/results/{path.name}`). "
             "In brackets the share of a copy of the same bytes, and how many times NVIDIA's layer "
             "takes it.", ""]
    lines += head(["", "n", "NVIDIA's layer", "Local layer", "Local layer without progress"])
    found = {}
    for row in rows:
        found.setdefault((row["suite"], row["name"], row["n"]), {})[row["layer"]] = row
    for (suite, name, n), by_layer in found.items():
        own = by_layer.get(LAYERS[0])
        cells = [f"{suite} {name}", count_text(n)]
        cells += [cell_of(by_layer.get(layer), own) for layer in LAYERS]
        lines.append("| " + " | ".join(cells) + " |")
    return lines + [""]
