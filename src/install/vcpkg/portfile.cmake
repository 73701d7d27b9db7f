# SPDX-License-Identifier: MIT
# A vcpkg port: vcpkg install clprims --overlay-ports=src/install/vcpkg, in a clone or a release's tree.
set(VCPKG_BUILD_SHARED ON)
set(VCPKG_BUILD_STATIC OFF)
if(VCPKG_LIBRARY_LINKAGE STREQUAL static)
  set(VCPKG_BUILD_SHARED OFF)
  set(VCPKG_BUILD_STATIC ON)
endif()
vcpkg_cmake_configure(SOURCE_PATH "${CURRENT_PORT_DIR}/../../.."
  OPTIONS -DCLPRIMS_SHARED=${VCPKG_BUILD_SHARED} -DCLPRIMS_STATIC=${VCPKG_BUILD_STATIC}
    -DCLPRIMS_TESTS=OFF -DCLPRIMS_BENCH=OFF -DCLPRIMS_CLI=OFF -DCLPRIMS_MPI=OFF)
vcpkg_cmake_install()
vcpkg_cmake_config_fixup(CONFIG_PATH lib/cmake/clprims)
vcpkg_fixup_pkgconfig()
file(REMOVE_RECURSE "${CURRENT_PACKAGES_DIR}/debug/include" "${CURRENT_PACKAGES_DIR}/debug/share")
vcpkg_install_copyright(FILE_LIST "${CURRENT_PORT_DIR}/../../../LICENSE")
