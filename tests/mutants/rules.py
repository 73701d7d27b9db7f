# SPDX-License-Identifier: MIT
"""The general rules by which tests/mutate --random changes a line of C or OpenCL C. clang-format puts
a space on both sides of a binary operator, so " * " multiplies and " *p" does not."""
import re
from typing import NamedTuple

SWAPS = {
    "comparison": [(" < ", " >= "), (" > ", " <= "), (" <= ", " > "), (" >= ", " < "), (" == ", " != "),
                   (" != ", " == ")],
    "border": [(" < ", " <= "), (" > ", " >= "), (" <= ", " < "), (" >= ", " > ")],
    "arithmetic": [(" + ", " - "), (" - ", " + "), (" * ", " + "), (" / ", " * "), (" % ", " / "),
                   (" << ", " >> "), (" >> ", " << "), (" & ", " | "), (" | ", " & "), (" ^ ", " | "),
                   (" += ", " -= "), (" -= ", " += "), (" |= ", " &= "), (" &= ", " |= "),
                   ("++", "--"), ("--", "++"), ("min(", "max("), ("max(", "min(")],
    "logic": [(" && ", " || "), (" || ", " && "), ("(!", "("), ("= !", "= "), ("return !", "return "),
              (" && !", " && "), (" || !", " || ")],
    "atomic": [("atomic_inc(", "atomic_dec("), ("atomic_add(", "atomic_sub("),
               ("atomic_sub(", "atomic_add("), ("atomic_or(", "atomic_and("),
               ("atomic_and(", "atomic_or(")],
}
NUMBER = re.compile(r"(?<![\w.])(0x[0-9a-fA-F]+|0|[1-9]\d*)([uUlL]*)(?![\w.])")
TEXT = re.compile(r"/\*.*?\*/|//[^\n]*|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'", re.DOTALL)
CALL = re.compile(r"\b(?!if\b|for\b|while\b|switch\b|return\b|sizeof\b|defined\b)(\w+)\(")
COMMUTATIVE = {"min", "max", "fmin", "fmax", "MIN", "MAX"}
# An assignment to something that exists, a call, or what leaves a loop or a function early.
STATEMENT = re.compile(r"[ \t]+(?!return\b|else\b|typedef\b|goto\b)"
                       r"(?:[*\w.\->\[\]() +]*[\w\])] (?:[-+*/%&|^]|<<|>>)?= [^{]*;|[*\w.\->\[\]]+(?:\+\+|--);"
                       r"|\w+\([^{}]*\);)[ \t]*(\\?)$")
DECLARES = re.compile(r"[ \t]+(?:const |volatile |static |local |global |private |unsigned )*"
                      r"[a-zA-Z_]\w* [*]*(?:const )?[a-zA-Z_]\w*(?:\[[^=]*\])* = ")
LEAVES = re.compile(r"[ \t]+(?:if \(.*\) )?(?:return\b[^;]*|break|continue);[ \t]*(\\?)$")
# What is no code of a run: what is included, sizes of arrays of char, checks that tests switch on.
NO_CODE = re.compile(r"[ \t]*#[ \t]*(?:include|error|pragma|line|ifndef|endif)|.*\bchar \w+\[|"
                     r".*(?:CLP_ASSERT|static_assert|_Static_assert)\(")


class Change(NamedTuple):
    file: str
    line: int  # from 1
    start: int  # of the text that is replaced
    end: int
    new: str
    rule: str

    def apply(self, source):
        return source[:self.start] + self.new + source[self.end:]

    def show(self, source):
        changed = self.apply(source)
        begin = source.rfind("\n", 0, self.start) + 1
        last = source.find("\n", max(self.start, self.end - 1))
        return (f"{self.file}:{self.line}: {self.rule}\n    - {source[begin:last].strip()}\n"
                f"    + {changed[begin:last + len(changed) - len(source)].strip()}")


def blanked(source):
    """The source with spaces in place of comments, strings and characters."""
    return TEXT.sub(lambda m: re.sub(r"[^\n]", " ", m.group()), source)


def arguments_of(text, begin):
    """Where the arguments behind the bracket at begin - 1 are; nothing if they don't end."""
    depth, start, found = 0, begin, []
    for at in range(begin, len(text)):
        if text[at] in "([{":
            depth += 1
        elif text[at] in ")]}":
            if depth == 0:
                return [*found, (start, at)]
            depth -= 1
        elif text[at] == "," and depth == 0:
            found.append((start, at))
            start = at + 1
        elif text[at] == ";" and depth == 0:
            return []
    return []


def swapped_arguments(source, code, at, line):
    # A line that begins without a space is a function's head, or a macro's.
    for call in CALL.finditer(line) if line[:1].isspace() else ():
        spans = arguments_of(code, at + call.end()) if call[1] not in COMMUTATIVE else []
        for (a, b), (c, d) in zip(spans, spans[1:]):
            left, right = source[a:b].strip(), source[c:d].strip()
            if left != right:
                yield a, d, source[a:b].replace(left, right) + "," + source[c:d].replace(right, left), \
                    "arguments"


def changed_numbers(at, line):
    for number in NUMBER.finditer(line):
        value, tail = int(number[1], 0), number[2]
        for other in (value + 1, value - 1):
            if other >= 0:
                yield at + number.start(), at + number.end(), f"{other}{tail}", "constant"


def left_out(code, at, line):
    follows = code[at + len(line) + 1:at + len(line) + 2]
    match = STATEMENT.fullmatch(line)
    if match and not DECLARES.match(line) and line.count("(") == line.count(")"):
        rule = "barrier" if "barrier" in line or "fence" in line else "statement"
        yield at, at + len(line), "    ;" + match[1], rule
    match = LEAVES.fullmatch(line)
    if match and follows != "}" and line.count("(") == line.count(")"):
        yield at, at + len(line), "    ;" + match[1], "statement"


def changes_of_line(source, code, at, line):
    for rule, pairs in SWAPS.items():
        for old, new in pairs:
            for match in re.finditer(re.escape(old), line):
                yield at + match.start(), at + match.end(), new, rule
    yield from changed_numbers(at, line)
    yield from left_out(code, at, line)
    yield from swapped_arguments(source, code, at, line)


def changes(file, source):
    """By line, what the rules can do there; only lines where they can do something."""
    code, at, found = blanked(source), 0, {}
    for number, line in enumerate(code.split("\n"), 1):
        if not NO_CODE.match(line):
            here = [Change(file, number, start, end, new, rule)
                    for start, end, new, rule in changes_of_line(source, code, at, line)]
            if here:
                found[number] = here
        at += len(line) + 1
    return found
