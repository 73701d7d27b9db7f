#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""declared.py HEADERS VALUES WORK NM LIBRARY[,LIBRARY] -- COMPILER FLAG...: what the headers say,
the shared libraries keep.

Writes a program from the headers, links it with the libraries and runs it. The program takes the
address of each function, and uses each macro and enumerator as a constant expression. The libraries
export those functions and no other. The values are those of VALUES, which has a line for each
enumerator and number: a value that a program was built with does not change. A function
clprims_KIND_name knows each enumerator of its kind, and calls the next value unknown.
MORE_COMPILER, where it is set, is a C++ compiler that reads the same program."""
import os
import re
import subprocess
import sys
from pathlib import Path

# What a macro of the headers may be besides a constant.
NO_CONSTANTS = re.compile(r"CLPRIMS_(API|CHECKED|INLINE|VERSION_\w+|\w+_H)$")

PROGRAM = """/* Made by tests/package/declared.py. */
%(includes)s
#include <stdio.h>
#include <string.h>

#ifdef __cplusplus
#define _Static_assert static_assert
#endif

typedef void function(void);
static const struct { const char *name; function *at; } functions[] = {
%(functions)s
};

%(values)s

%(numbers)s

%(zeros)s

static int knows(const char *kind, const char *const *names, size_t count, const char *next) {
    int wrong = strncmp(next, "unknown", 7) != 0;
    for (size_t i = 0; i < count; i++) {
        for (size_t j = 0; j < i; j++) wrong += strcmp(names[i], names[j]) == 0;
        wrong += strncmp(names[i], "unknown", 7) == 0;
    }
    if (wrong) printf("clprims_%%s_name does not know its values\\n", kind);
    return wrong;
}

int main(void) {
    int wrong = 0;
    for (size_t i = 0; i < sizeof functions / sizeof functions[0]; i++) wrong += functions[i].at == 0;
%(names)s
    return wrong != 0;
}
"""


def without_comments(text):
    return re.sub(r"/\*.*?\*/|//[^\n]*", " ", text, flags=re.S)


class Headers:
    """Names in the order of the headers: functions, macros, enumerators of each kind."""

    def __init__(self, folder, names):
        self.names, self.functions, self.numbers, self.enums = names, [], [], {}
        self.inlines = set()
        self.structures = []
        for name in names:
            text = without_comments((folder / "clprims" / name).read_text())
            text = text.replace("\\\n", " ")
            self.numbers += re.findall(r"^#define (CLPRIMS_\w+)", text, re.M)
            text = re.sub(r"^#.*$", "", text, flags=re.M).replace('extern "C" {', "")
            for kind, body in re.findall(r"typedef enum clprims_(\w+) \{([^}]*)\}", text):
                self.enums[kind] = re.findall(r"CLPRIMS_\w+", body)
            self.structures += re.findall(r"typedef struct \w+ \{[^}]*\} (clprims_\w+);", text)
            self.inlines |= set(re.findall(r"^CLPRIMS_INLINE \w+\s+(\w+)", text, re.M))
            for statement in re.sub(r"\{[^}]*\}", ";", text).split(";"):
                found = re.search(r"\b(clprims_\w+)\s*\(", statement)
                if found and not statement.split()[0] == "typedef":
                    self.functions.append(found.group(1))
        self.numbers = [m for m in dict.fromkeys(self.numbers) if not NO_CONSTANTS.match(m)]

    def enumerators(self):
        return [name for names in self.enums.values() for name in names]


def lines(template, items):
    return "\n".join(template.format(item, i=i) for i, item in enumerate(items))


def knows(kind, names):
    # A default stands for another one.
    known = [name for name in names if not name.endswith("_DEFAULT")]
    calls = ", ".join(f"clprims_{kind}_name({name})" for name in known)
    return (f"    {{\n        const char *const names[] = {{{calls}}};\n"
            f"        wrong += knows(\"{kind}\", names, {len(known)},\n"
            f"                       clprims_{kind}_name((clprims_{kind}){len(names)}));\n    }}")


def write_program(headers, values):
    named = [kind for kind in headers.enums if f"clprims_{kind}_name" in headers.functions]
    return PROGRAM % {
        "includes": lines("#include <clprims/{}>", headers.names),
        "functions": lines('    {{"{0}", (function *){0}}},', headers.functions),
        "values": "\n".join(f'_Static_assert({n} == {v}, "{n}");' for n, v in values.items()),
        "zeros": lines("extern const {0} zero_{i};\n#ifdef __cplusplus\nconst {0} zero_{i}{{}};\n#else\n"
                       "const {0} zero_{i} = {{0}};\n#endif", headers.structures),
        "numbers": lines("enum {{ number_{i} = {0} != 1 }};", headers.numbers),
        "names": "\n".join(knows(kind, headers.enums[kind]) for kind in named)}


def exported(nm, library):
    table = subprocess.run([nm, "-D", "--defined-only", library], check=True,
                           capture_output=True, text=True).stdout
    # The version itself is a symbol, too.
    return [line.split()[-1].partition("@")[0] for line in table.splitlines() if line.split()[-2] != "A"]


def complain(names, what):
    for name in names:
        print(f"{name} {what}")
    return len(names)


def main():
    split = sys.argv.index("--")
    folder, table, work, nm, libraries = sys.argv[1:split]
    libraries = libraries.split(",")
    names = sorted(p.name for p in (Path(folder) / "clprims").glob("*.h"))
    headers = Headers(Path(folder), [n for n in names if n != "mpi.h" or len(libraries) > 1])
    values = dict(line.split(maxsplit=1) for line in Path(table).read_text().splitlines()
                  if line and line[0] != "#")
    keeps = {name for library in libraries for name in exported(nm, library)}
    wrong = complain(set(headers.functions) - headers.inlines - keeps, "is declared and not exported")
    wrong += complain(keeps - (set(headers.functions) - headers.inlines), "is exported and not declared")
    wrong += complain([n for n in headers.enumerators() + headers.numbers if n not in values],
                      f"has no line in {table}")
    Path(work).mkdir(parents=True, exist_ok=True)
    source, program = Path(work) / "declared.c", Path(work) / "declared"
    source.write_text(write_program(headers, values))
    compiler, *more = sys.argv[split + 1:]
    flags = ["-I", folder, "-Wall", "-Wextra", "-Werror", "-Wno-cast-function-type"]
    link = [*libraries, *(f"-Wl,-rpath,{Path(library).parent}" for library in libraries)]
    wrong += subprocess.run([compiler, "-std=c11", *flags, source, "-o", program, *link, *more,
                             "-lOpenCL"]).returncode != 0
    if os.environ.get("MORE_COMPILER"):
        options = [word for word in more if word[0] == "-"]
        wrong += subprocess.run([os.environ["MORE_COMPILER"], "-std=c++11", *flags, *options,
                                 "-fsyntax-only", "-x", "c++", source]).returncode != 0
    wrong = wrong or subprocess.run([program]).returncode
    print(f"{len(headers.functions)} functions, {len(headers.enumerators())} enumerators, "
          f"{len(headers.numbers)} numbers")
    return wrong != 0


if __name__ == "__main__":
    sys.exit(main())
