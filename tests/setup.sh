# SPDX-License-Identifier: MIT
# Sourced by tests/run and bench/run: sees what the machine lacks and installs it, on Debian and
# Ubuntu by package name. Nothing is asked of the network when nothing is missing.
#
#   setup_require NAME...   installs what is missing or ends the program with status 1
#   setup_wish NAME...      the same, but what can't be had goes to the array SETUP_MISSING
#
# The names are those of setup_package below.

SETUP_MISSING=()

setup_package() {
    case $1 in
        compiler) echo gcc libc6-dev ;;
        c++) echo g++ ;;
        make) echo make ;;
        cmake) echo cmake ;;
        ninja) echo ninja-build ;;
        pkg-config) echo pkg-config ;;
        binutils) echo binutils ;;
        opencl-loader) echo ocl-icd-opencl-dev ;;
        opencl-headers) echo opencl-c-headers ;;
        pocl) echo pocl-opencl-icd ;;
        cmocka) echo libcmocka-dev ;;
        locales) echo locales ;;
        oclgrind) echo oclgrind ;;
        python3) echo python3 ;;
        numpy) echo python3-numpy ;;
        doxygen) echo doxygen ;;
        groff) echo groff-base ;;
        dpkg) echo dpkg-dev file ;;
        abigail) echo abigail-tools ;;
        lintian) echo lintian ;;
        wine) echo gcc-mingw-w64-x86-64-posix wine wine64 ;;
        arm64) echo gcc-aarch64-linux-gnu libc6-dev-arm64-cross qemu-user-static ;;
        valgrind) echo valgrind ;;
        gcovr) echo gcovr ;;
        venv) echo python3-venv ;;
        clang) echo clang ;;
        clang-19) echo clang-19 ;;
        clang-format) echo clang-format ;;
        divsufsort) echo libdivsufsort-dev ;;
        matplotlib) echo python3-matplotlib ;;
        rusticl) setup_rusticl_packages ;;
        openmpi) echo libopenmpi-dev openmpi-bin ;;
        mpich) echo libmpich-dev mpich ;;
        *) return 1 ;;
    esac
}

# Mesa's driver reads libclc of the LLVM that it was built with, which Debian 12's package does not
# ask for.
setup_rusticl_packages() {
    case $(setup_system) in
        "debian 12") echo mesa-opencl-icd libclc-15 ;;
        *) echo mesa-opencl-icd ;;
    esac
}

setup_compiles() {
    local work status
    work=$(mktemp -d) || return 1
    printf '%s\n' "$1" > "$work/try.c"
    shift
    cc -o "$work/try" "$work/try.c" "$@" > /dev/null 2>&1
    status=$?
    rm -rf "$work"
    return $status
}

setup_has() {
    case $1 in
        compiler) setup_compiles 'int main(void) { return 0; }' ;;
        c++) command -v c++ > /dev/null ;;
        make | cmake | lintian | ninja | pkg-config | python3 | oclgrind | clang | clang-19 | clang-format | doxygen | groff | valgrind | gcovr)
            command -v "$1" > /dev/null
            ;;
        abigail) command -v abidiff > /dev/null ;;
        wine) command -v x86_64-w64-mingw32-gcc > /dev/null && command -v wine > /dev/null ;;
        arm64)
            command -v aarch64-linux-gnu-gcc > /dev/null && command -v qemu-aarch64-static > /dev/null
            ;;
        dpkg) command -v dpkg-shlibdeps > /dev/null && command -v file > /dev/null ;;
        matplotlib) /usr/bin/python3 -c 'import matplotlib' 2> /dev/null ;;
        venv) /usr/bin/python3 -c 'import ensurepip, venv' 2> /dev/null ;;
        binutils) command -v nm > /dev/null ;;
        opencl-loader)
            setup_compiles 'int clFinish(void *); int main(void) { return clFinish(0) == 1; }' \
                -lOpenCL
            ;;
        opencl-headers)
            setup_compiles '#define CL_TARGET_OPENCL_VERSION 120
                #include <CL/cl.h>
                int main(void) { return 0; }'
            ;;
        divsufsort)
            setup_compiles '#include <divsufsort.h>
                int main(void) { return divsufsort(0, 0, 0); }' -ldivsufsort
            ;;
        openmpi) command -v mpirun.openmpi > /dev/null && pkg-config --exists ompi-c 2> /dev/null ;;
        mpich) command -v mpirun.mpich > /dev/null && pkg-config --exists mpich 2> /dev/null ;;
        pocl) compgen -G '/etc/OpenCL/vendors/*pocl*' > /dev/null ;;
        rusticl)
            compgen -G '/etc/OpenCL/vendors/rusticl.icd' > /dev/null &&
                compgen -G '/usr/lib/clc/spirv64-mesa3d-.spv' > /dev/null
            ;;
        locales) [ -r /usr/share/i18n/locales/tr_TR ] ;;
        cmocka) pkg-config --exists cmocka 2> /dev/null ;;
        numpy) python3 -c 'import numpy' 2> /dev/null || /usr/bin/python3 -c 'import numpy' 2> /dev/null ;;
        *) return 1 ;;
    esac
}

setup_system() {
    local ID='' VERSION_ID=''
    [ -r /etc/os-release ] && . /etc/os-release
    echo "$ID $VERSION_ID"
}

# The commit of the source, with "-dirty" behind it where the files are not quite that commit's.
setup_commit() {
    local id
    id=$(git rev-parse --short=12 HEAD 2> /dev/null) || return 0
    [ -z "$(git status --porcelain 2> /dev/null)" ] || id=$id-dirty
    echo "$id"
}

