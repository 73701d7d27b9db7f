#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""words.py ROOT: fails where a home-made word stands in for a term of the field, with file, line and
that term. Reads *.c, *.h and *.cl of src, cl, include, tests and bench, README.md and
CONTRIBUTING.md, whose glossary explains the terms; not bench/textbook, whose words are the
textbooks'.

A word that is also plain English ("alone", "late") is only looked for as a part of a name."""
import re
import sys
from pathlib import Path

CODE = ("src", "cl", "include", "tests", "bench")
ALL = CODE + ("README.md", "CONTRIBUTING.md")
LIBRARY = ("src", "cl", "include")
LISTS = ("src/list", "cl/list", "include")

# Word, regular expression, the field's term, and where the word is looked for.
WORDS = (
    ("pairs", r"CLPRIMS_LIST_PAIRS", "scattered: CLPRIMS_LIST_SCATTERED", ALL),
    ("rows", r"CLPRIMS_LIST_ROWS|walk_rows|list_rows", "visit log: CLPRIMS_LIST_VISIT_LOG", ALL),
    ("alone", r"\w_alone(?![a-z])|(?<![a-z])alone_\w|ALONE", "single work-group", LIBRARY),
    ("brief", r"(?<![a-z])brief(?![a-z])|BRIEF", "one node per work-item", LIBRARY),
    ("desk", r"(?<![a-z])desk(?![a-z])|DESK", "local workspace", ALL),
    ("sheet", r"(?<![a-z])sheet(?![a-z])", "local workspace, packed words", LIBRARY),
    ("patient", r"(?<![a-z])(im)?patient(?![a-z])", "diagnosis state; retry threshold", ALL),
    ("case", r"clp_\w*_case\b", "diagnosis state", LIBRARY),
    ("judge", r"(?<![a-z])judged?(?![a-z])", "classify; status of a report", LIBRARY),
    ("conclude", r"(?<![a-z])concluded?(?![a-z])|conclusion", "write the report", LIBRARY),
    ("ask", r"clp_(\w+_)?asks?\b|CLP_ASK_|QUESTIONS", "find faults, check", LISTS),
    ("settle", r"(?<![a-z])settled?(?![a-z])", "scatter to a window", LIBRARY),
    ("parted", r"(?<![a-z])parted(?![a-z])|CLP_PART\b|may_part\b", "partition pass", LIBRARY),
    ("place", r"clp_list\w*(?<!in)_place\b|PLACE_GROUP", "scatter; scatter to a window", ALL),
    ("climb", r"(?<![a-z])climb(?![a-z])", "up-sweep", ALL),
    ("descend", r"(?<![a-z])descend(?![a-z])", "down-sweep", LIBRARY),
    ("spread", r"clp_\w*spread|CLP_SPREAD", "expand", ALL),
    ("corner", r"(?<![a-z])corners?(?![a-z])|CORNER", "pivot tile", LIBRARY),
    ("cross", r"(paths|minplus|submit|find|up)_cross|CROSSES|CROSS_", "panel update", ALL),
    ("around", r"[.>]around\b|close_around|AROUND_BYTES", "outer block", ALL),
    ("let on the way", r"\b(let|lets|allow|allows|allowed)\b.* on the way|clp_allow",
     "relax through a vertex", ALL),
    ("join", r"clp_\w*join(?!t)|CLP_JOIN|minplus_join", "split-k reduction", ALL),
    ("noting", r"(?i)notes?_slabs?|noted_k|minplus_noting", "argmin of a slab", ALL),
    ("patience", r"(?i)patience", "retry threshold: the knob RETRY", ALL),
    ("spoiled", r"(?<![a-z])spoiled(?![a-z])", "walk overflow", LIBRARY),
    ("none", r"(?i)\b(lists?|forests?) that (is|are) none\b", "malformed list", ALL),
    ("against the hash", r"\bmade against\b|\bagainst the hash\b", "adversarial list", LIBRARY),
    ("crew", r"(?<![a-z])crews?(?![a-z])|CREW", "role of sub-groups; in min-plus a split-k slice",
     ALL),
    ("looker", r"(?i)looker", "look-back sub-group", ALL),
    ("gate", r"(?<![a-z])gates?(?![a-z])|(?<![A-Z])GATE(?![A-Z])", "mbarrier, barrier", LIBRARY),
    ("mute", r"(?<![a-z])muted?(?![a-z])|(?<![A-Z])MUTED?(?![A-Z])", "test hook: drop", ALL),
    ("late", r"[.>]late\b|\blate =|\w_late\b|CLP_LATE|size_t late\b|bool late\b",
     "test hook: delay", LIBRARY),
    ("strings", r"\w_strings?\b|STRINGS", "byte packing", LIBRARY),
    ("picks", r"(?<![a-z])picks?(?![a-z])|PICKS?(?![A-Z])", "permute table", LIBRARY),
    ("feed", r"(?<![a-z])feeds?(?![a-z])", "chunked input", ALL),
    ("house", r"(?<![a-z])house(?![a-z])", "fixture", ("tests", "bench")),
    ("paper", r"(?<![a-z])paper(?![a-z])|PAPER_", "fake OpenCL", ("tests", "bench")),
)

# Where a word is the right one: file, word, and why. An entry that nothing needs is an error.
EXCEPTIONS = (
    ("tests/core/start_together.c", "patience", "how long the test waits for processes"),
)

def files(root):
    for name in ALL:
        path = root / name
        found = [path] if path.is_file() else sorted(path.rglob("*"))
        for file in found:
            is_wanted = file.suffix in (".c", ".h", ".cl") or file == path
            if file.is_file() and is_wanted and "textbook" not in file.parts:
                yield file


def main():
    root = Path(sys.argv[1]).resolve()
    rules = [(word, re.compile(pattern), term, where) for word, pattern, term, where in WORDS]
    allowed = {(file, word): False for file, word, _ in EXCEPTIONS}
    found = []
    for file in files(root):
        name = str(file.relative_to(root))
        text = file.read_text(encoding="utf-8")
        for word, pattern, term, where in rules:
            is_read = any((name + "/").startswith(part + "/") for part in where)
            if not is_read or not pattern.search(text):
                continue
            if (name, word) in allowed:
                allowed[name, word] = True
            else:
                found += [f'{name}:{number}: "{match.group(0)}": the field says {term}'
                          for number, match in enumerate(map(pattern.search, text.splitlines()), 1)
                          if match]
    found += [f'{file}: needs no exception for "{word}"' for (file, word), used in allowed.items()
              if not used]
    print("\n".join(found) if found else "the words are the field's")
    return 1 if found else 0


sys.exit(main())
