# SPDX-License-Identifier: MIT
"""The GPUs for which programs are compiled: what a unit has, and how many work-groups it holds."""
KB = 1024
# Of fake_kind in tests/harness/fake_opencl.h: what AMD's and Intel's GPUs look like to the library.
LOCAL_LAYER, SUBGROUPS = 4, 2


class Nvidia:
    """A multiprocessor, as NVIDIA's CUDA C++ Programming Guide has it in the table "Technical
    Specifications per Compute Capability"."""

    def __init__(self, kind, name, work_items, groups, local, of_group):
        self.kind, self.name = kind, name
        self.work_items, self.groups = work_items, groups
        # The library takes no more than its probe did, 1 KB less than a work-group may have.
        self.local, self.of_group = local * KB, (of_group - 1) * KB
        # From sm_80 on the system takes 1 KB for each work-group.
        self.system = KB if of_group > 96 else 0

    def resident(self, group, registers, local):
        """Work-groups that a multiprocessor holds at once."""
        warps = -(-group // 32)
        # Each of four schedulers has registers of its own and gives them in units of 256.
        of_warp = -(-registers * 32 // 256) * 256
        by_registers = 65536 // 4 // of_warp * 4 // warps
        by_local = self.local // (local + self.system) if local + self.system > 0 else self.groups
        return min(self.groups, self.work_items // (32 * warps), by_registers, by_local)


class Amd:
    """A compute unit, from RDNA on two of them that share a work-group, as LLVM's "User Guide for
    AMDGPU Backend" and AMD's ISA documents have it: four SIMDs with vector registers for some
    waves."""
    kind, of_group = LOCAL_LAYER, 64 * KB

    def __init__(self, name, wave, waves, registers, unit, local):
        self.name, self.wave, self.waves = name, wave, waves
        self.registers, self.unit, self.local = registers, unit, local * KB

    def resident(self, group, registers, local):
        taken = -(-max(registers, 1) // self.unit) * self.unit
        waves = 4 * min(self.waves, self.registers // taken)
        by_local = self.local // local if local > 0 else waves
        return min(waves // -(-group // self.wave), by_local)


class Intel:
    """An Xe core, as Intel's "oneAPI GPU Optimization Guide" has it: engines of eight threads with
    128 registers, or four with 256."""
    kind, of_group, local, width = SUBGROUPS, 64 * KB, 128 * KB, 16

    def __init__(self, name, engines):
        self.name, self.engines = name, engines

    def resident(self, group, registers, local):
        threads = self.engines * (4 if registers > 128 else 8)
        by_local = self.local // local if local > 0 else threads
        return min(threads // -(-group // self.width), by_local)


GPUS = {"sm_70": Nvidia(6, "V100", 2048, 32, 96, 96),
        "sm_75": Nvidia(7, "RTX 2080", 1024, 16, 64, 64),
        "sm_80": Nvidia(1, "A100", 2048, 32, 164, 163),
        "sm_86": Nvidia(8, "RTX 3090", 1536, 16, 100, 99),
        "sm_89": Nvidia(9, "RTX 4090", 1536, 24, 100, 99),
        "sm_90": Nvidia(0, "H200", 2048, 32, 228, 227),
        "sm_100": Nvidia(10, "B200", 2048, 32, 228, 227),
        "sm_120": Nvidia(11, "RTX 5090", 1536, 24, 100, 99),
        "gfx90a": Amd("MI250", 64, 8, 512, 8, 64),
        "gfx942": Amd("MI300", 64, 8, 512, 8, 64),
        "gfx1030": Amd("RX 6800", 32, 16, 1024, 16, 128),
        "gfx1100": Amd("RX 7900", 32, 16, 1536, 24, 128),
        "gfx1201": Amd("RX 9070", 32, 16, 1536, 24, 128),
        "dg2": Intel("Arc A770", 16),
        "pvc": Intel("Max 1550", 8)}
