# SPDX-License-Identifier: MIT
# Builds a project that has clprims as a part: the static library alone, then both libraries with
# rules of installing, to folders that are absolute.
cmake_minimum_required(VERSION 3.22)
function(run)
  string(JOIN " " words ${ARGN})
  message("$ ${words}")
  execute_process(COMMAND ${ARGN} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

function(expect_no what path)
  if(EXISTS ${path})
    message(FATAL_ERROR "${what}: ${path} is there")
  endif()
endfunction()

set(build ${WORK}/build)
set(prefix ${WORK}/prefix)
file(REMOVE_RECURSE ${prefix} ${WORK}/elsewhere)
set(parent ${CMAKE_COMMAND} -S ${PARENT} -B ${build} -DCLPRIMS_SOURCE=${SOURCE}
  -DCMAKE_C_COMPILER=${COMPILER})
# As it comes: what the parent checks is all there is to it.
file(REMOVE_RECURSE ${WORK}/as_it_comes)
run(${CMAKE_COMMAND} -S ${PARENT} -B ${WORK}/as_it_comes -DCLPRIMS_SOURCE=${SOURCE}
  -DCMAKE_C_COMPILER=${COMPILER})
run(${parent} -DWANTED=OFF -DCLPRIMS_INSTALL=OFF -DCLPRIMS_SHARED=OFF -DCMAKE_INSTALL_LIBDIR=lib)
run(${CMAKE_COMMAND} --build ${build})
run(${build}/consumer)
run(${CMAKE_COMMAND} --install ${build} --prefix ${prefix})
expect_no("A part that was not to be installed" ${prefix}/lib)
expect_no("A part that was not to be installed" ${prefix}/include)

# The same objects make the shared library. Its folder is no part of the prefix.
set(libdir ${WORK}/elsewhere/libraries)
run(${parent} -DWANTED=ON -DCLPRIMS_INSTALL=ON -DCLPRIMS_SHARED=ON -DCMAKE_INSTALL_LIBDIR=${libdir}
  -DCMAKE_INSTALL_PREFIX=${prefix})
run(${CMAKE_COMMAND} --build ${build})
run(${CMAKE_COMMAND} --install ${build})
set(ENV{PKG_CONFIG_PATH} ${libdir}/pkgconfig)
execute_process(COMMAND ${PKG_CONFIG} --cflags --libs clprims OUTPUT_VARIABLE words
  OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
separate_arguments(words UNIX_COMMAND "${words}")
run(${COMPILER} -std=c99 -o ${WORK}/by_pkg_config ${CONSUMER}/consumer.c ${words}
  -Wl,-rpath,${libdir})
run(${WORK}/by_pkg_config)
run(${CMAKE_COMMAND} -S ${CONSUMER} -B ${WORK}/cmake -Dclprims_DIR=${libdir}/cmake/clprims
  -DCMAKE_C_COMPILER=${COMPILER} -DCMAKE_FIND_USE_PACKAGE_REGISTRY=OFF)
run(${CMAKE_COMMAND} --build ${WORK}/cmake)
run(${WORK}/cmake/consumer_shared)
run(${WORK}/cmake/newer)
