#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""shorten.py LIBPOCL FOLDER: writes FOLDER/pocl.icd, which names that shared library of PoCL with a
shorter header of OpenCL's functions and a shorter library of them.

PoCL 3.1 reads 18,000 lines of declarations for every program that it is given, cached or not, and a
library of 9 MB for every context that compiles: together more than half of what the tests take. It
looks for both beside its own shared library, so a folder of links suffices. What is left out are halves,
vectors of 3, images, and functions that neither FUNCTIONS nor FAMILIES names. A kernel that needs one
of those fails in the default tier with "undeclared identifier": add its name here. The long tier has
all of PoCL.

Ends with 1 and a reason where this PoCL is of another kind."""
import ctypes
import os
import re
import sys
from pathlib import Path

FUNCTIONS = set("""
    abs abs_diff add_sat all any atom_add atom_and atom_cmpxchg atom_max atom_min atom_or atom_xchg
    atom_xor atomic_add atomic_and atomic_cmpxchg atomic_inc atomic_max atomic_min atomic_or atomic_xchg
    atomic_xor barrier ceil clz exp fabs floor get_global_id get_global_size get_group_id get_local_id
    get_local_size get_num_groups isfinite isinf isnan ldexp log log2 mem_fence nan nextafter popcount
    prefetch rotate round shuffle sqrt sub_sat""".split())
# Of all vectors: conversions that do not round, loads and stores, what min-plus products and the least
# and greatest float need. Vectors of 8 and 16 are left out of the others.
FAMILIES = re.compile(r"(convert_[a-z]+\d*|v(load|store)\d+|f?(min|max)|clamp|select|mad|fma|signbit)$")
SUB_GROUPS = re.compile(r"\w*sub_group\w*$")
WIDE = re.compile(r"(char|short|int|long|float|double)(8|16)\b|Dv(8|16)_")
TYPES = re.compile(r"half|image|sampler|\bevent_t|pipe|queue|ndrange|(char|short|int|long|float|double)3\b")
MANGLED_TYPES = re.compile(r"Dh|Dv3_|ocl_")
INTERNAL = 8  # LLVMInternalLinkage


class Unfit(Exception):
    pass


def is_kept(name, types):
    if FAMILIES.match(name):
        return True
    return (name in FUNCTIONS or SUB_GROUPS.match(name)) and not WIDE.search(types)


def short_header(text):
    """The directives, and the declarations of what is kept."""
    text = re.sub(r"/\*.*?\*/|//[^\n]*", "", text, flags=re.DOTALL)
    parts = re.split(r"(^[ \t]*#(?:[^\n]*\\\n)*[^\n]*\n)", text, flags=re.MULTILINE)
    lines = []
    for i, part in enumerate(parts):
        if i % 2 == 1:
            lines.append(part)
            continue
        for declaration in part.split(";"):
            bare = re.sub(r"__attribute__\(\(\w*\)\)", "", declaration)
            name = re.search(r"(\w+)\s*\(", bare)
            if name and is_kept(name[1], bare) and not TYPES.search(bare):
                lines.append(declaration.strip() + ";\n")
            elif not name and bare.strip():
                raise Unfit(f"opencl-c.h has \"{bare.strip()[:60]}\"")
    return "".join(lines)


def is_kept_symbol(symbol):
    mangled = re.match(r"_Z(\d+)(.*)", symbol)
    if not mangled:
        return re.match("_*pocl|printf$", symbol)
    length = int(mangled[1])
    name, types = mangled[2][:length], mangled[2][length:]
    return is_kept(re.sub("^_cl_", "", name), types) and not MANGLED_TYPES.search(types)


class Llvm:
    """The functions of LLVM's C interface, by name."""

    def __init__(self, library):
        self.library = ctypes.CDLL(library)

    def __call__(self, name, *arguments):
        """Calls a function that returns a pointer or an int."""
        function = getattr(self.library, "LLVM" + name)
        function.restype = ctypes.c_void_p
        return function(*[ctypes.c_void_p(a) if isinstance(a, int) else a for a in arguments])

    def name(self, value):
        function = self.library.LLVMGetValueName2
        function.restype = ctypes.c_char_p
        return function(ctypes.c_void_p(value), ctypes.byref(ctypes.c_size_t())).decode()


def shorten_library(llvm, source, target):
    context, memory, module = llvm("ContextCreate"), ctypes.c_void_p(), ctypes.c_void_p()
    if llvm("CreateMemoryBufferWithContentsOfFile", str(source).encode(), ctypes.byref(memory),
            ctypes.byref(ctypes.c_char_p())):
        raise Unfit(f"{source} can't be read")
    if llvm("ParseBitcodeInContext2", context, memory, ctypes.byref(module)):
        raise Unfit(f"{source} is of another LLVM")
    function = llvm("GetFirstFunction", module)
    while function:
        if not llvm("IsDeclaration", function) and not is_kept_symbol(llvm.name(function)):
            llvm("SetLinkage", function, INTERNAL)
        function = llvm("GetNextFunction", function)
    if llvm("RunPasses", module, b"globaldce", None, llvm("CreatePassBuilderOptions")):
        raise Unfit("LLVM has no pass globaldce")
    if llvm("WriteBitcodeToFile", module, str(target).encode()):
        raise Unfit(f"{target} can't be written")


def link(target, at):
    at.parent.mkdir(parents=True, exist_ok=True)
    at.unlink(missing_ok=True)
    at.symlink_to(target)


def llvm_of(pocl):
    """The LLVM that PoCL was linked to."""
    found = re.search(rb"libLLVM-[\w.]+", pocl.read_bytes())
    if not found:
        raise Unfit("PoCL has no shared LLVM")
    return Llvm(found[0].decode())


def shorten(pocl, folder):
    data = pocl.parent / "../../share/pocl"
    if not (data / "include/opencl-c.h").exists():
        raise Unfit(f"{data} has no opencl-c.h")
    for file in [*data.glob("*.bc"), *(data / "include").iterdir()]:
        link(file.resolve(), folder / "share/pocl" / file.relative_to(data))
    header = folder / "share/pocl/include/opencl-c.h"
    text = header.read_text()
    header.unlink()
    header.write_text(short_header(text))
    flags = Path("/proc/cpuinfo").read_text().split() if Path("/proc/cpuinfo").exists() else []
    variant = "avx512" if "avx512f" in flags else "avx2"  # PoCL's choice for most processors
    for library in (folder / "share/pocl").glob(f"kernel-*-{variant}.bc"):
        source = library.resolve()
        library.unlink()
        shorten_library(llvm_of(pocl), source, library)
    if (pocl.parent / "pocl").exists():
        link(pocl.parent / "pocl", folder / "lib/any/pocl")
    here = folder / "lib/any" / pocl.name
    link(pocl.resolve(), here)
    (folder / "pocl.icd").write_text(f"{here}\n")


def main():
    pocl, folder = (Path(os.path.abspath(name)) for name in sys.argv[1:3])
    try:
        (folder / "pocl.icd").unlink(missing_ok=True)
        shorten(pocl, folder)
    except (Unfit, OSError, AttributeError) as error:
        print(f"PoCL stays as it is: {error}")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
