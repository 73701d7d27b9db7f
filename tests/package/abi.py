#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""abi.py [--write] [COMPILER]: what programs that were built with the headers rely on is as stored.

tests/package/abi holds the size of each public structure and the offsets of its members
(layouts.txt), and libabigail's description of the functions (libclprims.abi, libclprims-mpi.abi).
Both come from the headers: layouts from a program, descriptions from a library whose functions have
the headers' types and no bodies. symbols.declared checks that the real libraries export the same
names. --write renews the three files, which is right where calls, structures, or members at the end
of a structure have been added; from 1.0 on nothing else is."""
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from shutil import which

from declared import Headers, without_comments

ROOT = Path(__file__).resolve().parents[2]
STORED = Path(__file__).resolve().parent / "abi"
# Which of the MPIs is installed does not matter.
MPI = "typedef struct clprims_any_mpi *MPI_Comm;\n"

PROGRAM = """%s
#include <stddef.h>
#include <stdio.h>
#define MEMBER(structure, name) printf(" %%s:%%zu", #name, offsetof(structure, name))
int main(void) {
%s
    return 0;
}
"""


def includes(names):
    return "\n".join(f"#include <clprims/{name}>" for name in names)


def members(body):
    """The names that a structure's body declares."""
    return [re.search(r"(\w+)\s*(?:\[[^]]*\]\s*)?$", name).group(1)
            for member in body.split(";") if member.strip() for name in member.split(",")]


def layouts_program(names):
    lines = []
    for name in names:
        text = without_comments((ROOT / "include/clprims" / name).read_text())
        for body, structure in re.findall(r"typedef struct \w+ \{([^}]*)\} (clprims_\w+);", text):
            lines.append(f'    printf("{structure} %zu:", sizeof({structure}));')
            lines += [f"    MEMBER({structure}, {member});" for member in members(body)]
            lines.append("    puts(\"\");")
    return PROGRAM % (includes(names), "\n".join(lines))


def bodies(names):
    """A library of the headers' functions, which are never called."""
    out = [includes(names)]
    for name in names:
        text = without_comments((ROOT / "include/clprims" / name).read_text())
        for result, call in re.findall(r"^CLPRIMS_API\s+((?:[^;{(]*\W)?)(clprims_\w+\([^;{]*\));", text, re.M):
            out.append(f"{result.replace('CLPRIMS_CHECKED', '')}{call} {{ __builtin_trap(); }}")
    return "\n".join(out) + "\n"


class Files:
    def __init__(self, work, compiler):
        self.work, self.compiler = work, compiler
        (work / "mpi.h").write_text(MPI)

    def compile(self, text, name, *flags):
        source = self.work / f"{name}.c"
        source.write_text(text)
        subprocess.run([self.compiler, "-std=c11", "-I", ROOT / "include", "-I", self.work, *flags, source,
                        "-o", self.work / name], check=True)
        return self.work / name

    def layouts(self, names):
        program = self.compile(layouts_program(names), "layouts")
        return subprocess.run([program], check=True, capture_output=True, text=True).stdout

    def library(self, names, name):
        script = f"-Wl,--version-script={ROOT / 'src/clprims.map'}"
        return self.compile(bodies(names), name, "-g", "-shared", "-fPIC", "-Wl,-soname," + name, script)


def moved(old, new):
    """What a program may have been built with and is not there any more."""
    now = {line.split()[0]: line.split()[2:] for line in new.splitlines()}
    for name, _, *places in map(str.split, old.splitlines()):
        found = now.get(name)
        if found is None:
            yield f"{name} is gone"
        elif found[:len(places)] != places:
            yield f"{name} had {' '.join(places)}; now {' '.join(found)}"


def check_layouts(files, names, write):
    path, new = STORED / "layouts.txt", files.layouts(names)
    old = path.read_text() if path.exists() else ""
    faults = list(moved(old, new))
    if write:
        path.write_text(new)
    elif not faults and old != new:
        faults = ["structures or members were added"]
    print("\n".join(faults) or f"{len(new.splitlines())} layouts are as stored")
    return bool(faults) and not write


def check_library(files, names, name, write):
    if not which("abidw"):
        print(f"SKIPPED {name}: abidw of abigail-tools is not installed")
        return False
    path, library = STORED / f"{name}.abi", files.library(names, name)
    about = ["--no-corpus-path", "--no-comp-dir-path", "--no-show-locs", "--no-elf-needed",
             "--type-id-style", "hash", "--drop-undefined-syms"]
    if write:
        subprocess.run(["abidw", *about, "--out-file", path, library], check=True)
        return False
    return subprocess.run(["abidiff", "--no-architecture", path, library]).returncode != 0


def main():
    words = [word for word in sys.argv[1:] if word != "--write"]
    write = len(words) < len(sys.argv) - 1
    names = sorted(path.name for path in (ROOT / "include/clprims").glob("*.h"))
    with tempfile.TemporaryDirectory() as work:
        files = Files(Path(work), words[0] if words else "cc")
        changed = check_layouts(files, names, write)
        changed |= check_library(files, [name for name in names if name != "mpi.h"], "libclprims", write)
        changed |= check_library(files, ["mpi.h"], "libclprims-mpi", write)
    if changed:
        print("If nothing that programs were built with has changed: tests/package/abi.py --write")
    return changed


sys.exit(main())
