#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""fake_launches.py PROGRAM [write | print PLAN]: compares what devices of each kind are given with
fake_launches.txt, where a change of a default, a tuning line or a launch shows which plans it
reaches. PROGRAM is fake_launches of the build.

An entry is a plan, then a line for each kind of device, or for several that are given the same: a
digest of all that PROGRAM prints, and the launches of the first run, the largest.

write: records what there is. print PLAN: prints all of it for the plans whose names match, so that
two builds can be compared."""
import difflib
import fnmatch
import hashlib
import re
import subprocess
import sys
from pathlib import Path

RECORD = Path(__file__).with_suffix(".txt")
SHOWN = 6  # launches
# By their numbers in fake_opencl.h.
KINDS = {0: "nvidia", 1: "ampere", 2: "subgroups-gpu", 3: "subgroups-cpu", 4: "gpu", 5: "cpu", 12: "small-gpu"}


def summary(text):
    first = text.find(b"\nrun ") + 1
    run = text[first:text.find(b"\nrun ", first)].decode()
    launches = re.findall(r"^launch clp_(\S+) (\S+)$", run, re.MULTILINE)
    digest = hashlib.sha256(text).hexdigest()[:8]
    shown = [f"{kernel} {shape}" for kernel, shape in launches[:SHOWN]]
    return f"{digest} " + ", ".join(shown + [f"{len(launches) - SHOWN} more"] * (len(launches) > SHOWN))


def record_of(plans):
    lines = []
    for plan, texts in plans.items():
        kinds = {}
        for kind, text in texts:
            kinds.setdefault(summary(text), []).append(KINDS[kind])
        lines += [plan, *(f"  {' '.join(names)}: {what}" for what, names in kinds.items())]
    return [line + "\n" for line in lines]


def main():
    program, what = sys.argv[1], sys.argv[2:]
    printed = subprocess.run([program], check=True, stdout=subprocess.PIPE).stdout
    plans = {}
    for part in (b"\n" + printed).split(b"\nplan ")[1:]:
        head, _, text = part.partition(b"\n")
        kind, plan = head.decode().split()
        plans.setdefault(plan, []).append((int(kind), text))
    if what[:1] == ["print"]:
        for plan, texts in plans.items():
            for kind, text in texts if fnmatch.fnmatch(plan, what[1]) else ():
                print(f"plan {plan} on {KINDS[kind]}\n{text.decode()}")
        return 0
    found = record_of(plans)
    if what == ["write"]:
        RECORD.write_text("".join(found))
        return 0
    recorded = RECORD.read_text().splitlines(keepends=True)
    differences = list(difflib.unified_diff(recorded, found, RECORD.name, "this build", n=1))
    if differences:
        sys.stdout.writelines(differences[:60])
        print(f"{len(differences)} lines differ; if they should, record them: fake_launches.py {program} write")
    return 1 if differences else 0


if __name__ == "__main__":
    sys.exit(main())
