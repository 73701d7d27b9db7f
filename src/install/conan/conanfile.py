# SPDX-License-Identifier: MIT
"""A Conan recipe: conan create src/install/conan, in a clone or a release's tree."""
from pathlib import Path

from conan import ConanFile
from conan.tools.cmake import CMake, CMakeToolchain, cmake_layout
from conan.tools.files import copy


class Clprims(ConanFile):
    name = "clprims"
    description = "Parallel primitives in C and OpenCL C"
    license = "MIT"
    settings = "os", "arch", "compiler", "build_type"
    options = {"shared": [True, False], "fPIC": [True, False]}
    default_options = {"shared": False, "fPIC": True}
    package_type = "library"
    languages = "C"

    def set_version(self):
        header = Path(self.recipe_folder, "../../../include/clprims/core.h").read_text()
        parts = [line.split()[-1] for line in header.splitlines() if line.startswith("#define CLPRIMS_VERSION_")]
        self.version = ".".join(parts)

    def export_sources(self):
        root = Path(self.recipe_folder, "../../..")
        for pattern in ("CMakeLists.txt", "LICENSE", "README.md", "CHANGELOG.md", "include/*", "src/*", "cl/*",
                        "tests/examples/*"):
            copy(self, pattern, root, self.export_sources_folder, excludes=["build/*"])

    def layout(self):
        cmake_layout(self)

    def generate(self):
        toolchain = CMakeToolchain(self)
        variables = {"SHARED": self.options.shared, "STATIC": not self.options.shared}
        variables |= {name: False for name in ("TESTS", "BENCH", "CLI", "MPI")}
        for name, value in variables.items():
            toolchain.cache_variables[f"CLPRIMS_{name}"] = bool(value)
        toolchain.generate()

    def build(self):
        cmake = CMake(self)
        cmake.configure()
        cmake.build()

    def package(self):
        CMake(self).install()

    def package_info(self):
        self.cpp_info.libs = ["clprims"]
        self.cpp_info.set_property("cmake_file_name", "clprims")
        self.cpp_info.set_property("cmake_target_name", "clprims::clprims")
        self.cpp_info.set_property("pkg_config_name", "clprims")
        self.cpp_info.system_libs = ["OpenCL"] if self.settings.os == "Windows" else ["OpenCL", "pthread"]
