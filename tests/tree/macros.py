#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""macros.py ROOT: compares the tables of macros, cl/ROOM/ROOM.macros, with the kernels that read the
macros and with the C code that writes them. It fails where

    a kernel reads a CLP_ name that no file of cl defines and no table lists,
    a table lists a macro that no kernel reads, or names a file that does not write it,
    C code writes a macro and no table says so,
    a table names a part of another room, or an unknown kind of value,
    a part repeats by hand a guard that the tables make."""
import re
import sys
from collections import defaultdict
from pathlib import Path

sys.dont_write_bytecode = True  # nothing is left in the source tree
from rooms import LEANS_ON  # noqa: E402

SHARED = ("device", "tile", "engine")
BELOW = {"device": (), "tile": ("device",), "engine": ("tile", "device")}
VALUES = re.compile(r"integer|type|expression|statements|\d+(\.\.\d+)?(, \d+(\.\.\d+)?)*")
# Guards of one condition or of several; one that holds for some programs only has an &&.
# The numbers that macros of a room put into the names of others.
DIGITS = {"sort": "012345", "segmented_sort": "012345"}
GUARD = re.compile(r"^#(?:ifndef (CLP_\w+)|(?:if|elif) [^&\n]*!defined\((CLP_\w+)\)[^&\n]*)\n#error", re.M)


class Tree:
    """What the tables say, and what the files of cl and src do."""

    def __init__(self, root):
        self.root = root
        self.entries = {}  # (room, name): (values, writers, parts)
        self.defines = defaultdict(set)  # by room
        self.reads = defaultdict(set)  # (room, name): files
        self.writes = defaultdict(set)  # name: files of src
        self.files = {p.stem: p for p in sorted((root / "src").rglob("*.c"))}
        self.parts = {p.stem: p for p in sorted((root / "cl").glob("*/*.cl"))}
        self.guards = [(p, a or b) for p in self.parts.values() for a, b in GUARD.findall(p.read_text())]
        self.read_kernels()
        for path in self.files.values():
            strings = " ".join(re.findall(r'"(?:[^"\\\n]|\\.)*"', path.read_text()))
            for name in re.findall(r"#define (CLP_[\w%]+)", strings):
                self.writes[name].add(path)
            for name in re.findall(r'"(CLP_[A-Z0-9_]+)"', strings):
                self.writes[name].add(path)

    def read_kernels(self):
        texts = {p: kernel_text(p) for p in self.parts.values()}
        for path, text in texts.items():
            room = path.parent.name
            self.defines[room] |= set(re.findall(r"^\s*#\s*define\s+(CLP_\w+)", text, re.M))
            for body in re.findall(r"\benum\b[^{;]*\{([^}]*)\}", text):
                self.defines[room] |= set(re.findall(r"(?:^|,)\s*(CLP_\w+)", body))
        for path, text in texts.items():
            # A test whether it is there is no reading; nor is the piece of a name.
            text = re.sub(r"#ifndef CLP_\w+\n#error|!defined\(CLP_\w+\)", "", text)
            for name in re.findall(r"(?<!##)\bCLP_\w+\b(?!\s*##)", text):
                self.reads[path.parent.name, name].add(path)
            for front, back in re.findall(r"\b(CLP_\w+)\s*##\s*\w+\s*##\s*(\w+)", text):
                for digit in DIGITS.get(path.parent.name, "0123"):
                    self.reads[path.parent.name, front + digit + back].add(path)

    def writes_name(self, path, name):
        patterns = (re.sub(r"\d", "%zu", name, count=1), name)
        return any(path in self.writes[p] for p in patterns)


def kernel_text(path):
    text = re.sub(r"/\*.*?\*/", "", path.read_text(), flags=re.S).replace("\\\n", " ")
    return re.sub(r'"[^"\n]*"', '""', text)


def below(room):
    return BELOW.get(room, LEANS_ON.get(room, ()) + tuple(reversed(SHARED)))


def read_tables(tree, fail):
    for path in sorted((tree.root / "cl").glob("*/*.macros")):
        if path.stem != path.parent.name:
            fail(path, f"is not the table of {path.parent.name}")
        for number, line in enumerate(path.read_text().splitlines(), 1):
            if line.startswith("#"):
                continue
            fields = [field.strip() for field in line.split("|")]
            place = f"line {number}"
            if len(fields) != 5 or not re.fullmatch(r"CLP_[A-Z0-9_]+", fields[0]) or not all(fields):
                fail(path, f"{place}: is not NAME | values | files | parts | meaning")
                continue
            name, values, writers, parts, meaning = fields
            if not VALUES.fullmatch(values):
                fail(path, f"{place}: \"{values}\" is no kind of value")
            if '"' in meaning or len(meaning) > 180:
                fail(path, f"{place}: the meaning is too long, or has quotes")
            if (path.stem, name) in tree.entries:
                fail(path, f"{place}: {name} is listed twice")
            tree.entries[path.stem, name] = (values, writers.split(), parts.replace("-", "").split())


def rooms_of(room):
    """Where a macro may be listed that a room's kernels read."""
    return (room,) + below(room) if room not in SHARED else SHARED


