# SPDX-License-Identifier: MIT
"""What compilers for GPUs make of a program: a row for each kernel, which is its name, work-group,
registers, spills, private memory and local memory."""
import hashlib
import inspect
import os
import re
import subprocess
from pathlib import Path

HERE = Path(__file__).resolve().parent
NO_GROUP = 128  # work-items of a kernel that names no size: of print_programs' own blocks


class Refused(Exception):
    pass


class Unfit(Exception):
    """The program needs what the GPU does not have."""


def output_of(command, **more):
    done = subprocess.run([str(word) for word in command], stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, **more)
    if done.returncode != 0:
        raise Refused(done.stdout)
    return done.stdout


def number_of(size):
    """What the preprocessor leaves of a group's size: 256, or (256 * 2)."""
    if not re.fullmatch(r"[\d\s()*+-]+", size):
        raise Refused(f"a work-group of {size}")
    return eval(size)


class Keeper:
    """Texts that an earlier run made, by what they were made of."""

    def __init__(self, folder):
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)

    def get(self, key, make):
        path = self.folder / hashlib.sha256(key.encode()).hexdigest()
        if not path.exists():
            own = path.with_suffix(f".{os.getpid()}")
            own.write_text(make())
            own.replace(path)
        return path.read_text()


class ClangPtx:
    """PTX by clang, for the oldest GPU: what is newer stands in the kernels as inline PTX. GPUs of
    which the library knows the same share it."""

    OPENCL = ["-x", "cl", "-Dasm=__asm__", "-cl-std=CL1.2", "-Xclang", "-cl-ext=+all", "-target",
              "nvptx64-nvidia-nvcl", "-Xclang", "-target-cpu", "-Xclang", "sm_70", "-Xclang",
              "-target-feature", "-Xclang", "+ptx63", "-w", "-O3"]
    HEADER = ["-Xclang", "-finclude-default-header"]

    def __init__(self, clang, folder, keeper):
        self.clang, self.folder, self.keeper = clang, folder, keeper
        self.builtins = folder / "builtins.bc"
        output_of([clang, *self.OPENCL, *self.HEADER, "-emit-llvm", "-c", "-o", self.builtins,
                   HERE / "builtins.cl"])
        self.name = output_of([clang, "--version"]).splitlines()[0]
        self.key = self.name + (HERE / "builtins.cl").read_text() + inspect.getsource(ClangPtx)

    def make(self, program):
        ptx = self.folder / "program.ptx"
        output_of([self.clang, *self.OPENCL, *self.HEADER, "-Xclang", "-mlink-builtin-bitcode",
                   "-Xclang", self.builtins, "-S", "-o", ptx, program])
        return ptx.read_text()

    def ptx_of(self, program):
        text = output_of([self.clang, *self.OPENCL, "-E", "-P", program])
        ptx = self.keeper.get(self.key + text, lambda: self.make(program))
        # clang leaves the size of the work-groups out.
        for size, kernel in re.findall(
                r"reqd_work_group_size\((.*?), 1, 1\)\)\) kernel\s+void (\w+)", text):
            ptx = re.sub(rf"(\.entry {kernel}\([^)]*\)\s*)\{{",
                         rf"\1.reqntid {number_of(size)}, 1, 1\n{{", ptx)
        return ptx


class DriverPtx:
    """PTX that NVIDIA's driver made of the same programs, in a folder (driver_ptx.c)."""

    def __init__(self, folder):
        self.folder = Path(folder)
        self.name = (self.folder / "driver").read_text().strip()

    def ptx_of(self, program):
        return (self.folder / f"{program.stem}.ptx").read_text()


class Ptxas:
    """NVIDIA's assembler behind the compiler that makes the PTX."""

    def __init__(self, front, ptxas, architecture, folder, keeper):
        self.front, self.ptxas, self.architecture = front, ptxas, architecture
        self.folder, self.keeper = folder, keeper
        said = output_of([ptxas, "--version"])
        self.assembler = f"ptxas {re.search(r'V([0-9.]+)', said)[1]}"
        self.name = f"{front.name}, {self.assembler}"

    def say(self, ptx, options):
        path = self.folder / "program.ptx"
        path.write_text(ptx)
        # Relocatable code may take more than 48 KB of local memory, as the driver's may.
        return output_of([self.ptxas, "-c", "-v", f"-arch={self.architecture}", *options, "-o",
                          self.folder / "program.cubin", path])

    def kernels_of(self, program):
        limit = re.search(r"-cl-nv-maxrregcount=(\d+)", program.read_text())
        options = [f"--maxrregcount={limit[1]}"] if limit else []
        ptx = self.front.ptx_of(program)
        ptx = re.sub(r"(?m)^\.version .*", ".version 8.7", ptx, count=1)
        ptx = re.sub(r"(?m)^\.target .*", f".target {self.architecture}", ptx, count=1)
        groups = dict(re.findall(r"\.entry (\w+)\s*\([^)]*\)\s*\.reqntid (\d+)", ptx))
        said = self.keeper.get(f"{self.assembler} {self.architecture} {options} {ptx}",
                               lambda: self.say(ptx, options))
        rows = []
        for kernel, facts in re.findall(
                r"Compiling entry function '(\w+)'.*\n((?:(?!.*Compiling).*\n)*)", said):
            def number(pattern):
                return int((re.search(pattern, facts) or [0, 0])[1])
            rows.append([kernel, int(groups.get(kernel, NO_GROUP)), number(r"Used (\d+) registers"),
                         number(r"(\d+) bytes spill stores") + number(r"(\d+) bytes spill loads"),
                         number(r"(\d+) bytes stack frame"), number(r"(\d+) bytes smem")])
        if not rows or len(rows) < len(groups):
            raise Refused(f"{len(groups)} kernels, {len(rows)} of them reported:\n{said}")
        return rows


