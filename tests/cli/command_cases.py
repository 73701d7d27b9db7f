#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs the command on small files, as the texts of cases/ say, and where a text says too little.

usage: command_cases.py COMMAND LIBRARY SONAME [PATTERN]; the library is what the command is linked with.
CLPRIMS_TEST_LONG=1 asks for all cases. A line of cases/NAME.txt is

  # a comment
  files                     begins a list of the files that stand in the folder before each run:
      NAME VALUES           "int32 3 1 4", "bool (2, 2) 1 0 0 1", "float64"; "-> FILE": a link to it
  successes PREFIX [STEP]   begins cases PREFIX/NAME, in the default tier one in STEP, of runs
      NAME: SCRIPT          without a message, and
          NAME VALUES; ...  the files that a run makes or changes; NAME alone: whatever it holds
  messages PREFIX           begins cases of runs that say something; if one fails, all files must stay:
      NAME: SCRIPT
          STATUS PART       the exit status, and a part of standard error, in which \\n ends a line

A script of the shell, in which $C is the command, ends with its first command that fails; a script without
$C is the command's line: "scan in -o out". In headers.txt it is "VERSION BYTES LENGTH `HEADER`", of a file
that is scanned; what files_nobody.txt has runs in the folder "mine" of a user without rights.
"""
import fnmatch
import os
import re
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import time
from pathlib import Path

NOBODY, ANYBODY = 65534, 4321
LONG = os.environ.get("CLPRIMS_TEST_LONG", "0") not in ("", "0")
IN, SUMS = "int32 3 1 4 1 5", "int32 0 3 4 8 9"
COMMAND, LIBRARY, SONAME = sys.argv[1:4]


class Skipped(Exception):
    pass


class Failed(Exception):
    pass


def expect(condition, words):
    if not condition:
        raise Failed(words)


# ---- Files --------------------------------------------------------------------------------------------


def npy(text):
    """The file of these values as NumPy would write it."""
    kind, _, rest = text.partition(" ")
    size = 1 if kind == "bool" else int(re.sub(r"\D", "", kind)) // 8
    shape, numbers = re.fullmatch(r"(?:\((.*?)\))?([^()]*)", rest).groups()
    words = numbers.split()
    if kind.startswith("float"):
        data = struct.pack(f"<{len(words)}{'f' if size == 4 else 'd'}", *map(float, words))
    else:
        data = b"".join((int(word) % 256**size).to_bytes(size, "little") for word in words)
    descr = ("|" if size == 1 else "<") + kind[0] + str(size)
    if shape is None:
        shape = f"{len(words)},"
    header = f"{{'descr': '{descr}', 'fortran_order': False, 'shape': ({shape}), }}"
    return b"\x93NUMPY\x01\x00\x76\x00" + header.encode().ljust(117) + b"\n" + data


def foreign(script):
    """The file of "VERSION BYTES LENGTH `HEADER`"; length 0: the header's own."""
    numbers, header = re.fullmatch(r"([\d ]+)`(.*)`", script).groups()
    major, count, length = map(int, numbers.split())
    header = header.encode() + b"\n"
    size = (length or len(header)).to_bytes(2 if major < 2 else 4, "little")
    data = struct.pack("<3i", 3, 1, 4).ljust(count, b"\0")[:count]
    return b"\x93NUMPY" + bytes([major, 0]) + size + header + data


class Folder:
    """A folder of the cases' own, emptied for each but for what another user runs."""

    def __init__(self):
        self.path = Path(tempfile.mkdtemp(prefix="clprims-cli-"))
        self.path.chmod(0o755)
        self.others = self.path / ".others"

    def names(self):
        return sorted(entry.name for entry in os.scandir(self.path) if entry.name != self.others.name)

    def remove(self, name):
        path = self.path / name
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path)
        else:
            path.unlink()

    def fill(self, files):
        for name in self.names():
            self.remove(name)
        for name, values in files.items():
            self.write(name, values)

    def write(self, name, values):
        if values.startswith("-> "):
            (self.path / name).symlink_to(values[3:])
        else:
            (self.path / name).write_bytes(npy(values))

    def expect(self, name, values):
        path = self.path / name
        if values.startswith("-> "):
            expect(os.readlink(path) == values[3:], f"{name} leads elsewhere")
        else:
            expect(path.exists(), f"{name} is not there")
            expect(path.read_bytes() == npy(values), f"{name} is not {values}: {path.read_bytes()}")

    def expect_names(self, names):
        expect(self.names() == names, f"the folder has {self.names()}, not {names}")


