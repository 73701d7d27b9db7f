#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""layers.py ROOT: reads the #includes of src, tests and bench, and the functions and parts of cl,
and fails where one layer leans on another that it must not know.

    src      cli, mpi -> public headers;  once -> public headers and core;
             cli, mpi -> what SHARED lists besides;
             a primitive -> engine -> plan -> core -> store
    cl       a primitive -> engine -> tile -> device
             no primitive -> another, but for LEANS_ON of rooms.py
    tests and bench -> public headers, each other's own, and the private headers listed here

It also checks that no folder has more than 25 files and that file names are unique."""
import re
import sys
from collections import defaultdict
from pathlib import Path

sys.dont_write_bytecode = True  # nothing is left in the source tree
from rooms import LEANS_ON  # noqa: E402

MOST_FILES = 25
ROOT = Path(sys.argv[1]).resolve()
PRIMITIVES = re.search(r"set\(CLPRIMS_PRIMITIVES ([^)]*)\)",
                       (ROOT / "CMakeLists.txt").read_text()).group(1).split()
# The public headers of a room that has more than its own.
PUBLIC = {"jagged": {"parents", "gather", "scatter"}, "list": {"list", "listscan", "forest"},
          "merge": {"merge", "search"}}
# What a room of src may include besides itself, core.h and the system's headers.
MAY_INCLUDE = {"store": set(), "core": {"store"}, "plan": {"core"}, "engine": {"core", "plan"}, "once": {"core"},
               "blocks": {"core", "plan"},
               **{name: {"core", "plan", "engine", *LEANS_ON.get(name, ())} for name in PRIMITIVES}}
# Private headers of libclprims that its users in src may include, for their inline functions alone.
SHARED = {"core/device.h": "one rule for the names of devices",
          "minplus/minplus_limits.h": "one rule for the limits of lengths"}
# The rooms of src that may include every public header.
ABOVE_PRIMITIVES = {"cli", "mpi", "once"}
# Which rooms of cl may be used by a room of cl, or named by one of src.
BELOW = {"device": set(), "tile": {"device"}, "engine": {"tile", "device"},
         "blocks": {"engine", "tile", "device", *LEANS_ON["blocks"]},
         **{name: {"engine", "tile", "device", *LEANS_ON.get(name, ())} for name in PRIMITIVES}}
# Private headers of the library that test programs and the benchmark may include, and why.
PRIVATE = {
    "core/test_hooks.h": "what tests and the benchmark may ask of the library",
    "core/knobs.h": "the fuzzer draws every knob",
    "engine/single_pass_knobs.h": "the same",
    "core/context.h": "tests of the layers and of warm-ups look at what a context found",
    "core/device.h": "the same",
    "core/layer.h": "the same",
    "core/launch.h": "a test forgets a kernel's argument",
    "core/tuning.h": "tests of tuning lines read the shipped ones",
    "core/program.h": "tests that make OpenCL calls fail empty the cache of programs",
    "core/status.h": "messages of failed OpenCL calls",
    "sort/sort_plan.h": "the fuzzer draws every knob",
    "segmented_sort/segments_plan.h": "the same",
    "topk/topk_plan.h": "the same",
    "histogram/histogram_plan.h": "the same",
    "merge/merge_plan.h": "the same",
    "store/compress.h": "tests compress bytes that no assembler makes",
    "store/entry.h": "tests write entries of another format",
    "once/once_plans.h": "tests of what a context keeps look at its list",
    "mpi/grid/mpi_grid.h": "tests make panels narrow",
    "mpi/mpi_digest.h": "a test changes each member of each description",
    "mpi/mpi_shared.h": "tests want more memory than there is",
    "mpi/mpi_staging.h": "tests make messages small, the benchmark measures an exchange",
    "mpi/list/mpi_list.h": "tests make the last level of a list small",
    "list/list_engine.h": "tests/sizes compares sizes of arrays with what runs take",
}
# Functions that a lower part of cl calls and each primitive defines.
PROVIDED = {
    "clp_op": "the operator", "clp_op_wide": "the same of vectors",
    "clp_op_unchecked_wide": "the same without a check for faults",
    "clp_input": "the input expression", "clp_stored": "what is stored of a result",
    "clp_fault_among": "whether an input is a fault",
    "clp_report_segment": "what a segment reports besides its outputs",
    "clp_report_count": "what a run reports of a count on the device",
    "clp_scan_tiles": "what the scanning sub-groups of a look-ahead do",
    "clp_read_rows": "what its reducing sub-groups read",
    "clp_put": "a macro or a function of the room's own",
}


def rooms(folder):
    return sorted(p for p in folder.iterdir() if p.is_dir())


def includes(path):
    return re.findall(r'^#include ["<]([^">]+)[">]', path.read_text(), re.M)


def check_src(root, fail):
    for room in rooms(root / "src"):
        for path in sorted(room.rglob("*.[ch]")):
            for name in includes(path):
                if name.startswith("clprims/"):
                    stem = Path(name).stem
                    allowed = PUBLIC.get(room.name, {room.name}) | {"core"}
                    if room.name not in ABOVE_PRIMITIVES and stem not in allowed:
                        fail(path, f"{room.name} includes <{name}>")
                elif "/" in name and (root / "src" / name).exists():
                    other = name.split("/")[0]
                    if room.name in ("cli", "mpi") and name in SHARED:
                        continue
                    if other != room.name and other not in MAY_INCLUDE.get(room.name, set()):
                        fail(path, f"{room.name} includes \"{name}\"")


def check_users(root, fail):
    for top in ("tests", "bench"):
        for path in sorted((root / top).rglob("*.[ch]")):
            for name in includes(path):
                if (root / "src" / name).exists() and name not in PRIVATE:
                    fail(path, f"{top} includes the private header \"{name}\"")


def defined_functions(text):
    """Names that the text defines as functions."""
    return set(re.findall(r"^[A-Za-z][\w \t*]*?[ *](clp_\w+)\([^;{]*\)\s*\{", text, re.M))


def without_comments(text):
    return re.sub(r"/\*.*?\*/", "", text, flags=re.S)


def check_cl(root, fail):
    texts = {p: without_comments(p.read_text()) for p in sorted((root / "cl").glob("*/*.cl"))}
    owners = defaultdict(set)
    for path, text in texts.items():
        for name in defined_functions(text):
            owners[name].add(path.parent.name)
    for path, text in texts.items():
        room = path.parent.name
        for name in sorted(set(re.findall(r"\b(clp_\w+)\(", text))):
            if name in PROVIDED or not owners[name] or room in owners[name]:
                continue
            if not owners[name] & BELOW[room]:
                fail(path, f"{room} calls {name} of {', '.join(sorted(owners[name]))}")
    parts = {path.stem: path.parent.name for path in texts}
    for path in sorted((root / "src").rglob("*.[ch]")):
        room = path.parent.name
        allowed = {"core": {"device"}}.get(room, BELOW.get(room, set()) | {room})
        for stem in re.findall(r"&clp_(\w+)_cl\b", path.read_text()):
            if parts[stem] not in allowed:
                fail(path, f"{room} takes a part of cl/{parts[stem]}")


def check_folders(root, fail):
    seen = {}
    for top in ("include", "src", "cl", "tests", "bench"):
        files = [p for p in sorted((root / top).rglob("*"))
                 if p.is_file() and "__pycache__" not in p.parts and "results" not in p.parts]
        counts = defaultdict(int)
        for path in files:
            counts[path.parent] += 1
            if path.suffix not in (".c", ".h", ".cl") or "include" in path.parts:
                continue
            if "textbook" in path.parts:
                continue
            if path.name in seen:
                fail(path, f"has the name of {seen[path.name]}")
            seen[path.name] = path.relative_to(root)
        for folder, count in counts.items():
            if count > MOST_FILES:
                fail(folder, f"has {count} files, more than {MOST_FILES}")


def main():
    found = []
    for check in (check_src, check_users, check_cl, check_folders):
        check(ROOT, lambda path, what: found.append(f"{path.relative_to(ROOT)}: {what}"))
    print("\n".join(found) if found else "every file leans on the layers below it alone")
    return 1 if found else 0


sys.exit(main())
