# SPDX-License-Identifier: MIT
# Programs as a user would write them, run as tests; the README shows the first, examples/README.md
# names all. mpi.cmake has those over MPI ranks, python/agrees.py the Python one.
file(GLOB examples CONFIGURE_DEPENDS RELATIVE ${CMAKE_CURRENT_SOURCE_DIR}
  ${CMAKE_CURRENT_SOURCE_DIR}/examples/*.c ${CMAKE_CURRENT_SOURCE_DIR}/examples/*.cpp)
if(CMAKE_CXX_COMPILER)
  enable_language(CXX)
  set(CMAKE_CXX_STANDARD 11)
  set(CMAKE_CXX_EXTENSIONS OFF)
endif()

function(clprims_example name file)
  add_executable(example_${name} ${file})
  target_link_libraries(example_${name} PRIVATE clprims_shared)
  target_compile_options(example_${name} PRIVATE -Wall -Wextra -Wconversion -Wshadow
    $<$<BOOL:${CLPRIMS_STRICT}>:-Werror>)
  clprims_test(example.${name} default COMMAND $<TARGET_FILE:example_${name}>)
endfunction()

foreach(file IN LISTS examples)
  get_filename_component(name ${file} NAME_WE)
  if(file MATCHES "\\.c$" OR (file MATCHES "\\.cpp$" AND CMAKE_CXX_COMPILER))
    clprims_example(${name} ${file})
  else()
    clprims_skip(example.${name} "no C++ compiler is installed")
  endif()
endforeach()
set_tests_properties(example.first_scan PROPERTIES PASS_REGULAR_EXPRESSION "0 3 4 8 9 14")
# The lines of the changelog, some of them empty, as sort(1) has them.
set(sort_lines_text ${PROJECT_SOURCE_DIR}/CHANGELOG.md)
clprims_test(example.sort_lines.as_sort default COMMAND sh -c
  "\"$1\" \"$2\" > sort_lines.txt && LC_ALL=C sort -s \"$2\" | cmp - sort_lines.txt"
  sh $<TARGET_FILE:example_sort_lines> ${sort_lines_text})
# Suffixes as libdivsufsort has them where it is installed.
find_path(DIVSUFSORT_INCLUDE_DIR divsufsort.h)
find_library(DIVSUFSORT_LIBRARY divsufsort)
mark_as_advanced(DIVSUFSORT_INCLUDE_DIR DIVSUFSORT_LIBRARY)
if(DIVSUFSORT_INCLUDE_DIR AND DIVSUFSORT_LIBRARY)
  target_compile_definitions(example_suffix_array PRIVATE CLPRIMS_DIVSUFSORT)
  target_include_directories(example_suffix_array SYSTEM PRIVATE ${DIVSUFSORT_INCLUDE_DIR})
  target_link_libraries(example_suffix_array PRIVATE ${DIVSUFSORT_LIBRARY})
endif()
set_tests_properties(example.suffix_array PROPERTIES PASS_REGULAR_EXPRESSION "ranked: right")
set_tests_properties(example.inverse_bwt PROPERTIES PASS_REGULAR_EXPRESSION "letters rebuilt")
set_tests_properties(example.tree_depths PROPERTIES
  PASS_REGULAR_EXPRESSION "depths and sizes are right")
set_tests_properties(example.one_shot PROPERTIES PASS_REGULAR_EXPRESSION
  "79 km, the longest is walk 3, which ended at km 44.75\n3 3 5.5 8.25 9.75 12.5 16 21")
# Others that are not installed.
foreach(name IN ITEMS join percentiles run_lengths sort_strings)
  clprims_example(${name} clients/${name}.c)
endforeach()
# On blocks, in kernels of their own. Where work-groups may not wait for each other, one says so.
foreach(name IN ITEMS bounding_box filter_pairs softmax split_particles)
  clprims_example(${name} examples/blocks/${name}.c)
  set_tests_properties(example.${name} PROPERTIES
    PASS_REGULAR_EXPRESSION "as by plain C|looks back, which needs")
endforeach()
target_link_libraries(example_softmax PRIVATE m)
foreach(name IN ITEMS breadth_first cell_lists dedupe event_cuts group_by intervals join
  k_nearest near_leaders page_rank percentiles run_lengths sort_strings spanning_forest)
  set_tests_properties(example.${name} PROPERTIES PASS_REGULAR_EXPRESSION "as by plain C")
endforeach()
if(CMAKE_CXX_COMPILER)
  set_tests_properties(example.tokens PROPERTIES PASS_REGULAR_EXPRESSION
    "14 words, the last at 60, the longest of 6 letters")
endif()
# The system's own packages are one case of the example above, these with a known chain another.
clprims_test(example.package_hops.known default COMMAND $<TARGET_FILE:example_package_hops>
  ${CMAKE_CURRENT_SOURCE_DIR}/examples/inputs/packages.txt)
set_tests_properties(example.package_hops.known PROPERTIES
  PASS_REGULAR_EXPRESSION "libc <- libz <- tool <- suite")
clprims_test(example.spanning_forest.known default COMMAND $<TARGET_FILE:example_spanning_forest>
  ${CMAKE_CURRENT_SOURCE_DIR}/examples/inputs/zones.txt)
set_tests_properties(example.spanning_forest.known PROPERTIES
  PASS_REGULAR_EXPRESSION "4 of 7 lines, 3 trees of cities, as by plain C")
add_test(NAME example.in_readme COMMAND ${CMAKE_COMMAND} -DROOT=${PROJECT_SOURCE_DIR}
  "-DEXAMPLES=${examples}" -DSHOWN=examples/first_scan.c
  -P ${CMAKE_CURRENT_SOURCE_DIR}/tree/in_readme.cmake)