folder = Folder()

# ---- Runs ---------------------------------------------------------------------------------------------


def start(script, **how):
    if "$C" not in script:
        script = "exec $C " + script
    how.setdefault("cwd", folder.path)
    how.setdefault("env", {**os.environ, "C": COMMAND})
    return subprocess.Popen(["/bin/sh", "-ec", script], stdin=subprocess.DEVNULL, **how)


class Result:
    def __init__(self, script, **how):
        with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
            self.status = start(script, stdout=out, stderr=err, **how).wait()
            self.out, self.err = (file.seek(0) or file.read().decode(errors="replace") for file in (out, err))
        expect("\x1b" not in self.err, "control characters reach the terminal")


def run(script, status=0, part=""):
    """Fails unless that is the exit status, and standard error has the part; "" of status 0: is empty."""
    result = Result(script)
    if status == 0 and result.status == 3 and "float64" in result.err:
        raise Skipped(result.err.strip())
    said = result.err == "" if status == 0 and part == "" else part in result.err
    expect(result.status == status and said, f"{script}: exit status {result.status}, not {status} with "
           f"'{part}'; standard error: {result.err}")
    return result


def as_nobody(script, work):
    """The build may be where only its owner looks: all that the command needs is copied."""
    others = folder.others
    if not others.exists():
        drivers = Path(os.environ.get("OCL_ICD_VENDORS", "/etc/OpenCL/vendors"))
        (others / "icd").mkdir(parents=True)
        (others / "cache").mkdir()
        (others / "cache").chmod(0o777)
        shutil.copy(COMMAND, others / "clprims")
        shutil.copy(LIBRARY, others / SONAME)
        for driver in drivers.glob("*.icd") if drivers.is_dir() else [drivers]:
            shutil.copy(driver, others / "icd")
        for path in [others, *others.rglob("*")]:
            path.chmod(path.stat().st_mode | (0o555 if path.is_dir() or path.parent == others else 0o444))
    env = {**os.environ, "C": str(others / "clprims"), "LD_LIBRARY_PATH": str(others), "HOME": str(others),
           "POCL_CACHE_DIR": str(others / "cache"), "OCL_ICD_VENDORS": str(others / "icd"),
           "GCOV_PREFIX": str(others),  # where a build for gcovr leaves its counts
           "ASAN_OPTIONS": "detect_leaks=0"}
    env.pop("LSAN_OPTIONS", None)  # the suppressions may be out of reach, too
    return Result(script, cwd=work, env=env, user=NOBODY, group=NOBODY, extra_groups=[])


# ---- Cases of texts -----------------------------------------------------------------------------------


class Case:
    def __init__(self, name, script, files):
        self.name, self.script, self.files = name, script, files

    def expected(self, succeeds, line):
        """The case's second line."""
        self.makes, self.status, self.part = None, 0, ""
        if succeeds:
            words = [file.split(None, 1) for file in line.split(";")]
            self.makes = {word[0]: word[1].strip() if len(word) > 1 else None for word in words if word}
        else:
            status, self.part = line.replace("\\n", "\n").split(" ", 1)
            self.status = int(status)

    def compare(self, script):
        before = folder.names()
        result = run(script, self.status, self.part)
        makes = self.makes or {}
        if self.status == 0 and self.makes is None:
            return result
        for name, values in {**self.files, **makes}.items():
            if values is not None:
                folder.expect(name, values)
        folder.expect_names(sorted({*before, *makes}))
        expect(self.makes is None or result.out == "", f"standard output: {result.out}")
        return result

    def plain(self):
        folder.fill(self.files)
        self.compare(self.script)

    def headers(self):
        folder.fill(self.files)
        (folder.path / "foreign").write_bytes(foreign(self.script))
        result = self.compare("scan foreign -o out")
        expect(self.status == 0 or "foreign: " in result.err, f"names no file: {result.err}")

    def files_nobody(self):
        if os.geteuid() != 0:
            raise Skipped(f"only root can become another user; this is user {os.geteuid()}")
        folder.fill(self.files)
        mine = folder.path / "mine"
        mine.mkdir()
        for name, mode, owner in (("roots", 0o666, (-1, -1)), ("others", 0o644, (NOBODY, ANYBODY))):
            if self.name.endswith("owner-and-group"):
                (mine / name).write_text("old\n")
                (mine / name).chmod(mode)
                os.chown(mine / name, *owner)
        os.chown(mine, NOBODY, NOBODY)
        before = folder.names()
        result = as_nobody(self.script, mine)
        expect(result.status == 0 and result.err == "", f"exit status {result.status}: {result.err}")
        folder.expect_names(before)
        for name, values in self.files.items():
            folder.expect(name, values)


