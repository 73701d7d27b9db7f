# SPDX-License-Identifier: MIT
"""tests/mutate --random: changes that nobody chose. A line is drawn, then one of the rules that apply
to it (rules.py), then a place. Each change is made in a copy of the tree, which is built as usual with
warnings as errors; then the tests of ctest that can notice it run, the likeliest first, until one
fails.

A change that does not compile, or leaves a warning, is drawn again. So is one of a kernel's line that
no test gives a compiler: the tests say which programs they build (CLPRIMS_TEST_KEEP_PROGRAMS), and
their preprocessor says which lines stand in them."""
import concurrent.futures
import fnmatch
import hashlib
import json
import os
import queue
import random
import re
import shutil
import subprocess
import threading
import time
from collections import defaultdict
from pathlib import Path

import rules

ROOT = Path(__file__).resolve().parent.parent.parent
PLACE = ROOT / "build" / "mutate" / "drawn"
CACHES = ROOT / "build" / "mutate" / "pocl"
# Tests that run the library; the others look at the tree, at documents and packages.
WORTH = re.compile(r"(context|core|create|store|packs|files|probe|once|calls|fuzz|cli|sizes|faults|emulated|grids|ranks|"
                   r"start_together|local_memory|memory_limits|fake_\w+|oclgrind|example|PRIMITIVES)\b")
# The same that belong to no primitive.
SHARED = re.compile(r"(core|context|create|store|packs|calls|faults|fuzz|sizes|once|cli|start_together|local_memory|"
                    r"memory_limits|fake_\w+|emulated|ranks|grids|example)\b")
# Of these the cases that name the primitive are run alone.
BY_NAME = {"calls", "faults", "faults.create", "fuzz", "sizes"}
# The primitives that run what a room has, where these are neither all nor the room's own.
USERS = {"engine": ["scan", "offsets", "select", "segmented"],
         "sort": ["sort", "segmented_sort", "topk"]}
KERNEL_REFUSED = "the OpenCL compiler refuses the program"
MEMORY = 12 << 20  # KiB that a test may ask for: a wrong size must not take the machine's
PATIENCE = 30.0, 4.0  # seconds, and times what the test takes without a change


def tracked():
    listed = subprocess.run(["git", "ls-files", "-co", "--exclude-standard"], cwd=ROOT, check=True,
                            capture_output=True, text=True).stdout
    return [name for name in listed.splitlines() if (ROOT / name).is_file()]


def tree_hash(files):
    digest = hashlib.sha256()
    for name in files:
        digest.update(name.encode() + b"\0" + (ROOT / name).read_bytes())
    return digest.hexdigest()[:16]


class Copy:
    """A copy of the tree, with a build of its own."""

    def __init__(self, name, run):
        self.root, self.run = PLACE / name, run
        self.build = self.root / "build" / "plain"

    def refresh(self, files):
        for name in files:
            to, new = self.root / name, (ROOT / name).read_bytes()
            if not to.exists() or to.read_bytes() != new:
                to.parent.mkdir(parents=True, exist_ok=True)
                to.write_bytes(new)
                shutil.copymode(ROOT / name, to)
        for old in self.root.glob("*/**/*"):
            if old.is_file() and self.build.parent not in old.parents and \
                    str(old.relative_to(self.root)) not in files:
                old.unlink()

    def configure(self):
        return self.run(["cmake", "-S", self.root, "-B", self.build, "-G", "Ninja",
                         "-DCMAKE_BUILD_TYPE=None", "-DCMAKE_C_FLAGS=-O1 -DNDEBUG", "-DCLPRIMS_STRICT=ON",
                         f"-DCLPRIMS_POCL_CACHES={CACHES}"])

    def make(self, targets, jobs=1):
        return self.run(["ninja", "-C", self.build, "-j", str(jobs), *targets])

    def tests(self):
        listed = subprocess.run(["ctest", "--show-only=json-v1"], cwd=self.build, check=True,
                                capture_output=True, text=True).stdout
        return {test["name"]: Test(test, self.build) for test in json.loads(listed)["tests"]
                if "command" in test}


