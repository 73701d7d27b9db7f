# SPDX-License-Identifier: MIT
# Installs the build to a folder of its own and uses it from there: through find_package, with both
# libraries, and through pkg-config, with both libraries.
cmake_minimum_required(VERSION 3.22)
function(run)
  string(JOIN " " words ${ARGN})
  message("$ ${words}")
  execute_process(COMMAND ${ARGN} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

function(ask result)
  execute_process(COMMAND ${ARGN} OUTPUT_VARIABLE answer OUTPUT_STRIP_TRAILING_WHITESPACE
    COMMAND_ERROR_IS_FATAL ANY)
  separate_arguments(answer UNIX_COMMAND "${answer}")
  set(${result} ${answer} PARENT_SCOPE)
endfunction()

set(prefix ${WORK}/prefix)
file(REMOVE_RECURSE ${WORK})
run(${CMAKE_COMMAND} --install ${BUILD} --config "${CONFIG}" --prefix ${prefix})
run(${prefix}/bin/clprims --version)
file(GLOB_RECURSE notes ${prefix}/share/doc/*copyright ${prefix}/share/doc/*changelog*)
if(notes)
  message(FATAL_ERROR "What Debian asks for is everywhere: ${notes}")
endif()
foreach(note README.md LICENSE CHANGELOG.md)
  file(SHA256 ${CMAKE_CURRENT_LIST_DIR}/../../${note} given)
  file(SHA256 ${prefix}/share/doc/clprims/${note} installed)
  if(NOT given STREQUAL installed)
    message(FATAL_ERROR "${note} is installed with another text")
  endif()
endforeach()
if(EXISTS ${BUILD}/reference/html/index.html AND NOT EXISTS ${prefix}/share/doc/clprims/html/index.html)
  message(FATAL_ERROR "The reference was built and is not installed")
endif()
# Before 1.0 a program needs the minor version that it was built for.
string(REGEX MATCH "^0[.][0-9]+" soname "${VERSION}")
if(soname AND NOT EXISTS ${prefix}/${LIBDIR}/libclprims.so.${soname})
  message(FATAL_ERROR "There is no libclprims.so.${soname}")
endif()

run(${CMAKE_COMMAND} -S ${CONSUMER} -B ${WORK}/cmake -DCMAKE_PREFIX_PATH=${prefix}
  -DCMAKE_C_COMPILER=${COMPILER} -DCMAKE_FIND_USE_PACKAGE_REGISTRY=OFF)
run(${CMAKE_COMMAND} --build ${WORK}/cmake)
run(${WORK}/cmake/consumer_shared)
run(${WORK}/cmake/consumer_static)
run(${WORK}/cmake/newer)

# An application that ships its kernels; scripts stand in for clang and ptxas.
file(WRITE ${WORK}/clang "#!/bin/sh
for word; do case $before in -o) to=$word;; esac; before=$word; done
echo '.target sm_70' > \"$to\"
")
file(WRITE ${WORK}/ptxas "#!/bin/sh
cp \"$5\" \"$4\"
")
file(CHMOD ${WORK}/clang ${WORK}/ptxas PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE)
run(${CMAKE_COMMAND} -S ${prefix}/share/doc/clprims/examples/packed -B ${WORK}/packed
  -DCMAKE_PREFIX_PATH=${prefix} -DCMAKE_C_COMPILER=${COMPILER}
  -DCMAKE_FIND_USE_PACKAGE_REGISTRY=OFF -DCLPRIMS_CLANG=${WORK}/clang
  -DCLPRIMS_PTXAS=${WORK}/ptxas -DCLPRIMS_LIBCLC=${WORK}/clang)
run(${CMAKE_COMMAND} --build ${WORK}/packed)
run(${CMAKE_COMMAND} --install ${WORK}/packed --prefix ${WORK}/packed/prefix)
ask(listed ${prefix}/bin/clprims pack ${WORK}/packed/prefix/bin/packed.pack)
foreach(architecture sm_86 sm_90a)
  if(NOT architecture IN_LIST listed)
    message(FATAL_ERROR "No program for ${architecture} in packed.pack: ${listed}")
  endif()
endforeach()
ask(said ${WORK}/packed/packed ${WORK}/packed/packed.pack)
if(NOT "right" IN_LIST said)
  message(FATAL_ERROR "packed says ${said}")
endif()

set(ENV{PKG_CONFIG_PATH} ${prefix}/${LIBDIR}/pkgconfig)
ask(cflags ${PKG_CONFIG} --cflags clprims)
ask(libs ${PKG_CONFIG} --libs clprims)
ask(static_libs ${PKG_CONFIG} --libs --static clprims)
run(${COMPILER} -std=c99 -o ${WORK}/pc_shared ${CONSUMER}/consumer.c ${cflags} ${libs}
  -Wl,-rpath,${prefix}/${LIBDIR})
run(${WORK}/pc_shared)
# A program that calls OpenCL itself needs no further words, and no example needs any.
set(examples ${prefix}/share/doc/clprims/examples)
file(GLOB programs ${examples}/*.c)
if(NOT programs)
  message(FATAL_ERROR "No example is installed in ${examples}")
endif()
foreach(program ${CONSUMER}/newer.c ${programs})
  run(${COMPILER} -o ${WORK}/pc_calls ${program} ${cflags} ${libs} -Wl,-rpath,${prefix}/${LIBDIR})
  if(program MATCHES "/(newer|own_context|text_lines)[.]c$")
    run(${WORK}/pc_calls)
  endif()
endforeach()
file(GLOB programs ${examples}/*.cpp)
foreach(program IN LISTS programs)
  if(CXX_COMPILER)
    run(${CXX_COMPILER} -o ${WORK}/pc_calls ${program} ${cflags} ${libs}
      -Wl,-rpath,${prefix}/${LIBDIR})
  endif()
endforeach()
# The linker prefers a shared library of the same folder, so the static one is named by its file.
list(TRANSFORM static_libs REPLACE "^-lclprims$" "${prefix}/${LIBDIR}/libclprims.a")
run(${COMPILER} -std=c99 -o ${WORK}/pc_static ${CONSUMER}/consumer.c ${cflags} ${static_libs})
run(${WORK}/pc_static)

# The library over MPI ranks is a component; a program of one rank needs no mpirun.
if(MPI)
  run(${CMAKE_COMMAND} -S ${CONSUMER}/../over_ranks -B ${WORK}/mpi -DCMAKE_PREFIX_PATH=${prefix}
    -DCMAKE_C_COMPILER=${COMPILER} -DCMAKE_FIND_USE_PACKAGE_REGISTRY=OFF)
  run(${CMAKE_COMMAND} --build ${WORK}/mpi)
  run(${WORK}/mpi/over_ranks 1000)
  ask(cflags ${PKG_CONFIG} --cflags clprims-mpi)
  ask(libs ${PKG_CONFIG} --libs clprims-mpi)
  foreach(example list paths sort)
    run(${COMPILER} -std=c99 -o ${WORK}/pc_mpi ${examples}/ranks/${example}_over_ranks.c ${cflags} ${libs}
      -Wl,-rpath,${prefix}/${LIBDIR})
  endforeach()
  run(${WORK}/pc_mpi 1000)
endif()
