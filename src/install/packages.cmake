# SPDX-License-Identifier: MIT
# What cpack makes: a tarball, and the packages libclprims0.2, libclprims-dev and clprims of Debian
# and its kin, with MPI libclprims-mpi0.2 and libclprims-mpi-dev, too. src/install/package makes all
# of them.
set(CPACK_PACKAGE_NAME clprims)
set(CPACK_PACKAGE_VENDOR "The clprims authors")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
set(CPACK_PACKAGE_INSTALL_DIRECTORY clprims)
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
set(CPACK_STRIP_FILES ON)
set(CPACK_COMPONENTS_ALL runtime development command)
if(CLPRIMS_MPI_LIBRARIES)
  list(APPEND CPACK_COMPONENTS_ALL mpi mpi-development)
endif()
set(CPACK_VERBATIM_VARIABLES ON)

set(soname ${CLPRIMS_SONAME})
set(CPACK_DEBIAN_RUNTIME_PACKAGE_NAME libclprims${soname})
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME libclprims-dev)
set(CPACK_DEBIAN_COMMAND_PACKAGE_NAME clprims)
set(CPACK_DEBIAN_MPI_PACKAGE_NAME libclprims-mpi${soname})
set(CPACK_DEBIAN_MPI-DEVELOPMENT_PACKAGE_NAME libclprims-mpi-dev)
# Several architectures' libraries may be installed side by side. CPack before 3.31 does not know that
# field, so it goes behind another one.
set(CPACK_DEBIAN_RUNTIME_PACKAGE_SECTION "libs\nMulti-Arch: same")
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION "libdevel\nMulti-Arch: same")
set(CPACK_DEBIAN_COMMAND_PACKAGE_SECTION "science\nMulti-Arch: foreign")
set(CPACK_DEBIAN_MPI_PACKAGE_SECTION "libs\nMulti-Arch: same")
set(CPACK_DEBIAN_MPI-DEVELOPMENT_PACKAGE_SECTION "libdevel\nMulti-Arch: same")

