#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""primitives.py ROOT: every primitive and command stands in each place that has all of them, and
the calls of every primitive have one shape. Prints what is missing where, and fails then.

A primitive is a clprims_NAME_create of include/clprims, but for those over MPI ranks."""
import re
import sys
from pathlib import Path

ROOT = Path(sys.argv[1]).resolve()

# Files, what they must have of the primitive NAME of clprims/HEADER.h, and what that is.
PLACES = (
    ("include/clprims/clprims.h", r"#include <clprims/HEADER\.h>", "its header"),
    ("include/clprims/clprims.h", r" \* +HEADER\.h ", "its line of the tour"),
    ("README.md", r"include/clprims/HEADER\.h", "its header, in the table of calls"),
    ("bench/suites/*.c", r"clprims_NAME_create\(|PLAN\(\w+, NAME,", "a subject"),
    ("tests/subjects/subjects.h", r"SUBJECT\(NAME\)", "its name"),
    ("tests/subjects/NAME_subject.c", r"SUBJECT_(LAUNCHED_)?PLANS,", "its calls, samples, faults and kinds"),
    ("tests/subjects/NAME_subject.c|tests/core/create_*.c", r"\.launched = |LAUNCHED_PLANS|made_plan\(&subject_NAME,",
     "a run that launches nothing new"),
    ("tests/fuzz/fuzz_*.c", r"void fuzz_NAME\(void\)", "a draw"),
)
# The same of a primitive that has clprims_NAME_describe.
DESCRIBED = ("tests/subjects/NAME_subject.c", r"SUBJECT_(INFO|GROUPS?)\(NAME\)", "the size of its info")
# The arguments of each call of the primitive NAME.
SHAPE = {
    "create": r"clprims_NAME \*\*out, clprims_context \*context, const clprims_NAME_desc \*desc",
    "enqueue": r"clprims_NAME \*\w+, cl_command_queue queue, const clprims_NAME_buffers \*buffers, "
               r"size_t n, cl_uint num_wait, const cl_event \*wait, cl_event \*event",
    "run": r"clprims_NAME \*\w+, const clprims_NAME_arrays \*arrays, size_t n",
    "describe": r"const clprims_NAME \*\w+, size_t n, (clprims_NAME_sizes sizes, )?clprims_NAME_info \*info",
    "check": r"const (clprims_\w+_report \*report|uint64_t \*count)",
    "set_parameter": r"clprims_NAME \*\w+, size_t k, size_t bytes, const void \*value",
    "destroy": r"clprims_NAME \*\w+",
}
# A product of matrices finds no fault; only texts have parameters.
SHAPE_LACKS = {"check": ("minplus",), "set_parameter": ("forest", "gather", "list", "minplus", "offsets",
                                                        "parents", "paths", "scatter")}
# Of the room NAME.
ROOMS = (
    ("tests/mutants/mutants_host.txt", r"\n  file +src/NAME/", "mutants of src"),
    ("tests/mutants/mutants_kernels.txt", r"\n  file +cl/NAME/", "mutants of kernels"),
)
# Of a command.
COMMANDS = (
    ("src/cli/README.md", r"\nclprims NAME ", "an example"),
    ("tests/cli/numpy_agrees.py", r"\"NAME\"", "a comparison with NumPy"),
    ("tests/cli/cases/*.txt", r"(: |\$C )NAME ", "its tests"),
)


def places_of(command):
    """A command without arrays has nothing that NumPy could be compared with."""
    if command == "info":
        return ()
    return COMMANDS[::2] if command == "pack" else COMMANDS


def text_of(patterns):
    paths = [p for pattern in patterns.split("|") for p in sorted(ROOT.glob(pattern))]
    return "".join(path.read_text() for path in paths)


def lacks(name, places, header=""):
    """A line for each place that lacks it."""
    return [f"{files.replace('NAME', name)} lacks {what} of {name}" for files, pattern, what in places
            if not re.search(pattern.replace("NAME", name).replace("HEADER", header),
                             text_of(files.replace("NAME", name)))]


def misshapen(name, header):
    """A line for each call that lacks its shape."""
    text = re.sub(r"/\*.*?\*/", " ", (ROOT / f"include/clprims/{header}.h").read_text(), flags=re.S)
    text = re.sub(r"\(\s+", "(", re.sub(r"\s+", " ", text))
    return [f"clprims_{name}_{call} lacks the shape ({arguments.replace('NAME', name)})"
            for call, arguments in SHAPE.items() if name not in SHAPE_LACKS.get(call, ())
            and not re.search(rf"\bclprims_{name}_{call}\({arguments.replace('NAME', name)}\)", text)]


def primitives():
    """The name of each, its header, and whether it has a describe."""
    for path in sorted((ROOT / "include/clprims").glob("*.h")):
        text = path.read_text() if path.name != "mpi.h" else ""
        for name in sorted(set(re.findall(r"\bclprims_(\w+)_create\(", text)) - {"context", "buffer"}):
            yield name, path.stem, f"clprims_{name}_describe(" in text


def main():
    missing = []
    count = 0
    for name, header, is_described in primitives():
        count += 1
        missing += lacks(name, PLACES + ((DESCRIBED,) if is_described else ()), header)
        missing += misshapen(name, header)
    cmake = (ROOT / "CMakeLists.txt").read_text()
    for room in re.search(r"set\(CLPRIMS_PRIMITIVES ([^)]*)\)", cmake).group(1).split():
        has_kernels = any((ROOT / "cl" / room).glob("*.cl"))  # those of scan are the engine's
        missing += lacks(room, ROOMS if has_kernels else ROOMS[:1])
    for name in re.findall(r'\n    \.name = "(\w+)",', text_of("src/cli/commands/*.c")):
        missing += lacks(name, places_of(name))
    for line in missing:
        print(line)
    print(f"{count} primitives, {len(missing)} places that lack one")
    return 1 if missing or count == 0 else 0


sys.exit(main())