setup_knows_system() {
    command -v apt-get > /dev/null || return 1
    case $(setup_system) in
        debian* | ubuntu*) return 0 ;;
        *) return 1 ;;
    esac
}

setup_as_root() {
    if [ "$(id -u)" = 0 ]; then
        "$@"
    elif command -v sudo > /dev/null; then
        sudo "$@"
    else
        echo "neither root nor sudo" >&2
        return 1
    fi
}

setup_update_once() {
    [ -n "${SETUP_UPDATED-}" ] && return 0
    echo "== asking the package lists of $(setup_system)"
    setup_as_root apt-get update -qq && SETUP_UPDATED=yes
}

setup_install() {
    setup_update_once || return 1
    echo "== installing $*"
    setup_as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -q \
        --no-install-recommends "$@"
}

setup_lacking() {
    local name
    for name in "$@"; do
        setup_has "$name" || echo "$name"
    done
}

setup_packages() {
    local name
    for name in "$@"; do setup_package "$name"; done | tr '\n' ' '
}

setup_require() {
    local lacking
    lacking=$(setup_lacking "$@")
    [ -z "$lacking" ] && return 0
    if setup_knows_system; then
        # shellcheck disable=SC2046,SC2086 # words are wanted
        setup_install $(setup_packages $lacking)
        # shellcheck disable=SC2086
        lacking=$(setup_lacking $lacking)
        [ -z "$lacking" ] && return 0
    fi
    # shellcheck disable=SC2086
    cat >&2 << END
This machine lacks: $(echo $lacking)
Install them and run this again. On Debian and Ubuntu the packages are: $(setup_packages $lacking)
END
    exit 1
}

setup_wish() {
    local name
    for name in "$@"; do
        setup_has "$name" && continue
        # shellcheck disable=SC2046
        if setup_knows_system && setup_install $(setup_package "$name") && setup_has "$name"; then
            continue
        fi
        SETUP_MISSING+=("$name")
    done
}

# Awkward Array's kernels for CPUs into a folder, from the Python package that carries them; NumPy,
# which the package asks for, is not needed.
setup_awkward() {
    compgen -G "$1/lib/python*/site-packages/awkward_cpp/lib/*cpu-kernels*" > /dev/null && return 0
    echo "== Awkward Array's kernels"
    /usr/bin/python3 -m venv "$1" &&
        "$1/bin/pip" install --quiet --disable-pip-version-check --no-deps awkward-cpp && return 0
    SETUP_MISSING+=("awkward-cpp")
}

# Python packages, which the tests of the Python package need, into a folder.
setup_python() {
    local folder=$1
    shift
    "$folder/bin/python" -c 'import importlib.util, sys
sys.exit(None in map(importlib.util.find_spec, sys.argv[1:]))' "$@" 2> /dev/null && return 0
    echo "== $*"
    /usr/bin/python3 -m venv "$folder" &&
        "$folder/bin/pip" install --quiet --disable-pip-version-check "$@" && return 0
    SETUP_MISSING+=("$@")
}

# A Python package into a folder, for what it carries beside Python: its folder, the file that has its
# version and hash, a path in the package, and what to call it.
setup_carried() {
    compgen -G "$1/lib/python*/site-packages/$3" > /dev/null && return 0
    echo "== $4"
    /usr/bin/python3 -m venv "$1" &&
        "$1/bin/pip" install --quiet --disable-pip-version-check --no-deps --require-hashes \
            -r "$2" && return 0
    SETUP_MISSING+=("$4")
}

# NVIDIA's assembler into a folder.
setup_ptxas() { setup_carried "$1" tests/assemble/ptxas.txt nvidia/cuda_nvcc/bin/ptxas ptxas; }

# Intel's compiler for its GPUs into a folder, from Debian's packages; nothing is installed, since the
# driver beside it would join the platforms of the tests.
setup_ocloc() {
    [ -e "$1/version" ] && return 0
    local debs packages
    debs=$(mktemp -d) || return 1
    packages="intel-opencl-icd libigc1 libigdfcl1 libigdgmm12 libopencl-clang14 libllvmspirvlib14 libllvm14"
    echo "== Intel's compiler"
    # shellcheck disable=SC2086 # words are wanted
    if setup_knows_system && setup_update_once && (cd "$debs" && apt-get download -qq $packages); then
        for deb in "$debs"/*.deb; do dpkg -x "$deb" "$1"; done &&
            dpkg-deb -f "$debs"/intel-opencl-icd_*.deb Version > "$1/version"
    else
        SETUP_MISSING+=("ocloc")
    fi
    rm -rf "$debs"
}

# The headers of CUB and Thrust into a folder; setup_cccl_headers prints where they are.
setup_cccl() { setup_carried "$1" "$2" nvidia/cu13/include/cccl "newer headers of CUB"; }
setup_cccl_headers() { compgen -G "$1/lib/python*/site-packages/nvidia/cu13/include/cccl"; }

# Intel's OpenCL driver for CPUs into a folder, from the Python package that carries it.
setup_intel() {
    compgen -G "$1/lib/libintelocl.so" > /dev/null && return 0
    echo "== Intel's OpenCL driver"
    /usr/bin/python3 -m venv "$1" &&
        "$1/bin/pip" install --quiet --disable-pip-version-check intel-opencl-rt intel-cmplr-lib-rt &&
        return 0
    SETUP_MISSING+=("intel's driver")
}
