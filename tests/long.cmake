# SPDX-License-Identifier: MIT
# What only tests/run --long runs, by ctest -C long, and tests/run --driver NAME, by ctest -C NAME.

# ---- Host memory --------------------------------------------------------------------------------

# A plan of each primitive: valgrind's processor is slow, and PoCL compiles on it.
find_program(CLPRIMS_VALGRIND valgrind)
function(clprims_memcheck name)
  if(CLPRIMS_VALGRIND)
    clprims_test(${name} memcheck COMMAND ${CLPRIMS_VALGRIND} --error-exitcode=9 --leak-check=full
      --show-leak-kinds=definite --errors-for-leak-kinds=definite
      --suppressions=${CMAKE_CURRENT_SOURCE_DIR}/pocl.supp ${ARGN}
      ENVIRONMENT CLPRIMS_TEST_SMALL=1 CLPRIMS_TEST_LONG=0 CONFIGURATIONS long)
  else()
    clprims_skip(${name} "valgrind is not installed" CONFIGURATIONS long)
  endif()
endfunction()
clprims_memcheck(memcheck $<TARGET_FILE:test_fuzz> --draws 1)
# What the fuzzer does not draw.
clprims_memcheck(memcheck.listscan $<TARGET_FILE:test_listscan> listscan/run)
clprims_memcheck(memcheck.forest $<TARGET_FILE:test_forest> forest/run)

# ---- Intel's driver for CPUs, in both of the layers that it can run -----------------------------

# Its compiler ends with a crash of its own on one shape of a product.
set(CLPRIMS_INTEL_LEAVES_minplus min-max/int64)
set(intel ${PROJECT_SOURCE_DIR}/build/intel)
foreach(name IN LISTS CLPRIMS_LAYER_PROGRAMS ITEMS core context)
  foreach(layer subgroup local)
    clprims_test(${name}.intel.${layer} intel COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/on_intel ${intel}
      $<TARGET_FILE:test_${name}> * ${CLPRIMS_INTEL_LEAVES_${name}}
      ENVIRONMENT CLPRIMS_LAYER=${layer} CLPRIMS_TEST_SMALL=1 CLPRIMS_TEST_LONG=0
      CONFIGURATIONS long intel)
    set_tests_properties(${name}.intel.${layer} PROPERTIES LABELS intel)
  endforeach()
endforeach()

# What it chooses there, for the tables of tests/where.
foreach(layer subgroup local)
  clprims_test(info.intel.${layer} intel COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/on_intel ${intel}
    $<TARGET_FILE:clprims_command> info ENVIRONMENT CLPRIMS_LAYER=${layer} CONFIGURATIONS long intel)
  set_tests_properties(info.intel.${layer} PROPERTIES LABELS intel)
endforeach()

# Sub-groups of each width that the driver has; fake_widths has plans of all kinds for them.
foreach(width 8 16 32 64)
  clprims_test(scan.intel.width-${width} intel COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/on_intel ${intel}
    $<TARGET_FILE:test_scan> scan/uint32/* ENVIRONMENT CLPRIMS_LAYER=subgroup
    CLPRIMS_PROBED=width=${width} CLPRIMS_TEST_SMALL=1 CLPRIMS_TEST_LONG=0 CONFIGURATIONS long intel)
  clprims_test(blocks.intel.width-${width} intel COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/on_intel
    ${intel} $<TARGET_FILE:test_blocks> blocks/* ENVIRONMENT CLPRIMS_LAYER=subgroup
    CLPRIMS_PROBED=width=${width} CLPRIMS_TEST_SMALL=1 CLPRIMS_TEST_LONG=0 CONFIGURATIONS long intel)
  set_tests_properties(scan.intel.width-${width} blocks.intel.width-${width} PROPERTIES LABELS intel)
endforeach()

# ---- Rusticl, Mesa's OpenCL, on llvmpipe ----------------------------------------------------------

# CPUs get the layer local. The driver has no 64-bit atomics, and its compiler takes long.
foreach(name IN LISTS CLPRIMS_LAYER_PROGRAMS ITEMS core context)
  clprims_test(${name}.rusticl rusticl COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/on_rusticl
    $<TARGET_FILE:test_${name}> ENVIRONMENT CLPRIMS_TEST_SMALL=1 CLPRIMS_TEST_LONG=0
    CONFIGURATIONS long rusticl)
  set_tests_properties(${name}.rusticl PROPERTIES LABELS rusticl)
endforeach()

clprims_test(info.rusticl rusticl COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/on_rusticl
  $<TARGET_FILE:clprims_command> info CONFIGURATIONS long rusticl)
set_tests_properties(info.rusticl PROPERTIES LABELS rusticl)
clprims_test(info default COMMAND $<TARGET_FILE:clprims_command> info CONFIGURATIONS long)

# ---- GPUs that are not here -------------------------------------------------------------------------

# Every program, compiled for them. What one build found, the others do not look for again.
find_program(CLPRIMS_CLANG_19 clang-19)
function(clprims_assemble compiler package)
  foreach(architecture IN LISTS ARGN)
    if(compiler AND CLPRIMS_PYTHON)
      add_test(NAME assemble.${architecture} COMMAND ${CLPRIMS_PYTHON}
        ${CMAKE_CURRENT_SOURCE_DIR}/assemble/assemble test ${compiler}
        ${PROJECT_SOURCE_DIR}/build/${package} $<TARGET_FILE:print_programs>
        ${PROJECT_SOURCE_DIR}/build/assemble ${architecture} CONFIGURATIONS long)
      set_tests_properties(assemble.${architecture} PROPERTIES SKIP_RETURN_CODE 77)
    else()
      clprims_skip(assemble.${architecture} "clang or python3 is not installed" CONFIGURATIONS long)
    endif()
  endforeach()
endfunction()
clprims_assemble("${CLPRIMS_CLANG}" ptxas sm_70 sm_75 sm_80 sm_86 sm_89 sm_90 sm_100 sm_120)
clprims_assemble("${CLPRIMS_CLANG_19}" none gfx90a gfx942 gfx1030 gfx1100 gfx1201)
clprims_assemble(ocloc ocloc dg2 pvc)
