#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks what bench/figures makes of CSV files.

usage: figures_agree.py ROOT numbers|plots

numbers: JSON, tables, refusals, and that a figure which was changed by hand is noticed.
plots: an SVG file per subject with its lines; ends with 77 where matplotlib is missing.
"""
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import xml.etree.ElementTree

HEAD = ("suite,name,library,method,n,bytes,seconds,copy_seconds,serial_seconds,verdict,device,"
        "driver,platform,layer,version,commit,date")
ORIGIN = '"a GPU","1.0","a platform","local","0.2.0","abc","2026-01-01"'
ROWS = (
    '"scan","int32 <add>","clprims","lookback",1024,8192,4e-6,3e-6,0,equal',
    '"scan","int32 <add>","clprims","lookback",4096,32768,5e-6,4e-6,0,equal',
    '"scan","int32 <add>","CUB","300001",1024,8192,8e-6,3e-6,0,equal',
    '"scan","int32 <add>","CUB","300001",4096,32768,1e-5,4e-6,0,equal',
    '"scan","alone","clprims","lookback",1024,8192,4e-6,3e-6,0,equal',  # one size
    '"scan","no other","clprims","lookback",1024,8192,4e-6,3e-6,0,equal',  # one line
    '"scan","no other","clprims","lookback",4096,32768,4e-6,3e-6,0,equal',
    '"list","random","clprims","ranking",1000,8000,1e-6,0,5e-6,equal',  # beside plain C
    '"list","random","clprims","ranking",10000,80000,2e-6,0,8e-5,equal',
)


def figures(root, *words, status=0):
    result = subprocess.run([sys.executable, root / "bench" / "figures", *map(str, words)],
                            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if result.returncode != status:
        sys.exit(f"FAILED figures {' '.join(map(str, words))}: exit status {result.returncode}, not"
                 f" {status}: {result.stdout}{result.stderr}")
    return result.stdout + result.stderr


def expect(condition, message):
    if not condition:
        sys.exit(f"FAILED {message}")


def write(path, rows, head=HEAD):
    path.write_text("".join(f"{line}\n" for line in (head, *(f"{r},{ORIGIN}" for r in rows))))
    return path


# ---- Numbers ------------------------------------------------------------------------------------

def json_has_all_rows(root, work):
    found = json.loads(figures(root, "json", write(work / "gpu.csv", ROWS)))
    expect(len(found) == len(ROWS), f"JSON has {len(found)} rows of {len(ROWS)}")
    first = found[0]
    expect((first["name"], first["n"], first["seconds"], first["device"])
           == ("int32 <add>", 1024, 4e-6, "a GPU"), f"JSON has {first}")


def tables_have_times(root, work):
    text = figures(root, "tables", write(work / "gpu.csv", ROWS))
    for line in ("| random | 2.00 µs (40 x) |", "| scan | 2^10 | 2^12 |",
                 "| int32 <add>: CUB | 8.00 µs (0.38) | 10.0 µs (0.40) |"):
        expect(line in text, f"the tables lack {line}:\n{text}")


def slower_rows_are_named(root, work):
    head = HEAD.replace("seconds,copy", "seconds,seconds_least,seconds_most,copy")
    row = '"scan","%s","clprims","lookback",1024,8192,%s,%s,%s,3e-6,0,equal'
    old = write(work / "old.csv", [row % (name, 4e-6, 3e-6, 5e-6) for name in "ab"], head)
    new = write(work / "new.csv", (row % ("a", 6e-6, 4.9e-6, 7e-6), row % ("b", 6e-6, 5.1e-6, 7e-6)),
                head)
    said = figures(root, "compare", old, new)
    for line in ("2 rows in both", "  scan: 1.500 (2 rows)", "1 rows slower",
                 "  scan, b, lookback, 2^10: 4.00 µs, now 6.00 µs"):
        expect(line in said, f"compare lacks {line}:\n{said}")
    expect("scan, a," not in said, f"compare names a row whose times overlap:\n{said}")


def bad_files_are_refused(root, work):
    short = write(work / "short.csv", ROWS[:1])
    short.write_text(short.read_text() + "scan,int32\n")
    for path, reason in ((work / "none.csv", "No such file"),
                         (write(work / "other.csv", (), "a,b"), "not a CSV file of clprims-bench"),
                         (short, "line 3: not 17 fields"),
                         (write(work / "text.csv", [ROWS[0].replace("1024", "many")]), "line 2")):
        said = figures(root, "summary", path, status=2)
        expect(reason in said and "Traceback" not in said, f"{path.name}: {said}")


def copy_of_documents(root, work):
    tree = work / "tree"
    shutil.copytree(root / "bench", tree / "bench")
    shutil.copy(root / "README.md", tree)
    return tree


def changed_figures_are_noticed(root, work):
    tree = copy_of_documents(root, work)
    names = ("README.md", "bench/results/tables.md", "bench/textbook/README.md")
    figures(tree, "check", "--plots", *(tree / name for name in names))
    for name in names:
        text = (tree / name).read_text(encoding="utf-8")
        (tree / name).write_text(text.replace("0.9", "0.8"), encoding="utf-8")
        said = figures(tree, "check", tree / name, status=1)
        expect(f"{name} is out of date" in said, f"a changed figure in {name}: {said}")
    # The plot of README.md, "h200_scan_int32_add_excl", shows rows of this file.
    (stored,) = (tree / "bench" / "results").glob("h200_*_scan.csv")
    stored.write_text(stored.read_text().replace(",1024,8192,", ",1024,8192,1"))
    expect("not drawn from today's figures" in figures(tree, "check", "--plots", status=1),
           "a plot of other figures was not noticed")
    text = stored.read_text()
    for wrong in ("wrong", "failed"):
        stored.write_text(text.replace(",equal,", f",{wrong},", 1))
        expect(wrong in figures(tree, "check", tree / "README.md", status=1),
               f"a document of a {wrong} result was not refused")


def faster_libraries_need_a_reason(root, work):
    tree = copy_of_documents(root, work)
    (stored,) = (tree / "bench" / "results").glob("h200_*[0-9]_sort.csv")
    text, changed = re.subn(r'("sort","uint32 keys","CUB","[^"]*",268435456,\d+),[^,]*', r"\1,1e-4",
                            stored.read_text())
    expect(changed == 1, f"{changed} rows of CUB were changed")
    stored.write_text(text)
    said = figures(tree, "check", tree / "bench/results/tables.md", status=1)
    expect("CUB is faster in sort uint32 keys, n = 2^28" in said, f"no reason was asked for: {said}")


# ---- Plots --------------------------------------------------------------------------------------

def plots_have_their_lines(root, work):
    for folder in ("svg", "png"):
        figures(root, "plots", "--to", work / folder, "--format", folder,
                write(work / "gpu.csv", ROWS))
        found = sorted(path.name for path in (work / folder).iterdir())
        wanted = [f"gpu_{name}.{folder}" for name in ("list_random", "scan_int32__add_")]
        expect(found == wanted, f"the plots are {found}, not {wanted}")
    texts = texts_of(work / "svg" / "gpu_scan_int32__add_.svg")
    for text in ("clprims", "CUB", "scan: int32 <add>", "2^10", "2^12"):
        expect(text in texts, f"the plot of the scan lacks {text}")
    expect("plain C, one core" in texts_of(work / "svg" / "gpu_list_random.svg"),
           "the plot of the list lacks plain C")


def texts_of(path):
    return [element.text for element in xml.etree.ElementTree.parse(path).iter()
            if element.tag.endswith("}text")]


def stored_figures_can_be_drawn(root, work):
    said = figures(root, "plots", "--to", work / "stored", "--only", "scan int")
    count = len(list((work / "stored").glob("*.svg")))
    expect(count > 2 and said == f"{count} plots are in {work / 'stored'}\n", said)


def main():
    root, what = pathlib.Path(sys.argv[1]).resolve(), sys.argv[2]
    if what == "plots":
        try:
            import matplotlib  # noqa: F401
        except ImportError:
            print("SKIPPED all: python3 has no matplotlib")
            sys.exit(77)
    checks = {"numbers": (json_has_all_rows, tables_have_times, slower_rows_are_named,
                          bad_files_are_refused, changed_figures_are_noticed,
                          faster_libraries_need_a_reason),
              "plots": (plots_have_their_lines, stored_figures_can_be_drawn)}[what]
    for check in checks:
        with tempfile.TemporaryDirectory() as work:
            check(root, pathlib.Path(work).resolve())
        print(f"{check.__name__}: passed")
    print(f"cases: {len(checks)} passed, 0 failed, 0 skipped")


if __name__ == "__main__":
    main()