def cases_of(path):
    how = getattr(Case, path.stem, Case.plain)
    files, prefix, step, row = {}, None, 1, 0
    for line in path.read_text().splitlines():
        indent = len(line) - len(line.lstrip())
        if line == "" or line.startswith("#"):
            continue
        if indent == 0:
            kind, _, prefix = line.partition(" ")
            prefix, _, step = prefix.partition(" ")
            row, step = 0, int(step or 1)
            if kind == "files":
                files = {}
        elif prefix == "":
            name, _, values = line.strip().partition(" ")
            files[name] = values
        elif indent == 4:
            name, script = line.strip().split(":", 1)
            case = Case(f"{prefix}/{name}", script.lstrip(), files)
        else:
            case.expected(kind == "successes", line.strip())
            if LONG or row % step == 0:
                yield case.name, lambda case=case: how(case)
            row += 1


# ---- Other cases --------------------------------------------------------------------------------------


def expect_modes(name, mode, owner=None, group=None):
    status = (folder.path / name).stat()
    expect(status.st_mode & 0o777 == mode, f"{name} has mode {status.st_mode:o}")
    expect(owner is None or (status.st_uid, status.st_gid) == (owner, group), f"{name} has another owner")


def keeps_owner():
    folder.fill({"in.npy": IN, "out.npy": "uint8 7"})
    try:
        os.chown(folder.path / "out.npy", 12345, 54321)
    except PermissionError:
        raise Skipped(f"only root can give files away; this is user {os.geteuid()}") from None
    run("scan in.npy -o out.npy")
    folder.expect("out.npy", SUMS)
    expect_modes("out.npy", 0o644, 12345, 54321)


# As Linux stores an access list: version 2, then tag, permissions and id of each entry. The owner may all,
# a user may read, the group nothing, the mask allows reading, others nothing.
ACCESS = struct.pack("<I", 2) + b"".join(struct.pack("<HHI", *entry) for entry in (
    (1, 6, 2**32 - 1), (2, 4, ANYBODY), (4, 0, 2**32 - 1), (16, 4, 2**32 - 1), (32, 0, 2**32 - 1)))


def set_attribute(name, attribute, value):
    try:
        os.setxattr(folder.path / name, attribute, value)
    except OSError as error:
        raise Skipped(f"no {attribute} on this file system: {error.strerror}") from None


def attributes(name):
    return {key: os.getxattr(folder.path / name, key) for key in os.listxattr(folder.path / name)}


def keeps_attributes():
    folder.fill({"in.npy": IN, "out.npy": "uint8 7"})
    set_attribute("out.npy", "user.note", b"kept")
    set_attribute("out.npy", "system.posix_acl_access", ACCESS)
    run("scan in.npy -o out.npy")
    folder.expect("out.npy", SUMS)
    kept = attributes("out.npy")
    expect(kept.get("user.note") == b"kept" and kept.get("system.posix_acl_access") == ACCESS, f"has {kept}")
    expect_modes("out.npy", 0o640)


