# SPDX-License-Identifier: MIT
# Programs over MPI ranks (tests/mpi), with every MPI that the machine has.

# Each mpi/test_NAME.c is a program, with the files NAME_*.c beside it and what all of them share.
function(clprims_rank_programs mpi flags)
  clprims_mpi_objects(clprims_mpi_objects_${mpi} ${flags})
  foreach(name IN LISTS CLPRIMS_RANK_PROGRAMS)
    file(GLOB files CONFIGURE_DEPENDS mpi/${name}_*.c)
    add_executable(test_${name}_${mpi} mpi/test_${name}.c mpi/on_ranks.c mpi/failing.c faults/faulty.c
      ${files} $<TARGET_OBJECTS:clprims_mpi_objects_${mpi}>)
    target_include_directories(test_${name}_${mpi} PRIVATE ${PROJECT_SOURCE_DIR}/src)
    target_link_libraries(test_${name}_${mpi} PRIVATE clprims_harness clprims_static ${flags})
    foreach(function IN LISTS CLPRIMS_WRAPPED ITEMS clCreateImage)
      target_link_options(test_${name}_${mpi} PRIVATE LINKER:--wrap=${function})
    endforeach()
  endforeach()
endfunction()

# Each rank has a cache of its own (mpi/rank_cache). The first run compiles for the others, and is
# alone. MPI leaves memory behind.
set(CLPRIMS_RANK_CACHE ${CMAKE_CURRENT_SOURCE_DIR}/mpi/rank_cache)
function(clprims_rank_test name mpi ranks)
  clprims_test(${name}.${mpi}.${ranks} mpi COMMAND ${CLPRIMS_LAUNCHER_${mpi}} -np ${ranks}
    ${CLPRIMS_LAUNCHED_${mpi}} ${CLPRIMS_RANK_CACHE} $<TARGET_FILE:test_${name}_${mpi}> ${ARGN}
    ENVIRONMENT CLPRIMS_TEST_PROGRAMS=${CLPRIMS_PROGRAMS_${name}}
    ASAN_OPTIONS=handle_segv=2:detect_leaks=0)
  if(CLPRIMS_FIRST_${name})
    set_tests_properties(${name}.${mpi}.${ranks} PROPERTIES FIXTURES_REQUIRED ${name}.compiled)
  else()
    set_tests_properties(${name}.${mpi}.${ranks} PROPERTIES FIXTURES_SETUP ${name}.compiled)
    set(CLPRIMS_FIRST_${name} ${mpi} PARENT_SCOPE)
  endif()
endfunction()

file(GLOB programs CONFIGURE_DEPENDS RELATIVE ${CMAKE_CURRENT_SOURCE_DIR}/mpi mpi/test_*.c)
string(REGEX REPLACE "test_([^;]*)\\.c" "\\1" CLPRIMS_RANK_PROGRAMS "${programs}")

pkg_check_modules(CLPRIMS_OPENMPI QUIET IMPORTED_TARGET ompi-c)
pkg_check_modules(CLPRIMS_MPICH QUIET IMPORTED_TARGET mpich)
# Ranks yield while they wait: there are more of them than processors.
set(CLPRIMS_LAUNCHED_openmpi --oversubscribe --allow-run-as-root --mca mpi_yield_when_idle 1)
foreach(mpi openmpi mpich)
  string(TOUPPER ${mpi} upper)
  find_program(CLPRIMS_LAUNCHER_${mpi} mpirun.${mpi})
  mark_as_advanced(CLPRIMS_LAUNCHER_${mpi})
  if(CLPRIMS_${upper}_FOUND AND CLPRIMS_LAUNCHER_${mpi})
    clprims_rank_programs(${mpi} PkgConfig::CLPRIMS_${upper})
    list(APPEND mpis ${mpi})
  else()
    clprims_skip(ranks.${mpi} "${mpi} is not installed")
  endif()
endforeach()

