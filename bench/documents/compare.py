# SPDX-License-Identifier: MIT
"""Compares the rows of clprims in two runs on one device, as of two versions."""

import collections
import statistics

from rows import count_text, is_measured, seconds_text


def own_rows(rows):
    return {(row["suite"], row["name"], row["method"], row["n"]): row
            for row in rows if row["library"] == "clprims" and is_measured(row)}


def compared(old_rows, new_rows):
    """Lines: each suite's median ratio of new to old time, and the rows that became slower by more
    than both runs' ranges: each of the new times is above each of the old ones."""
    old, new = own_rows(old_rows), own_rows(new_rows)
    both = [key for key in old if key in new]
    ratios = collections.defaultdict(list)
    for key in both:
        ratios[key[0]].append(new[key]["seconds"] / old[key]["seconds"])
    lines = [f"{len(both)} rows in both; new time over old, median by suite:"]
    lines += [f"  {suite}: {statistics.median(found):.3f} ({len(found)} rows)"
              for suite, found in ratios.items()]
    slower = sorted((old[key]["seconds"] / new[key]["seconds"], key) for key in both
                    if new[key]["seconds_least"] > old[key]["seconds_most"])
    lines.append(f"{len(slower)} rows slower, and each of their times above each old one:")
    lines += [f"  {suite}, {name}, {method}, {count_text(n)}: "
              f"{seconds_text(old[suite, name, method, n]['seconds'])}, now "
              f"{seconds_text(new[suite, name, method, n]['seconds'])}"
              for _, (suite, name, method, n) in slower]
    return lines