class Test:
    """What ctest runs, wherever the copy is."""
    seconds = {}  # without a change, by name and patterns; None: the cases don't exist, or fail

    def __init__(self, listed, build):
        self.name, self.command = listed["name"], listed["command"]
        properties = {item["name"]: item["value"] for item in listed.get("properties", [])}
        self.environment = properties.get("ENVIRONMENT", [])
        self.fails = properties.get("FAIL_REGULAR_EXPRESSION", [])
        self.passes = properties.get("PASS_REGULAR_EXPRESSION", [])
        self.folder = properties["WORKING_DIRECTORY"]
        self.build = build

    def targets(self):
        """The files of the build that the test runs."""
        found = [word.replace(str(self.build) + "/", "", 1) for word in self.command
                 if word.startswith(str(self.build) + "/")]
        return [name for name in found if "." not in Path(name).name or name.endswith(".so")]

    def start(self, copy, patterns, more):
        """Returns how the test fails in that copy, or None, and its output."""
        def there(text):
            return text.replace(str(self.build.parent.parent), str(copy.root))
        environment = dict(os.environ, CLPRIMS_TEST_FIRST_FAILURE="1", **more)
        environment.update(pair.split("=", 1) for pair in map(there, self.environment))
        environment.pop("CLPRIMS_TEST_PROGRAMS", None)
        command = ["bash", "-c", f"ulimit -v {MEMORY}; exec \"$@\"", "-", *map(there, self.command), *patterns]
        status, output = copy.run(command, limit=self.limit(patterns), env=environment,
                                  cwd=there(self.folder))
        if status is None:
            return "no end", output
        if status == 77:
            return None, output
        failed = status != 0 or any(re.search(text, output) for text in self.fails) or \
            not all(re.search(text, output) for text in self.passes)
        names = re.findall(r"^FAILED (\S+)", output, re.MULTILINE)
        return (names[0] if names else f"exit status {status}") if failed else None, output

    def limit(self, patterns):
        usual = Test.seconds.get((self.name, *patterns))
        return None if usual is None else PATIENCE[0] + PATIENCE[1] * usual