cmake_host_system_information(RESULT processors QUERY NUMBER_OF_LOGICAL_CORES)
foreach(name IN LISTS CLPRIMS_RANK_PROGRAMS)
  if(NOT CLPRIMS_PROGRAMS_${name})
    set(CLPRIMS_PROGRAMS_${name} 20)
  endif()
  foreach(mpi IN LISTS mpis)
    # MPICH's ranks never yield: no more of them than processors, by default 2. Of 4 ranks and of 6 a
    # grid has two rows.
    set(default 1 3)
    set(most 1 2 3 4 5)
    if(name STREQUAL "grids")
      set(default 1 4)
      list(APPEND most 6)
    endif()
    if(mpi STREQUAL mpich)
      set(default 2)
    elseif(CLPRIMS_SANITIZED)
      set(default 3)
    endif()
    foreach(ranks IN LISTS most)
      set(tier CONFIGURATIONS long)
      if(ranks IN_LIST default)
        set(tier "")
      endif()
      if(mpi STREQUAL mpich AND ranks GREATER processors)
        clprims_skip(${name}.${mpi}.${ranks}
          "MPICH's ranks never yield, and the machine has ${processors} processors" ${tier})
        continue()
      endif()
      clprims_rank_test(${name} ${mpi} ${ranks} ${tier})
      # Ranks that wait keep a processor busy: beside other tests 5 took 20 minutes in place of 2.
      set_tests_properties(${name}.${mpi}.${ranks} PROPERTIES PROCESSORS ${ranks})
    endforeach()
  endforeach()
endforeach()

# The ranks of a host with several devices: one of PoCL's for each name.
if(TEST ranks.openmpi.3)
  clprims_test(ranks.devices mpi COMMAND ${CLPRIMS_LAUNCHER_openmpi} -np 3
    ${CLPRIMS_LAUNCHED_openmpi} ${CLPRIMS_RANK_CACHE} $<TARGET_FILE:test_ranks_openmpi> "ranks/object/context*"
    ENVIRONMENT "POCL_DEVICES=basic basic" ASAN_OPTIONS=handle_segv=2:detect_leaks=0)
endif()

# ---- Examples and the benchmark, with the MPI that the library is built for ----------------------

function(clprims_ranks_run name ranks target)
  set(mpi mpich)
  if(MPI_C_LIBRARIES MATCHES "openmpi")
    set(mpi openmpi)
  endif()
  if(MPIEXEC_EXECUTABLE)
    clprims_test(${name} mpi COMMAND ${MPIEXEC_EXECUTABLE} ${MPIEXEC_NUMPROC_FLAG} ${ranks}
      ${CLPRIMS_LAUNCHED_${mpi}} ${CLPRIMS_RANK_CACHE} $<TARGET_FILE:${target}> ${ARGN}
      ENVIRONMENT ASAN_OPTIONS=handle_segv=2:detect_leaks=0)
  endif()
endfunction()

file(GLOB examples CONFIGURE_DEPENDS examples/ranks/*.c)
foreach(file IN LISTS examples)
  get_filename_component(name ${file} NAME_WE)
  add_executable(example_${name} ${file})
  target_link_libraries(example_${name} PRIVATE clprims::mpi)
  target_compile_options(example_${name} PRIVATE -Wall -Wextra -Wconversion -Wshadow
    $<$<BOOL:${CLPRIMS_STRICT}>:-Werror>)
  clprims_ranks_run(example.${name} 3 example_${name})
endforeach()
if(TEST example.sort_over_ranks)
  set_tests_properties(example.sort_over_ranks PROPERTIES PASS_REGULAR_EXPRESSION
  "on 3 ranks are in order of time")
endif()
if(TEST example.list_over_ranks)
  set_tests_properties(example.list_over_ranks PROPERTIES PASS_REGULAR_EXPRESSION
  "on 3 ranks, the first one at 0, are in their order")
endif()
if(TEST example.paths_over_ranks)
  set_tests_properties(example.paths_over_ranks PROPERTIES PASS_REGULAR_EXPRESSION
  "on 3 ranks: they add up")
endif()
if(CLPRIMS_BENCH)
  clprims_ranks_run(bench.mpi 2 clprims-bench-mpi --size 5000 --repeats 1)
endif()
