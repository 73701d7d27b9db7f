# SPDX-License-Identifier: MIT
"""Reads the CSV files that clprims-bench writes, and gives names and numbers their text."""

import csv
import math
import re

NUMBERS = ("seconds", "seconds_least", "seconds_most", "seconds_spread", "wall_seconds",
           "copy_seconds", "serial_seconds", "bytes")
COUNTS = ("n", "parts", "runs")

POCL = "Portable Computing Language"
SERIAL = "plain C on one core"


class BadFile(Exception):
    """A file that clprims-bench has not written; the message says why."""


def read(path):
    """The rows as dictionaries, numbers converted; a column that the file lacks is 0 or ""."""
    try:
        with open(path, newline="", encoding="utf-8") as file:
            reader = csv.DictReader(file)
            if (reader.fieldnames or [])[:2] != ["suite", "name"]:
                raise BadFile(f"{path} is not a CSV file of clprims-bench")
            rows = [converted(path, reader, row) for row in reader]
    except (OSError, UnicodeDecodeError) as error:
        raise BadFile(f"can't read {path}: {error}") from error
    add_good_seconds(rows)
    return rows


def converted(path, reader, row):
    if None in row or None in row.values():
        raise BadFile(f"{path}, line {reader.line_num}: not {len(reader.fieldnames)} fields")
    try:
        numbers = {name: float(row.get(name) or 0) for name in NUMBERS}
        counts = {name: int(row.get(name) or 0) for name in COUNTS}
    except ValueError as error:
        raise BadFile(f"{path}, line {reader.line_num}: {error}") from error
    texts = {name: row.get(name) or "" for name in ("method", "device", "driver", "platform",
                                                    "layer", "version", "commit", "date")}
    library = row.get("library") or "clprims"
    texts["variant"] = ""
    if library == "clprims":
        # Since 0.2 "lookahead: single-wave": an algorithm has one line, whatever its variants.
        texts["method"], _, texts["variant"] = texts["method"].partition(": ")
    return {**row, **texts, **numbers, **counts, "library": library}


def add_good_seconds(rows):
    """The time of the well-formed list beside each malformed one: "list scan, rho" is compared
    with "list scan, good list"."""
    good = {(row["n"], row["name"]): row["seconds"] for row in rows}
    for row in rows:
        subject = "".join(re.findall(r"^(?:list scan|forest), ", row["name"]))
        row["good_seconds"] = good.get((row["n"], subject + "good list"), 0)


def is_measured(row):
    return row["verdict"] == "equal" and row["seconds"] > 0 and row["n"] > 0


def subjects(rows):
    """(suite, name, rows) of each subject, in the order of the file."""
    found = {}
    for row in rows:
        found.setdefault((row["suite"], row["name"]), []).append(row)
    return [(suite, name, of_subject) for (suite, name), of_subject in found.items()]


def label(row):
    """Who did it: a library, or the method of a textbook's step or of a step of list ranking."""
    by_method = row["library"] == "textbook" or row["suite"] == "list_steps"
    return row["method"] if by_method else row["library"]


# ---- Text ---------------------------------------------------------------------------------------

def count_text(n):
    """10^6, 2^20, or the digits."""
    for base, least in ((10, 3), (2, 7)):
        exponent = round(math.log(n, base)) if n > 0 else 0
        if exponent >= least and base**exponent == n:
            return f"{base}^{exponent}"
    return str(n)


def rounded(value, digits):
    """So many significant digits, without an exponent."""
    if value <= 0:
        return "0"
    decimals = digits - 1 - math.floor(math.log10(value))
    value = round(value, decimals)
    # 9.96 has become 10.0, which has one digit more.
    decimals = digits - 1 - math.floor(math.log10(value))
    return f"{value:.{max(0, decimals)}f}"


def seconds_text(seconds, digits=3):
    for unit, scale in (("µs", 1e-6), ("ms", 1e-3), ("s", 1)):
        text = rounded(seconds / scale, digits)
        if float(text) < 1000 or unit == "s":
            return f"{text} {unit}"


def share_text(over, under):
    """Two decimals, or two digits of what is less than 0.1."""
    if over <= 0 or under <= 0:
        return "-"
    return f"{over / under:.2f}" if over >= 0.1 * under else rounded(over / under, 2)


def times_text(over, under):
    """How many times: two decimals near 1, else two digits."""
    if over <= 0 or under <= 0:
        return "-"
    times = over / under
    return f"{times:.2f}" if 0.1 <= times < 2 else rounded(times, 2)
