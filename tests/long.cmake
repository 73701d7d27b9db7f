# SPDX-License-Identifier: MIT
# What only tests/run --long runs, by ctest -C long.

# ---- Host memory --------------------------------------------------------------------------------

# A plan of each primitive: valgrind's processor is slow, and PoCL compiles on it.
find_program(CLPRIMS_VALGRIND valgrind)
if(CLPRIMS_VALGRIND)
  clprims_test(memcheck memcheck COMMAND ${CLPRIMS_VALGRIND} --error-exitcode=9 --leak-check=full
    --show-leak-kinds=definite --errors-for-leak-kinds=definite
    --suppressions=${CMAKE_CURRENT_SOURCE_DIR}/pocl.supp $<TARGET_FILE:test_fuzz> --draws 1
    ENVIRONMENT CLPRIMS_TEST_SMALL=1 CONFIGURATIONS long)
else()
  clprims_skip(memcheck "valgrind is not installed" CONFIGURATIONS long)
endif()

# ---- Intel's driver for CPUs, in both of the layers that it can run -----------------------------

# Its compiler ends with a crash of its own on one shape of a product.
set(CLPRIMS_INTEL_LEAVES_minplus min-max/int64)
set(intel ${PROJECT_SOURCE_DIR}/build/intel)
foreach(name IN LISTS CLPRIMS_LAYER_PROGRAMS ITEMS core context)
  foreach(layer subgroup local)
    clprims_test(${name}.intel.${layer} intel COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/on_intel ${intel}
      $<TARGET_FILE:test_${name}> * ${CLPRIMS_INTEL_LEAVES_${name}}
      ENVIRONMENT CLPRIMS_LAYER=${layer} CLPRIMS_TEST_SMALL=1 CLPRIMS_TEST_LONG=0
      CONFIGURATIONS long)
  endforeach()
endforeach()
