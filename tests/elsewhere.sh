# SPDX-License-Identifier: MIT
# Sourced by tests/run: what a build for another system needs, on Debian and Ubuntu.

# apt for a system that is a folder of this machine: elsewhere_apt FOLDER ARCHITECTURE WORD...
elsewhere_apt() {
    local folder=$1 architecture=$2
    shift 2
    mkdir -p "$folder/state/lists/partial" "$folder/cache/archives/partial" "$folder/sources"
    : > "$folder/status"
    cat /etc/apt/sources.list.d/{debian,ubuntu}.sources 2> /dev/null |
        sed 's/^Types: deb$/Types: deb deb-src/' > "$folder/sources/all.sources"
    apt-get -qq -y --no-install-recommends -o APT::Architecture="$architecture" \
        -o APT::Architectures="$architecture" -o APT::Sandbox::User=root -o Dir::State="$folder/state" \
        -o Dir::State::status="$folder/status" -o Dir::Cache="$folder/cache" \
        -o Dir::Etc::sourcelist=/dev/null -o Dir::Etc::sourceparts="$folder/sources" "$@"
}

# For Windows: OpenCL's headers, an import library of the loader's functions, and cmocka.
elsewhere_windows() {
    local root=$1 apt=$1/apt loader
    [ ! -r "$root/lib/libcmocka.a" ] || return 0
    echo "== OpenCL and cmocka for Windows"
    mkdir -p "$root/include" "$root/lib" "$apt"
    cp -r /usr/include/CL "$root/include" || return 1
    loader=$(ldconfig -p | sed -n 's/.* => \(.*libOpenCL\.so\.1\)$/\1/p' | head -n 1)
    {
        printf 'LIBRARY OpenCL.dll\nEXPORTS\n'
        nm -D --defined-only "$loader" | sed -n 's/.* \(cl[A-Z][A-Za-z]*\)\(@.*\)\{0,1\}$/\1/p'
    } > "$root/opencl.def"
    x86_64-w64-mingw32-dlltool -d "$root/opencl.def" -l "$root/lib/libOpenCL.dll.a" || return 1
    elsewhere_apt "$PWD/$apt" amd64 update &&
        (cd "$apt" && elsewhere_apt "$PWD" amd64 source --download-only cmocka &&
            mkdir -p source && tar -xf cmocka_*.orig.tar.xz -C source --strip-components=1) || return 1
    cmake -S "$apt/source" -B "$apt/build" -DCMAKE_TOOLCHAIN_FILE="$PWD/src/install/mingw.cmake" \
        -DCMAKE_C_FLAGS=-D__USE_MINGW_ANSI_STDIO=1 -DWITH_STATIC_LIB=ON -DWITH_EXAMPLES=OFF \
        -DCMAKE_BUILD_TYPE=Release -DCMAKE_INSTALL_PREFIX="$PWD/$root" &&
        cmake --build "$apt/build" --target install &&
        rm "$root/lib/libcmocka.dll.a" && mv "$root/lib/libcmocka-static.a" "$root/lib/libcmocka.a"
}

# For 64-bit Arm: a folder with PoCL, the loader and cmocka of the same Debian.
elsewhere_arm64() {
    local root=$1 apt=$1/apt package
    [ ! -e "$root/usr/lib/aarch64-linux-gnu/libcmocka.so" ] || return 0
    echo "== PoCL for arm64"
    mkdir -p "$apt"
    elsewhere_apt "$PWD/$apt" arm64 update &&
        elsewhere_apt "$PWD/$apt" arm64 install --download-only pocl-opencl-icd ocl-icd-opencl-dev \
            opencl-c-headers libcmocka-dev libc6-dev || return 1
    for package in "$apt"/cache/archives/*.deb; do dpkg -x "$package" "$root" || return 1; done
    # PoCL calls the linker as a program of this machine.
    mkdir -p "$root/linker"
    cat > "$root/linker/ld" << 'END'
#!/bin/sh
for folder in /usr/lib/gcc-cross/aarch64-linux-gnu/*; do set -- "$@" "-L$folder"; done
exec aarch64-linux-gnu-ld -L/usr/aarch64-linux-gnu/lib "$@"
END
    chmod +x "$root/linker/ld"
}
