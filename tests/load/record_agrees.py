#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""record_agrees.py FOLDER: what tests/load/record makes of an output that is written here."""
import subprocess
import sys
from pathlib import Path

RECORD = Path(__file__).resolve().parent / "record"
FOLDER = Path(sys.argv[1])
PAGE, OUTPUT = FOLDER / "load.md", FOLDER / "load.txt"


def output(device, compared, end="OK"):
    return (f"48: test_load: clprims 0.2.0, seed 7, default tier, all cases, 2026-11-20\n"
            f"48: load/plain: 600 s, 8 threads, arrays of up to 20000, seed 7, 248 MiB at the start, "
            f"290 MiB after a quarter, 299 MiB at the end, with sanitizers, on {device}, driver 3.1\n"
            f"48: scan: {compared} compared, 3 refused, 0 failed, 0 lost, 20 elements, 5 plans, 0 faults\n"
            f"48: load/plain: {compared} compared, 3 refused, 0 failed, 0 lost, 12345 elements, 5 plans, "
            f"0 faults\n48: [       {end} ] load/plain\n")


def record(text):
    OUTPUT.write_text(text)
    return subprocess.run([RECORD, "--commit", "abc1234", "--page", PAGE, OUTPUT], capture_output=True,
                          text=True)


def expect(holds, what):
    if not holds:
        sys.exit(f"{what}:\n{PAGE.read_text()}")


def main():
    PAGE.write_text("before\n\n<!-- load -->\n<!-- end of load -->\n\nbehind\n")
    for device, compared in (("a GPU", 11), ("a CPU (of 2)", 12), ("a GPU", 13)):
        made = record(output(device, compared))
        expect(made.returncode == 0, made.stderr)
    lines = PAGE.read_text().split("\n")
    expect(lines[0] == "before" and lines[-2] == "behind" and len(lines) == 11, "lines")
    expect(lines[5] == "| `load/plain` | a CPU (of 2), driver 3.1 | with sanitizers | 2026-11-20, abc1234 "
           "| 10 minutes, 8 threads, arrays of up to 20000, seed 7 | 12 | 1.23e+04 | 3 | 0 | 0 "
           "| 248, 290, 299 |", "the first row")
    expect("a GPU" in lines[6] and "| 13 |" in lines[6], "the later one of two rows stays")
    before = PAGE.read_text()
    for text in (output("a GPU", 14, "FAILED"), "", output("a GPU", 14).partition("48: [")[0]):
        made = record(text)
        expect(made.returncode != 0 and PAGE.read_text() == before, "what did not pass is refused")
    print("1 table agrees")


main()
