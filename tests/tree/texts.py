#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""texts.py PRINT_PROGRAMS CL FOLDER: fails where a program of the kernels that the library holds differs
from that of the files in CL, other than by comments: each character keeps its line and column."""
import functools
import os
import re
import subprocess
import sys
from pathlib import Path

KINDS = {"nvidia": 0, "subgroups": 2, "cpu": 5}  # of fake_kind, one of each layer


def print_programs(command, folder, kind, **environment):
    folder.mkdir(parents=True, exist_ok=True)
    for old in folder.glob("*.cl"):
        old.unlink()
    subprocess.run([command, folder, str(kind)], check=True, env={**os.environ, **environment})
    return {path.name: path.read_text() for path in folder.glob("*.cl")}


@functools.lru_cache(maxsize=None)
def without_comments(text):
    text = re.sub(r"/\*.*?\*/", lambda comment: re.sub(r"[^\n\\]", " ", comment.group()), text, flags=re.S)
    return re.sub(r" +$", "", text, flags=re.M)


def main():
    command, cl, folder = sys.argv[1:]
    compared, bytes_held, bytes_read, failed = 0, 0, 0, False
    for name, kind in KINDS.items():
        held = print_programs(command, Path(folder) / name / "held", kind)
        read = print_programs(command, Path(folder) / name / "read", kind, CLPRIMS_CL_DIR=cl)
        for program in sorted(held.keys() | read.keys()):
            parts, files = (re.split(r"^(?=#line 1 )", texts.get(program, ""), flags=re.M) for texts in (held, read))
            for part, file in zip(parts, files):
                if without_comments(part) != without_comments(file):
                    print(f"{name}: {program} differs behind {file[:80].splitlines()[0]}")
                    failed = True
            failed |= len(parts) != len(files)
        compared += len(held)
        bytes_held += sum(map(len, held.values()))
        bytes_read += sum(map(len, read.values()))
    print(f"{compared} programs, {bytes_held} bytes of the library, {bytes_read} of {cl}")
    return 1 if failed or bytes_held == bytes_read else 0


sys.exit(main())