class Drawing:
    def __init__(self, options, run):
        self.options, self.run = options, run
        self.primitives = defaultdict(list)  # by room
        for program in sorted(ROOT.glob("tests/*/test_*.c")):
            if (ROOT / "cl" / program.parent.name).exists():
                self.primitives[program.parent.name].append(program.stem[len("test_"):])
        names = [name for some in self.primitives.values() for name in some]
        self.worth = re.compile(WORTH.pattern.replace("PRIMITIVES", "|".join(names)))
        self.unchanged, self.lock = {}, threading.Lock()
        self.runs, self.notices = defaultdict(int), defaultdict(int)  # by room and test
        log = self.options.log
        self.known = {change: verdict for change, *verdict in map(json.loads, log.read_text().splitlines())} \
            if log and log.exists() else {}

    def pool(self):
        return concurrent.futures.ThreadPoolExecutor(self.options.jobs)

    # ---- Without a change --------------------------------------------------------------------

    def prepare(self):
        files = tracked()
        PLACE.mkdir(parents=True, exist_ok=True)
        self.clean = Copy("clean", self.run)
        self.copies = [Copy(f"copy{k}", self.run) for k in range(self.options.jobs)]

        def build(copy, jobs=1):
            copy.refresh(files)
            status, output = copy.configure()
            if status == 0:
                status, output = copy.make(["all"], jobs)
            if status != 0:
                raise RuntimeError(f"the build without a change fails:\n{output[-3000:]}")
        build(self.clean, self.options.jobs)
        with self.pool() as pool:
            list(pool.map(build, self.copies))
        self.free = queue.Queue()
        for copy in self.copies:
            self.free.put(copy)
        self.tests = {name: test for name, test in self.clean.tests().items() if self.worth.match(name)}
        self.kept = PLACE / ("programs-" + tree_hash(files))
        known = self.kept / "seconds.json"
        if not known.exists():
            self.run_unchanged()
            known.write_text(json.dumps({name: Test.seconds[(name,)] for name in self.tests}))
        Test.seconds.update(((name,), seconds) for name, seconds in json.loads(known.read_text()).items())
        self.tests = {name: test for name, test in self.tests.items() if (name,) in Test.seconds}

    def run_unchanged(self):
        """All tests once: their seconds, and the programs that they build. A test that fails beside
        others runs once more, because PoCL 3.1 may fail where several processes build one program
        at once."""
        for old in PLACE.glob("programs-*"):
            shutil.rmtree(old)

        def once(test):
            folder = self.kept / test.name
            folder.mkdir(parents=True)
            start = time.monotonic()
            failure, output = test.start(self.clean, [], {"CLPRIMS_TEST_KEEP_PROGRAMS": str(folder)})
            if failure:
                start = time.monotonic()
                failure, output = test.start(self.clean, [], {"CLPRIMS_TEST_KEEP_PROGRAMS": str(folder)})
            return test, failure, output, time.monotonic() - start
        with self.pool() as pool:
            for test, failure, output, seconds in pool.map(once, list(self.tests.values())):
                print(f"without a change {seconds:6.1f} s  {test.name}  {failure or ''}", flush=True)
                if failure:
                    print(f"{output[-1500:]}\n{test.name} is left out", flush=True)
                    del self.tests[test.name]
                Test.seconds[(test.name,)] = seconds

    def lines_by_test(self):
        """By file and line of cl/, the tests that give the line to a compiler."""
        texts = defaultdict(set)
        for name in self.tests:
            for program in (self.kept / name).glob("*.cl"):
                texts[program.read_text()].add(name)
        emulated = self.kept / "emulated-programs"
        emulated.mkdir(exist_ok=True)
        status, output = self.run([self.clean.build / "tests" / "print_programs", emulated, "0"])
        if status != 0:
            raise RuntimeError(output)
        for program in emulated.glob("*.cl"):
            if self.is_emulated(program.stem):
                texts[program.read_text()].add("emulated")
        lines = defaultdict(set)
        with self.pool() as pool:
            for here, names in zip(pool.map(self.lines_of, texts), texts.values()):
                for place in here:
                    lines[place] |= names
        return lines

    def is_emulated(self, program):
        listed = re.findall(r'\("([\w.*-]+)", "clp_', (ROOT / "tests/emulated/emulate").read_text())
        return any(fnmatch.fnmatch(program, pattern) for pattern in listed)

    def lines_of(self, text):
        """The lines of cl/ that the program's preprocessor leaves, definitions too."""
        first = text.split("\n", 1)[0]
        options = [word for word in first[len("// "):].split() if word.startswith(("-D", "-cl-std"))] \
            if first.startswith("// -") else []
        shown = subprocess.run(["clang", "-E", "-dD", "-x", "cl", "-w", "-D__OPENCL_C_VERSION__=120",
                                *options, "-"], input=text, capture_output=True, text=True).stdout
        found, name, number = set(), "", 0
        for line in shown.split("\n"):
            marker = re.match(r'# (\d+) "([^"]*)"', line)
            if marker:
                name, number = Path(marker[2]).name, int(marker[1])
                continue
            if line.strip():
                found.add((name, number))
            number += 1
        return found

    # ---- A change ----------------------------------------------------------------------------

    def likely(self, change):
        """The tests that can notice the change, with the names of cases; those first of which a second
        has noticed most changes of that room so far."""
        room = Path(change.file).parts[1]
        own = USERS.get(room) or self.primitives.get(room, [])
        chosen = []
        for test in self.tests.values():
            base = test.name.split(".")[0]
            is_own = base in own or (base == "oclgrind" and any(f"oclgrind.{name}" in test.name for name in own))
            if room == "cli" and base == "cli" or room == "mpi" and base in ("ranks", "grids", "example") or \
                    room == "once" and base == "once":
                is_own = True
            if change.file.startswith("cl/"):
                if test.name not in self.by_line[(Path(change.file).name, change.line)] and not \
                        (room == "mpi" and is_own):
                    continue
            elif own and not is_own and not SHARED.match(test.name):
                continue
            elif room in ("cli", "mpi") and not is_own:
                continue
            patterns = [[]]
            if own and not is_own and test.name in BY_NAME:
                patterns = [[f"*{name}*"] for name in own]
            place = room, test.name
            rate = (self.notices[place] + (0.5 if is_own else 0.05)) / (self.runs[place] + 1)
            chosen += [((1.0 + Test.seconds[(test.name,)]) / rate, test, pattern) for pattern in patterns]
        return [(test, pattern) for _, test, pattern in sorted(chosen, key=lambda item: item[0])]

    def can_run(self, test, patterns):
        """Whether the cases of that name exist and pass without a change."""
        key = (test.name, *patterns)
        with self.lock:
            lock = self.unchanged.setdefault(key, threading.Lock())
        with lock:
            if key not in Test.seconds:
                start = time.monotonic()
                failure, output = test.start(self.clean, patterns, {})
                Test.seconds[key] = None if failure else time.monotonic() - start
        return Test.seconds[key] is not None

    def judge(self, change, copy):
        """Returns the verdict and what noticed the change."""
        path = copy.root / change.file
        source = path.read_text()
        more = {"CLPRIMS_CL_DIR": str(copy.root / "cl")} if change.file.startswith("cl/") and \
            "/mpi/" not in change.file else {}
        try:
            path.write_text(change.apply(source))
            for test, patterns in self.likely(change):
                if not self.can_run(test, patterns):
                    continue
                if not more:
                    status, output = copy.make(test.targets())
                    if status != 0:
                        return "broken", ""
                failure, output = test.start(copy, patterns, more)
                if failure and more and KERNEL_REFUSED in output:
                    return "broken", ""
                place = Path(change.file).parts[1], test.name
                self.runs[place] += 1
                self.notices[place] += failure is not None
                if failure:
                    return "noticed", f"{test.name}: {failure}"
            return "SURVIVED", ""
        finally:
            path.write_text(source)

    def is_equivalent(self, change, source):
        """Whether a table has the same change, with the reason why no test can notice it."""
        changed = change.apply(source)
        return any(mutant.file == change.file and mutant.equivalent is not None and
                   mutant.apply(source) == changed for mutant in self.options.tables)

    # ---- All of it ---------------------------------------------------------------------------

    def drawn(self, folder):
        """All changes of a folder's lines, in the order in which they are drawn."""
        lines = []
        for name in tracked():
            if name.startswith(folder + "/") and name.endswith((".c", ".h", ".cl")):
                source = (ROOT / name).read_text()
                for number, found in sorted(rules.changes(name, source).items()):
                    if folder == "cl" and "/mpi/" not in name and \
                            not self.by_line[(Path(name).name, number)]:
                        continue
                    lines.append((source, found))
        draw = random.Random(f"{folder} {self.options.seed}")
        draw.shuffle(lines)
        for source, found in lines:
            by_rule = defaultdict(list)
            for change in found:
                by_rule[change.rule].append(change)
            yield source, draw.choice(by_rule[draw.choice(sorted(by_rule))])

    def score(self, folder):
        """Draws until enough changes have a verdict; returns the survivors."""
        verdicts, survivors = defaultdict(int), []

        def one(item):
            source, change = item
            if self.is_equivalent(change, source):
                return item, "equivalent", "", 0.0
            if change.show(source) in self.known:
                return (item, *self.known[change.show(source)], 0.0)
            copy = self.free.get()
            start = time.monotonic()
            try:
                return (item, *self.judge(change, copy), time.monotonic() - start)
            finally:
                self.free.put(copy)

        def counted():
            return verdicts["noticed"] + verdicts["SURVIVED"]
        stream, waiting = self.drawn(folder), set()
        with self.pool() as pool:
            while counted() < self.options.random:
                while len(waiting) < len(self.copies) and counted() + len(waiting) < self.options.random:
                    item = next(stream, None)
                    if item is None:
                        break
                    waiting.add(pool.submit(one, item))
                if not waiting:
                    break
                done, waiting = concurrent.futures.wait(waiting, return_when="FIRST_COMPLETED")
                for result in done:
                    (source, change), verdict, by, seconds = result.result()
                    verdicts[verdict] += 1
                    if verdict == "SURVIVED":
                        survivors.append((source, change))
                    print(f"{verdict:<10} {seconds:5.1f} s  {change.file}:{change.line} {change.rule}  {by}",
                          flush=True)
                    if verdict == "SURVIVED":
                        print(change.show(source), flush=True)
                    if self.options.log and change.show(source) not in self.known:
                        with open(self.options.log, "a") as log:
                            log.write(json.dumps([change.show(source), verdict, by]) + "\n")
        noticed, all_of = verdicts["noticed"], max(1, counted())
        print(f"{folder}, seed {self.options.seed}: {noticed} of {counted()} changes noticed "
              f"({100.0 * noticed / all_of:.1f} %); {verdicts['equivalent']} equivalent and "
              f"{verdicts['broken']} refused by a compiler, not counted", flush=True)
        return survivors


def run(options, processes_run):
    drawing = Drawing(options, processes_run)
    drawing.prepare()
    folders = [folder for folder, wanted in (("src", options.host), ("cl", options.kernels))
               if wanted or options.host == options.kernels]
    drawing.by_line = drawing.lines_by_test() if "cl" in folders else defaultdict(set)
    with concurrent.futures.ThreadPoolExecutor(len(folders)) as pool:
        survivors = [survivor for some in pool.map(drawing.score, folders) for survivor in some]
    if survivors:
        print("\nsurvivors:")
        for source, change in survivors:
            print(change.show(source))
    return 1 if survivors else 0
