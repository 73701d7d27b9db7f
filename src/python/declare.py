#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""declare.py INCLUDE OUT: writes the module OUT, in which cffi finds the structures, enumerators
and functions of clprims' public headers. So no structure is declared a second time for Python."""
import re
import sys
from pathlib import Path

import cffi

OPENCL = """
typedef int32_t cl_int; typedef uint32_t cl_uint; typedef uint64_t cl_ulong;
typedef cl_ulong cl_device_type;
""" + "".join(f"typedef struct _{name} *{name};\n" for name in (
    "cl_platform_id", "cl_device_id", "cl_context", "cl_command_queue", "cl_mem", "cl_kernel",
    "cl_event", "cl_program"))


def declarations(include, name, seen):
    """What cffi reads of a header behind what the header includes: all but preprocessing and the
    inline functions, which call functions whose names end in _sized."""
    if name in seen:
        return ""
    seen.add(name)
    text = (include / name).read_text()
    before = "".join(declarations(include, other, seen)
                     for other in re.findall(r"^#include <(clprims/\w+\.h)>", text, flags=re.M))
    for pattern in (r"/\*.*?\*/", r"^#ifdef __cplusplus.*?^#endif", r"^CLPRIMS_INLINE\b.*?^}",
                    r"^#(?!define \w+ \d+$).*?$",  # the macros that are left are lengths of arrays
                    r"\bCLPRIMS_(API|CHECKED)\b"):
        text = re.sub(pattern, "", text, flags=re.S | re.M)
    return before + text


def main():
    include, out = Path(sys.argv[1]), Path(sys.argv[2])
    ffi = cffi.FFI()
    ffi.set_source("clprims." + out.stem, None)
    ffi.cdef(OPENCL + declarations(include, "clprims/clprims.h", set()))
    ffi.emit_python_code(str(out))


main()