class Amdgcn:
    """AMD's machine code by clang, of whose YAML about kernels the numbers are."""

    def __init__(self, clang, architecture, folder, keeper):
        self.folder, self.keeper = folder, keeper
        self.command = [clang, "-x", "cl", "-cl-std=CL1.2", "-target", "amdgcn-amd-amdhsa",
                        f"-mcpu={architecture}", "-nogpulib", "-w", "-O3", "-Xclang",
                        "-finclude-default-header"]
        self.builtins = folder / "builtins.bc"
        output_of([*self.command, "-emit-llvm", "-c", "-o", self.builtins, HERE / "builtins.cl"])
        self.name = output_of([clang, "--version"]).splitlines()[0]
        self.key = f"{self.name} {self.command} {(HERE / 'builtins.cl').read_text()}"

    def make(self, program):
        code = self.folder / "program.s"
        output_of([*self.command, "-Xclang", "-mlink-builtin-bitcode", "-Xclang", self.builtins,
                   "-S", "-o", code, program])
        text = code.read_text()
        lacks = (set(re.findall(r"([\w.$]+)@\w*rel32@lo", text))
                 - set(re.findall(r"(?m)^([\w.$]+):", text)))
        if lacks:
            raise Refused(f"unresolved: {' '.join(sorted(lacks))}")
        return text.partition(".amdgpu_metadata\n")[2].partition(".end_amdgpu_metadata")[0]

    def kernels_of(self, program):
        said = self.keeper.get(self.key + program.read_text(), lambda: self.make(program))
        rows = []
        for facts in re.split(r"(?m)^  - \.", said)[1:]:
            def number(name):
                return int((re.search(rf"\.{name}:\s+(\d+)", facts) or [0, 0])[1])
            rows.append([re.search(r"(?m)^    \.name:\s+(\w+)", facts)[1],
                         number("max_flat_workgroup_size"), number("vgpr_count"),
                         4 * number("vgpr_spill_count"), number("private_segment_fixed_size"),
                         number("group_segment_fixed_size")])
        return rows


class Ocloc:
    """Intel's machine code by its own compiler, from a folder with the packages' contents."""

    # What the driver adds where a program is built: declarations that the compiler's header has.
    INTERNAL = "-cl-ext=+__opencl_c_images,+__opencl_c_read_write_images"

    def __init__(self, packages, architecture, folder, keeper):
        packages = Path(packages).resolve()
        self.architecture, self.folder, self.keeper = architecture, folder, keeper
        self.ocloc = packages / "usr/bin/ocloc"
        libraries = next(packages.glob("usr/lib/*/libocloc.so")).parent
        self.places = dict(os.environ, LD_LIBRARY_PATH=str(libraries))
        self.name = f"ocloc {(packages / 'version').read_text().strip()}"

    def make(self, program):
        for old in self.folder.glob("binary_*"):
            old.unlink()
        try:
            said = output_of([self.ocloc, "compile", "--format", "zebin", "-file", program,
                              "-device", self.architecture, "-options", "-w -cl-std=CL3.0",
                              "-internal_options", self.INTERNAL, "-out_dir", self.folder,
                              "-output", "binary"], env=self.places)
        except Refused as why:
            if "requires cl_khr_fp64" not in str(why):
                raise
            return "no doubles"
        code = next(self.folder.glob("binary_*.bin")).read_bytes()
        facts = code[code.index(b"\nkernels:"):].partition(b"\0")[0]
        facts = facts.partition(b"\nkernels_misc_info")[0].decode()
        return said + facts

    def kernels_of(self, program):
        key = f"{self.name} {self.architecture} {inspect.getsource(Ocloc)} {program.read_text()}"
        said = self.keeper.get(key, lambda: self.make(program))
        if said == "no doubles":
            raise Unfit
        warnings, *kernels = re.split(r"\n  - name: +", said)
        spills = dict(re.findall(r"kernel (\w+) +compiled .* spilled around (\d+)", warnings))
        rows = []
        for facts in kernels:
            def number(pattern):
                return int((re.search(pattern + r" +(\d+)", facts) or [0, 0])[1])
            name = facts.partition("\n")[0].strip()
            if name.startswith("Intel_"):  # a table of symbols
                continue
            rows.append([name, number(r"required_work_group_size: \[") or NO_GROUP, number("grf_count:"),
                         int(spills.get(name, 0)), number(r"usage: +private_space\s+size:"),
                         number("slm_size:")])
        return rows


# Whose spills are in spills.txt; each compiler, and each version, spills elsewhere.
KNOWN = r"clang version 14\..* ptxas|clang version 19\.[^,]*$|ocloc 22\.43\."


def compiler_of(architecture, compiler, package, folder, keeper):
    """None where the compiler is not there."""
    if architecture.startswith("gfx"):
        return Amdgcn(compiler, architecture, folder, keeper) if compiler else None
    if not architecture.startswith("sm_"):
        is_there = (Path(package) / "usr/bin/ocloc").exists()
        return Ocloc(package, architecture, folder, keeper) if is_there else None
    ptxas = next(Path(package).glob("lib/python*/site-packages/nvidia/cuda_nvcc/bin/ptxas"), None)
    if ptxas is None:
        return None
    front = (DriverPtx(compiler) if Path(compiler).is_dir()
             else ClangPtx(compiler, folder, keeper))
    return Ptxas(front, ptxas, architecture, folder, keeper)
