# SPDX-License-Identifier: MIT
# Makes the packages, unpacks the Debian ones into a root of its own, and compiles and runs the
# consumer against what lies there, through find_package and through pkg-config; then the same
# with what the tarball holds.
cmake_minimum_required(VERSION 3.22)
function(run)
  string(JOIN " " words ${ARGN})
  message("$ ${words}")
  execute_process(COMMAND ${ARGN} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

# The consumer, built with what lies in PREFIX. PC: more words for pkg-config.
function(use prefix libdir)
  set(ENV{LD_LIBRARY_PATH} ${prefix}/${libdir})
  run(${prefix}/bin/clprims --version)
  run(${CMAKE_COMMAND} -S ${CONSUMER} -B ${prefix}/try -DCMAKE_PREFIX_PATH=${prefix}
    -DCMAKE_C_COMPILER=${COMPILER} -DCMAKE_FIND_USE_PACKAGE_REGISTRY=OFF)
  run(${CMAKE_COMMAND} --build ${prefix}/try)
  run(${prefix}/try/consumer_shared)
  run(${prefix}/try/consumer_static)
  set(ENV{PKG_CONFIG_PATH} ${prefix}/${libdir}/pkgconfig)
  # Folders of the system would be left out of the answer.
  set(ENV{PKG_CONFIG_ALLOW_SYSTEM_CFLAGS} 1)
  set(ENV{PKG_CONFIG_ALLOW_SYSTEM_LIBS} 1)
  execute_process(COMMAND ${PKG_CONFIG} --cflags --libs clprims OUTPUT_VARIABLE words
    OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
  separate_arguments(words UNIX_COMMAND "${words}")
  run(${COMPILER} -std=c99 -o ${prefix}/by_pkg_config ${CONSUMER}/consumer.c ${words})
  run(${prefix}/by_pkg_config)
  # A program of one rank needs no mpirun.
  if(EXISTS ${prefix}/include/clprims/mpi.h)
    run(${CMAKE_COMMAND} -S ${CONSUMER}/../over_ranks -B ${prefix}/try_mpi
      -DCMAKE_PREFIX_PATH=${prefix} -DCMAKE_C_COMPILER=${COMPILER}
      -DCMAKE_FIND_USE_PACKAGE_REGISTRY=OFF)
    run(${CMAKE_COMMAND} --build ${prefix}/try_mpi)
    run(${prefix}/try_mpi/over_ranks 1000)
  endif()
endfunction()

file(REMOVE_RECURSE ${WORK})
file(MAKE_DIRECTORY ${WORK}/root ${WORK}/unpacked)
run(${SOURCE}/src/install/package ${WORK}/packages)

file(GLOB tarball ${WORK}/packages/clprims-[0-9]*.tar.gz)
run(${CMAKE_COMMAND} -E chdir ${WORK}/unpacked ${CMAKE_COMMAND} -E tar xzf ${tarball})
file(GLOB prefix ${WORK}/unpacked/clprims-*)
use(${prefix} lib)

file(GLOB tarball ${WORK}/packages/clprims-amalgamation-*.tar.gz)
run(${CMAKE_COMMAND} -E chdir ${WORK}/unpacked ${CMAKE_COMMAND} -E tar xzf ${tarball})
file(GLOB folder ${WORK}/unpacked/clprims-amalgamation-*)
file(WRITE ${folder}/app.c "#include \"clprims.h\"
int main(void) { return clprims_version() == 0; }
")
run(${COMPILER} -std=c11 -o ${folder}/app ${folder}/app.c ${folder}/clprims.c -lOpenCL -lpthread)
run(${folder}/app)

file(GLOB packages ${WORK}/packages/*.deb)
list(LENGTH packages count)
if(count EQUAL 3 OR count EQUAL 5)
  foreach(package IN LISTS packages)
    run(dpkg-deb -x ${package} ${WORK}/root)
    execute_process(COMMAND dpkg-deb -f ${package} Package Version Multi-Arch Homepage Depends
      OUTPUT_VARIABLE fields COMMAND_ERROR_IS_FATAL ANY)
    message("${fields}")
    foreach(field Homepage Multi-Arch)
      if(NOT fields MATCHES "\n${field}: ")
        message(FATAL_ERROR "${package} has no ${field}")
      endif()
    endforeach()
    if(fields MATCHES "Package: lib" AND NOT fields MATCHES "\nMulti-Arch: same")
      message(FATAL_ERROR "${package} can't be installed beside that of another architecture")
    endif()
    string(REGEX MATCH "Package: ([^\n]*)" name "${fields}")
    if(NOT EXISTS ${WORK}/root/usr/share/doc/${CMAKE_MATCH_1}/copyright)
      message(FATAL_ERROR "${package} has no copyright")
    endif()
  endforeach()
  find_program(LINTIAN lintian)
  if(LINTIAN)
    run(${LINTIAN} --allow-root --fail-on error --tag-display-limit 0 ${packages})
  endif()
  file(GLOB libdir RELATIVE ${WORK}/root/usr ${WORK}/root/usr/lib/*-*)
  use(${WORK}/root/usr ${libdir})
  if(count EQUAL 5 AND NOT EXISTS ${WORK}/root/usr/${libdir}/pkgconfig/clprims-mpi.pc)
    message(FATAL_ERROR "libclprims-mpi-dev has no clprims-mpi.pc")
  endif()
elseif(NOT count EQUAL 0)
  message(FATAL_ERROR "${count} Debian packages, neither 3 nor, with MPI, 5: ${packages}")
endif()