# CPack puts the summary first and indents the rest as Debian wants it.
set(about "clprims scans arrays, ranks linked lists and multiplies matrices in the
min-plus sense on every OpenCL device: on GPUs at the speed of their memory,
and on any CPU through PoCL.\n")
set(CPACK_COMPONENT_RUNTIME_DESCRIPTION "${about}
This package holds the shared library.")
set(CPACK_COMPONENT_DEVELOPMENT_DESCRIPTION "${about}
This package holds the headers, the static library, and the files for
pkg-config and CMake.")
set(CPACK_COMPONENT_COMMAND_DESCRIPTION "${about}
This package holds the command, which works on NumPy files.")

set(CPACK_COMPONENT_MPI_DESCRIPTION "${about}
This package holds the shared library for distributed arrays, one MPI rank
a device.")
set(CPACK_COMPONENT_MPI-DEVELOPMENT_DESCRIPTION "${about}
This package holds what programs over MPI ranks are built with.")

set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_RELEASE 1)
# A domain that is reserved for documentation: whoever publishes packages puts an address of theirs.
set(CLPRIMS_MAINTAINER "clprims developers <clprims@example.org>" CACHE STRING
  "Whom the .deb packages name as their maintainer")
mark_as_advanced(CLPRIMS_MAINTAINER)
set(CPACK_DEBIAN_PACKAGE_MAINTAINER "${CLPRIMS_MAINTAINER}")
set(CLPRIMS_HOMEPAGE "https://clprims.example.org" CACHE STRING
  "Where the .deb packages say that clprims is at home")
mark_as_advanced(CLPRIMS_HOMEPAGE)
set(CPACK_DEBIAN_PACKAGE_HOMEPAGE "${CLPRIMS_HOMEPAGE}")
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${PROJECT_BINARY_DIR})
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS_POLICY =)
set(same "libclprims${soname} (= ${PROJECT_VERSION}-${CPACK_DEBIAN_PACKAGE_RELEASE})")
set(CPACK_DEBIAN_RUNTIME_PACKAGE_RECOMMENDS "pocl-opencl-icd | opencl-icd")
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS "${same}, opencl-c-headers, ocl-icd-opencl-dev")
set(CPACK_DEBIAN_COMMAND_PACKAGE_DEPENDS "${same}")
set(CPACK_DEBIAN_MPI_PACKAGE_DEPENDS "${same}")
string(REPLACE libclprims libclprims-mpi same_mpi "${same}")
set(CPACK_DEBIAN_MPI-DEVELOPMENT_PACKAGE_DEPENDS
  "${same_mpi}, libclprims-dev (= ${PROJECT_VERSION}-${CPACK_DEBIAN_PACKAGE_RELEASE}), mpi-default-dev")
file(WRITE ${PROJECT_BINARY_DIR}/debian/triggers "activate-noawait ldconfig\n")
set(CPACK_DEBIAN_RUNTIME_PACKAGE_CONTROL_EXTRA ${PROJECT_BINARY_DIR}/debian/triggers)
set(CPACK_DEBIAN_RUNTIME_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_DEBIAN_MPI_PACKAGE_CONTROL_EXTRA ${PROJECT_BINARY_DIR}/debian/triggers)
set(CPACK_DEBIAN_MPI_PACKAGE_CONTROL_STRICT_PERMISSION ON)

# What Debian asks of every package: its licence and its history, in Debian's form. Nobody else wants
# them, so they are installed where Debian's packages are made alone.
option(CLPRIMS_DEBIAN "Make the rules of Debian's packages" OFF)
set(notes ${PROJECT_BINARY_DIR}/debian)
file(READ ${PROJECT_SOURCE_DIR}/LICENSE licence)
file(WRITE ${notes}/copyright "${licence}")
file(STRINGS ${PROJECT_SOURCE_DIR}/CHANGELOG.md heading LIMIT_COUNT 1
  REGEX "^## [0-9.]+ - [0-9-]+$")
string(REGEX REPLACE "^## .* - " "" date "${heading}")
find_program(CLPRIMS_DATE date)
find_program(CLPRIMS_GZIP gzip)
find_program(CLPRIMS_SHLIBDEPS dpkg-shlibdeps)
# Which CPack asks what kind each file is, before dpkg-shlibdeps.
find_program(CLPRIMS_FILE file)
mark_as_advanced(CLPRIMS_DATE CLPRIMS_GZIP CLPRIMS_SHLIBDEPS CLPRIMS_FILE)
set(CPACK_GENERATOR TGZ)
if(CLPRIMS_DEBIAN AND CLPRIMS_DATE AND CLPRIMS_GZIP AND CLPRIMS_SHLIBDEPS AND CLPRIMS_FILE)
  list(APPEND CPACK_GENERATOR DEB)
  execute_process(COMMAND ${CLPRIMS_DATE} -u -R -d "${date}" OUTPUT_VARIABLE date
    OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
  file(WRITE ${notes}/changelog.Debian
    "clprims (${PROJECT_VERSION}-${CPACK_DEBIAN_PACKAGE_RELEASE}) unstable; urgency=medium\n\n"
    "  * Version ${PROJECT_VERSION}; CHANGELOG.md says what is new.\n\n"
    " -- ${CPACK_DEBIAN_PACKAGE_MAINTAINER}  ${date}\n")
  execute_process(COMMAND ${CLPRIMS_GZIP} -9nf ${notes}/changelog.Debian COMMAND_ERROR_IS_FATAL ANY)
  foreach(component IN LISTS CPACK_COMPONENTS_ALL)
    string(TOUPPER ${component} upper)
    install(FILES ${notes}/copyright ${notes}/changelog.Debian.gz COMPONENT ${component}
      DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/${CPACK_DEBIAN_${upper}_PACKAGE_NAME})
  endforeach()
endif()
include(CPack)
