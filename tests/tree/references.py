#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""references.py ROOT: fails where a comment names a file that is not there, or a page links to one.

Reads the comments of src, cl, include, tests and bench and the links of all *.md. A name without a
folder is a file of the code that the comment is in: of src, cl and include, or of tests and bench,
which name files of either. A name with folders is a part of a path of the tree. NAME or ROOM in
capitals stands for any name."""
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(sys.argv[1]).resolve()
LIBRARY, USERS = ("src", "cl", "include"), ("tests", "bench")
C_LIKE = (".c", ".h", ".cl", ".cpp", ".cu")
NAME = re.compile(r"(?<![\w.*<{%/$-])((?:[\w.-]+/)*[\w-]+"
                  r"\.(?:c|h|cl|cpp|cu|py|md|tune|macros|cmake))\b(?!\.?\w|[(*])")
# A path from the root needs no ending.
PATH = re.compile(r"(?<![\w./$-])((?:src|cl|include|tests|bench)/[\w./-]*\w)(?![\w*]|/?[*{<%])")
COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*", re.S)
LINK = re.compile(r"\]\(([^)#\s]+)(?:#[^)]*)?\)")
# Files that are not of the tree.
ELSEWHERE = {"cl_sources.h": "CMake writes it", "clprims.c": "src/install/amalgamate writes it",
             "ucontext.h": "the system's", "textbook_sources.c": "cl/embed.cmake writes it", "cl.h": "OpenCL's"}


def stands_for_any(name):
    return re.search(r"(?<![A-Za-z])[A-Z]{3,}(?![A-Za-z])", name.replace("README", "")) is not None


def files_of_tree():
    """What git has or would take; all files where the tree is no clone."""
    listed = subprocess.run(["git", "-C", ROOT, "ls-files", "--cached", "--others",
                             "--exclude-standard"], capture_output=True, text=True)
    if listed.returncode == 0 and listed.stdout:
        return [name for name in listed.stdout.splitlines() if (ROOT / name).exists()]
    return [str(p.relative_to(ROOT)) for p in ROOT.rglob("*") if p.is_file()]


def comments(name, text):
    if Path(name).suffix in C_LIKE:
        return [(found.start(), found.group()) for found in COMMENT.finditer(text)]
    return [(found.start(), found.group()) for found in re.finditer(r"(?m)^\s*# .*$", text)]


def is_there(name, top, files):
    if stands_for_any(name) or name in ELSEWHERE:
        return True
    if "/" in name:
        return any(f"/{name}/" in f"/{file}/" for file in files)  # a file or a folder
    tops = LIBRARY if top in LIBRARY else LIBRARY + USERS
    return any(file.endswith(f"/{name}") and file.split("/")[0] in tops for file in files)


def wrong_names(files):
    for file in files:
        top = file.split("/")[0]
        if top not in LIBRARY + USERS or "/results/" in file or file.endswith((".md", ".svg")):
            continue
        text = (ROOT / file).read_text(encoding="utf-8", errors="replace")
        for start, comment in comments(file, text):
            for found in [*NAME.finditer(comment), *PATH.finditer(comment)]:
                if not is_there(found[1], top, files):
                    line = text.count("\n", 0, start + found.start()) + 1
                    yield f"{file}:{line}: {found[1]} is no file of the tree"


def wrong_links(files):
    for file in files:
        if not file.endswith(".md"):
            continue
        text = (ROOT / file).read_text(encoding="utf-8")
        for found in LINK.finditer(text):
            if "://" not in found[1] and not ((ROOT / file).parent / found[1]).exists():
                yield f"{file}:{text.count(chr(10), 0, found.start()) + 1}: links to {found[1]}"


def main():
    files = files_of_tree()
    wrong = [*wrong_names(files), *wrong_links(files)]
    print("\n".join(wrong) if wrong else "comments and pages name files that are there")
    return 1 if wrong or not files else 0


sys.exit(main())