def takes_no_default_list():
    """A folder's default list is for new files, not for what is replaced."""
    folder.fill({"in.npy": IN})
    (folder.path / "sub").mkdir()
    folder.write("sub/old", "uint8 7")
    set_attribute("sub", "system.posix_acl_default", ACCESS)
    run("scan in.npy -o sub/old")
    run("scan in.npy -o sub/new")
    expect("system.posix_acl_access" not in attributes("sub/old"), "sub/old got its folder's default list")
    expect(attributes("sub/new").get("system.posix_acl_access") == ACCESS, "sub/new did not get it")


def wait_until_listed(child, part, is_needed):
    while not any(part in name for name in folder.names()):
        if child.poll() is not None:
            expect(not is_needed, f"the command ended; there is {folder.names()}")
            return
        time.sleep(0.001)


def removes_temporary():
    """The first output has its temporary file while the second waits for the reader of its pipe."""
    folder.fill({"in.npy": IN, "out.npy": "uint8 7"})
    os.mkfifo(folder.path / "pipe")
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT):
        child = start("unique in.npy -o out.npy --counts pipe")
        wait_until_listed(child, ".clprims-", True)
        child.send_signal(number)
        expect(child.wait() < 0, f"signal {number} does not end the command")
        folder.expect_names(["in.npy", "out.npy", "pipe"])
        folder.expect("out.npy", "uint8 7")


def removes_unfinished():
    """Whether the signal comes in time is a matter of luck; that nothing is left behind is not."""
    large = npy("uint8 (67108864,)") + bytes(2**26)
    folder.fill({})
    (folder.path / "in.npy").write_bytes(large)
    child = start("scan in.npy -o out.npy")
    wait_until_listed(child, ".clprims-", False)
    child.terminate()
    child.wait()
    if folder.names() != ["in.npy"]:
        folder.expect_names(["in.npy", "out.npy"])
        expect((folder.path / "out.npy").read_bytes() == large, "out.npy is no scan of zeros")


STATS = (
    ("scan --stats --accumulate int64 next.npy -o out.npy", "clprims scan: add of 100000 int32 to int64 by ",
     "(1200000 bytes read and written)"),
    ("rank next.npy --stats -o rank.npy", "clprims rank: 100000 int32 links on ",
     "(800000 bytes read and written)"),
    ("offsets next.npy next.npy --stats -o out.npy", "clprims offsets: 100000 int32 intervals by ",
     "(1600008 bytes read and written)"),
    ("select rank.npy --stats -o out.npy", "clprims select: 99999 of 100000 int32 by ",
     "(799996 bytes read and written)"),
)


def prints_stats():
    n = 100000
    folder.fill({})
    folder.write("next.npy", "int32 " + " ".join(str(i - 1) for i in range(n)))
    for script, what, count in STATS:
        said = run(script, 0, what).err
        numbers = re.search(r" layer\): ([\d.e+]+) ms on the device, ([\d.e+]+) GB/s", said)
        expect(numbers and min(map(float, numbers.groups())) > 0 and count in said, f"{script}: {said}")
    # The measured run is the second; its results are the first's.
    folder.expect("rank.npy", "int32 " + " ".join(str(n - 1 - i) for i in range(n)))


OTHERS = (("cli/output/killed", removes_unfinished), ("cli/stats", prints_stats),
          ("cli/files/owner", keeps_owner), ("cli/files/attributes", keeps_attributes),
          ("cli/files/default-list", takes_no_default_list), ("cli/files/signals", removes_temporary))


def main():
    pattern = sys.argv[4] if len(sys.argv) > 4 else "*"
    texts = sorted((Path(__file__).resolve().parent / "cases").glob("*.txt"))
    passed = failed = skipped = 0
    os.environ["XDG_CACHE_HOME"] = "/nonexistent"  # nothing is kept in the user's
    for name, case in [*OTHERS, *(case for text in texts for case in cases_of(text))]:
        if not fnmatch.fnmatchcase(name, pattern):
            continue
        try:
            case()
            passed += 1
        except Skipped as why:
            print(f"SKIPPED {name}: {why}")
            skipped += 1
        except (Failed, OSError) as why:
            print(f"FAILED {name}: {why}", flush=True)
            failed += 1
    shutil.rmtree(folder.path)
    print(f"cases: {passed} passed, {failed} failed, {skipped} skipped")
    return failed > 0 or passed + skipped == 0


if __name__ == "__main__":
    sys.exit(main())
