# SPDX-License-Identifier: MIT
"""The table of what clprims takes on a device whose work-groups are not known to progress, beside the
single passes of the same device."""

from rows import count_text, seconds_text, times_text
from tables import device_name, head, origin_text


def single_passes(rows):
    """The newest row of clprims itself by suite, name, n and device."""
    newest = {}
    for row in rows:
        key = (row["suite"], row["name"], row["n"], row["device"])
        if row["library"] == "clprims" and row["date"] >= newest.get(key, row)["date"]:
            newest[key] = row
    return newest


def without_progress(path, rows, others):
    """A section of a file of --probed progress=failed; others: the rows of all other files."""
    beside = single_passes(others)
    lines = [f"## Without progress of other work-groups, on {device_name(rows[0])}", "",
             f"{origin_text(rows[0])} (`bench/results/{path.name}`), beside the single passes of the "
             "tables above.", ""]
    lines += head(["", "n", "Without progress", "Single pass", "Times as long"])
    for row in rows:
        pair = beside.get((row["suite"], row["name"], row["n"], row["device"]))
        cells = [f"{row['suite']} {row['name']}", count_text(row["n"]),
                 f"{seconds_text(row['seconds'])} ({row['method']})"]
        cells += ([f"{seconds_text(pair['seconds'])} ({pair['method']}, {pair['date']})",
                   times_text(row["seconds"], pair["seconds"])] if pair else ["-", "-"])
        lines.append("| " + " | ".join(cells) + " |")
    return lines + [""]