def check_kernels(tree, fail):
    for (room, name), files in sorted(tree.reads.items()):
        known = any((r, name) in tree.entries for r in rooms_of(room))
        made = any(name in names for r, names in tree.defines.items()
                   if r == room or r in below(room) or room in below(r))
        if not known and not made:
            fail(min(files), f"reads {name}, which cl/{room}/{room}.macros does not list")
    for path, name in tree.guards:
        fail(path, f"guards {name} by hand; name the part in cl/{path.parent.name}/*.macros")


def check_entry(tree, room, name, entry, fail):
    table = tree.root / "cl" / room / f"{room}.macros"
    values, writers, parts = entry
    readers = [r for r, read in tree.reads if read == name and
               (room in rooms_of(r) or r in LEANS_ON.get(room, ()))]
    if not readers:
        fail(table, f"no kernel reads {name}")
    for writer in writers:
        path = tree.files.get(writer)
        if path is None or not tree.writes_name(path, name):
            fail(table, f"{writer}.c does not write {name}")
    for part in parts:
        owner = tree.parts[part].parent.name if part in tree.parts else None
        if owner != room and not (owner in SHARED and room in SHARED):
            fail(table, f"{name} is for a part {part} of {owner or 'no room'}")
    if not writers:
        fail(table, f"nobody writes {name}")


def check_numbers(tree, fail):
    """A float in a program's text would have the comma of the caller's locale; it is an argument."""
    for path in sorted((tree.root / "src").rglob("*.c")):
        for call in re.findall(r"clp_text_add\((.*?)\);", path.read_text(), flags=re.S):
            if re.search(r'%[-+ #0]*[\d.*]*[lL]?[aefgAEFG]', call):
                fail(path, f"writes a float into a program's text: {call[:60]}")


def check_writers(tree, fail):
    for name, files in sorted(tree.writes.items()):
        entries = {(r, n): e for (r, n), e in tree.entries.items()
                   if n == name or re.sub(r"\d", "%zu", n, count=1) == name}
        for path in files:
            if not any(path.stem in writers for _, writers, _ in entries.values()):
                fail(path, f"writes {name}, and no table says so")


def main():
    tree = Tree(Path(sys.argv[1]).resolve())
    found = []

    def fail(path, what):
        found.append(f"{path.relative_to(tree.root)}: {what}")

    read_tables(tree, fail)
    check_kernels(tree, fail)
    for (room, name), entry in sorted(tree.entries.items()):
        check_entry(tree, room, name, entry, fail)
    check_writers(tree, fail)
    check_numbers(tree, fail)
    print("\n".join(found) if found else f"{len(tree.entries)} macros are as the tables say")
    return 1 if found else 0


sys.exit(main())
