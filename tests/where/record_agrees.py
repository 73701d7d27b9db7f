#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""record_agrees.py FOLDER: what tests/where/record makes of outputs that are written here."""
import csv
import os
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
POCL = "on a CPU (of two cores) (Portable Computing Language, OpenCL 3.0 PoCL HSTR: x, driver 3.1+deb)"
INTEL = "on I(R) P (Intel(R) OpenCL, OpenCL 3.1 (Build 0), driver 2026.1_2)"
H200 = "on NVIDIA H200 (NVIDIA CUDA, OpenCL 3.0 CUDA, driver 580.1)"
INFO = """* device 0: NVIDIA H200
    made by   NVIDIA Corporation
    platform  NVIDIA CUDA, OpenCL 3.0 CUDA, driver 580.1
    memory    139 GiB, at most 35 GiB in one piece; 132 compute units
    layer     nvidia: the probe ran right
    scan      int32: lookahead, groups of 448, tiles of 8192; persistent groups

  device 1: a CPU (of two cores)
    layer     local: local: the probe ran right
"""


def run(test, on, passed, failed=0, skipped=0, cases="all", date="2026-11-20", ended=True):
    """What a test program prints."""
    text = f"test_{test}: clprims 0.2.0, seed 1, default tier, {cases} cases, {date}\n"
    text += f"[==========] Running 9 test(s).\n{on}, layer local: the probe ran right\n" if on else ""
    return text + (f"cases: {passed} passed, {failed} failed, {skipped} skipped\nprograms: 7\n"
                   if ended else "")


def case(name, text, status="run"):
    text = text.replace("&", "&amp;").replace("<", "&lt;")
    return f'<testcase name="{name}" status="{status}"><system-out>{text}</system-out></testcase>\n'


def xml(*cases):
    return ('<?xml version="1.0" encoding="UTF-8"?>\n<testsuite timestamp="2026-11-19T09:14:31">\n'
            + "".join(cases) + "</testsuite>\n")


class Steps:
    def __init__(self, folder):
        self.folder = folder
        self.runs, self.page = folder / "runs.csv", folder / "README.md"
        self.page.write_text((HERE / "README.md").read_text())
        self.runs.unlink(missing_ok=True)
        self.faults = 0

    def record(self, *words):
        return subprocess.run([sys.executable, HERE / "record", *words], cwd=self.folder,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                              env={**os.environ, "CLPRIMS_RUNS": str(self.runs),
                                   "CLPRIMS_RUNS_PAGE": str(self.page)})

    def takes(self, text, *options):
        (self.folder / "said").write_text(text)
        done = self.record(*options, "said")
        self.expect(done.returncode, 0, done.stdout)

    def refuses(self, why, text, *options):
        (self.folder / "said").write_text(text)
        done = self.record(*options, "said")
        self.expect((done.returncode != 0, why in done.stdout), (True, True), done.stdout)

    def expect(self, found, expected, where):
        if found != expected:
            print(f"{where}: {found}, not {expected}")
            self.faults += 1

    def expect_row(self, device, test, **expected):
        with self.runs.open() as stored:
            rows = [row for row in csv.DictReader(stored)
                    if row["device"] == device and row["test"] == test]
        self.expect(len(rows), 1, f"rows of {test} on {device}")
        for key, value in expected.items():
            self.expect(rows[0][key] if rows else None, value, f"{key} of {test} on {device}")

    def expect_no(self, test):
        self.expect(test in self.runs.read_text(), False, f"a row of {test}")


def main(folder):
    folder = Path(folder) / "where"
    folder.mkdir(parents=True, exist_ok=True)
    steps = Steps(folder)
    commit = ("--commit", "0123456789ab")
    steps.takes(xml(case("scan", run("scan", POCL, 90, 0, 2)), case("words", "well"),
                    case("sort", run("sort", POCL, 5, ended=False), "fail"),
                    case("list.oclgrind", run("list", "on O (Oclgrind, OpenCL 1.2 x, driver O)", 3)),
                    case("list", run("list", "", 4)),
                    case("sort.rusticl", run("sort", "on L (rusticl, OpenCL 3.0 , driver 22)", 3)),
                    case("sort.intel.local", run("sort", INTEL, 6)),
                    case("core", run("core", POCL, 8, 1), "fail")), *commit)
    cpu = "a CPU (of two cores)"
    steps.expect_row(cpu, "scan", platform="Portable Computing Language", driver="3.1+deb",
                     layer="local", tier="default", passed="90", failed="0", skipped="2",
                     commit="0123456789ab", date="2026-11-20")
    steps.expect_row(cpu, "sort", passed="0", failed="1")
    steps.expect_row(cpu, "core", passed="8", failed="1")
    steps.expect_row("L", "sort", platform="rusticl", passed="3")
    steps.expect_row("I(R) P", "sort", platform="Intel(R) OpenCL", driver="2026.1_2", passed="6")
    for test in ("words", "list", "sort.rusticl"):
        steps.expect_no(test)
    # A log of several programs, the last of which was ended; chosen cases do not replace all.
    steps.takes(INFO + run("scan", H200, 70) + run("sort", H200, 6, date="2026-11-21")
                + run("list", H200, 0, ended=False), *commit)
    steps.expect_row("NVIDIA H200", "info", layer="nvidia", says="lookahead",
                     date="2026-11-20")
    steps.expect_row("NVIDIA H200", "list", passed="0", failed="1")
    steps.takes(run("scan", POCL, 1, cases="chosen") + run("scan", H200, 71), *commit)
    steps.expect_row(cpu, "scan", passed="90")
    steps.expect_row("NVIDIA H200", "scan", passed="71")
    steps.expect(steps.record("--check").returncode, 0, "--check")
    steps.page.write_text(steps.page.read_text().replace("| 71 |", "| 72 |"))
    steps.expect(steps.record("--check").returncode, 1, "--check of a changed page")
    steps.refuses("--commit names", run("scan", POCL, 1))
    steps.refuses("--commit names", run("scan", POCL, 1), "--commit", "0123456789ab-dirty")
    steps.refuses("no run of a test program", "nothing", *commit)
    return 1 if steps.faults else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
