# SPDX-License-Identifier: MIT
# What is checked of the tree and of the libraries, besides running the test programs.

# ---- Memory errors and races in kernels ----------------------------------------------------------

# Oclgrind brings its own device, which needs no choosing, and ends with 0 whatever it finds. It lacks
# instructions that an optimizer makes (ctpop) and one that inlining makes of functions that return
# structures, which are therefore called here. Its --uninitialized is of no use here: it takes the
# members of a struct argument and the lanes of a vector built from scalars for uninitialized.
#
# Where a race is part of the design, only accesses are checked: a list that is none leads two walks
# to one element, whose rank is then undefined; a tile that is reduced in its owner's stead while the
# owner overwrites it in place is thrown away; a selection in place overwrites what its owner has read
# before it published, an order that Oclgrind does not see; nor does it see that the last group of a
# reduction, of segments, of a sample or of a histogram reads what the others wrote before they took
# their tickets; several that find a long segment complete store the same result; who counts the
# names in a list that is none first looks whether others have counted enough; and scatter first reads
# a word that it exchanges, and clears winners that others look at.
find_program(CLPRIMS_OCLGRIND oclgrind)
set(CLPRIMS_RACY_scan fallback/one/in-place fallback/one/run fallback/many/in-place
  fallback/many/run fallback/one/max=700 parameters/lookback-fallback)
set(CLPRIMS_RACY_select /in-place)
set(CLPRIMS_RACY_reduce /n=1025 /n=1500 /n=2047 /n=2049 /n=3000 /one-plan /counted /parameters)
set(CLPRIMS_RACY_segmented /one /many /custom /malformed /teams /blocks /shares)
set(CLPRIMS_RACY_segmented_sort /faults)
set(CLPRIMS_RACY_parents /one /many /few /malformed)
set(CLPRIMS_RACY_gather /one /many /few)
set(CLPRIMS_RACY_scatter /many)
set(CLPRIMS_RACY_topk /serial /sample /few /index-passes /counted /plain-arrays)
set(CLPRIMS_RACY_histogram even/uint32/all even/int16/narrow /n=0/ /runs/ /refuses/run
  weights/float64-float32/serial weights/uint64-int32/serial)
set(CLPRIMS_RACY_list /malformed /mutations)
set(CLPRIMS_RACY_listscan /malformed /mutations /run)
set(CLPRIMS_RACY_forest /malformed /mutations /run)

function(clprims_oclgrind name)
  cmake_parse_arguments(PARSE_ARGV 1 O "" "" "CONFIGURATIONS;COMMAND")
  if(O_CONFIGURATIONS)
    list(PREPEND O_CONFIGURATIONS CONFIGURATIONS)
  endif()
  if(CLPRIMS_OCLGRIND)
    add_test(NAME ${name} COMMAND ${CLPRIMS_OCLGRIND} --build-options "-cl-opt-disable -Dalways_inline="
      ${O_COMMAND} ${O_CONFIGURATIONS})
    set_tests_properties(${name} PROPERTIES ENVIRONMENT "CLPRIMS_TEST_SMALL=1;CLPRIMS_TEST_LONG=0"
      FAIL_REGULAR_EXPRESSION "data race;Invalid;OCLGRIND FATAL;OCLGRIND ERROR")
  else()
    clprims_skip(${name} "oclgrind is not installed" ${O_CONFIGURATIONS})
  endif()
endfunction()

# The default tier runs these cases under Oclgrind, which the mutants of each room need, and all calls
# once; the long tier runs all cases.
set(CLPRIMS_OCLGRIND_scan scan/sweep/*)
set(CLPRIMS_OCLGRIND_offsets offsets/sweep/*)
set(CLPRIMS_OCLGRIND_select select/sweep/*)
set(CLPRIMS_OCLGRIND_sort sort/sizes/*)
set(CLPRIMS_OCLGRIND_histogram histogram/high-byte/*n=1025*)
set(CLPRIMS_OCLGRIND_list list/int32/visit-log/* list/int32/levels/* list/int32/in-place/*)
set(CLPRIMS_OCLGRIND_listscan listscan/one-group/* listscan/levels/zig-zag/*)
set(CLPRIMS_OCLGRIND_minplus minplus/*/serial*)
# The same where races are by design.
set(CLPRIMS_OCLGRIND_UNORDERED_list list/int32/levels/malformed/*)
set(CLPRIMS_OCLGRIND_UNORDERED_listscan listscan/levels/malformed/link-range/*)

# The words of a pattern, for the name of a test.
function(clprims_pattern_words pattern result)
  string(REGEX REPLACE "[*/]+" "-" words "${pattern}")
  string(REGEX REPLACE "^-|-$" "" words "${words}")
  set(${result} "${words}" PARENT_SCOPE)
endfunction()

foreach(name IN LISTS CLPRIMS_LAYER_PROGRAMS)
  foreach(pattern IN LISTS CLPRIMS_OCLGRIND_${name})
    clprims_pattern_words(${pattern} words)
    clprims_oclgrind(oclgrind.${words} COMMAND --data-races $<TARGET_FILE:test_${name}> ${pattern}
      ${CLPRIMS_RACY_${name}} ${CLPRIMS_OCLGRIND_LATER_${name}})
  endforeach()
  foreach(pattern IN LISTS CLPRIMS_OCLGRIND_UNORDERED_${name})
    clprims_pattern_words(${pattern} words)
    clprims_oclgrind(oclgrind.${words} COMMAND $<TARGET_FILE:test_${name}> ${pattern})
  endforeach()
  clprims_oclgrind(${name}.oclgrind COMMAND --data-races $<TARGET_FILE:test_${name}> *
    ${CLPRIMS_RACY_${name}} ${CLPRIMS_OCLGRIND_LATER_${name}} CONFIGURATIONS long)
  foreach(part IN LISTS CLPRIMS_RACY_${name})
    clprims_pattern_words(${part} words)
    clprims_oclgrind(${name}.oclgrind.${words} COMMAND $<TARGET_FILE:test_${name}> *${part}*
      CONFIGURATIONS long)
  endforeach()
  foreach(part IN LISTS CLPRIMS_OCLGRIND_LATER_${name})
    clprims_pattern_words(${part} words)
    clprims_oclgrind(${name}.oclgrind.${words} COMMAND --data-races
      $<TARGET_FILE:test_${name}> *${part}* CONFIGURATIONS long)
  endforeach()
endforeach()

# Look-back, in blocks as in scans, orders work-groups by words that Oclgrind does not see.
clprims_oclgrind(blocks.oclgrind COMMAND --data-races $<TARGET_FILE:test_blocks> blocks/* /prefixes)
clprims_oclgrind(blocks.oclgrind.prefixes COMMAND $<TARGET_FILE:test_blocks> blocks/prefixes/*)
# Plans without room to spare: n == max_n.
clprims_oclgrind(calls.oclgrind COMMAND --data-races $<TARGET_FILE:test_calls> calls/firsts/* /reduce
  /segmented /topk /scatter /histogram-local /histogram-many-bins /histogram-of-none /forest-of-no-heads)
clprims_oclgrind(calls.oclgrind.reduce COMMAND $<TARGET_FILE:test_calls> calls/firsts/reduce*)
clprims_oclgrind(calls.oclgrind.segmented COMMAND $<TARGET_FILE:test_calls>
  calls/firsts/segmented*)
clprims_oclgrind(calls.oclgrind.histogram COMMAND $<TARGET_FILE:test_calls>
  calls/firsts/histogram*)
clprims_oclgrind(calls.oclgrind.topk COMMAND $<TARGET_FILE:test_calls> calls/firsts/topk*)
clprims_oclgrind(calls.oclgrind.scatter COMMAND $<TARGET_FILE:test_calls> calls/firsts/scatter*)
clprims_oclgrind(calls.oclgrind.forest-of-no-heads COMMAND $<TARGET_FILE:test_calls>
  calls/firsts/forest-of-no-heads)

# ---- The command beside NumPy -----------------------------------------------------------------------

if(CLPRIMS_PYTHON)
  clprims_test(cli.numpy default COMMAND ${CLPRIMS_PYTHON}
    ${CMAKE_CURRENT_SOURCE_DIR}/cli/numpy_agrees.py $<TARGET_FILE:clprims_command>)
else()
  clprims_skip(cli.numpy "python3 is not installed")
endif()

# ---- The Python package beside NumPy and other projects ---------------------------------------------

# tests/run installs what the files import there (tests/setup.sh).
function(clprims_python name file package)
  set(folder ${PROJECT_SOURCE_DIR}/build/python)
  file(GLOB found ${folder}/lib/python*/site-packages/${package})
  if(CLPRIMS_SANITIZED)
    clprims_skip(${name} "Python's own program has no sanitizer" ${ARGN})
  elseif(found)
    clprims_test(${name} default COMMAND ${folder}/bin/python ${CMAKE_CURRENT_SOURCE_DIR}/${file}
      $<TARGET_FILE:clprims_shared> ${CMAKE_CURRENT_BINARY_DIR}/${name} ${ARGN})
  else()
    clprims_skip(${name} "${package} is not in build/python" ${ARGN})
  endif()
endfunction()
clprims_python(python python/agrees.py pyopencl)
clprims_python(awkward clients/beside_awkward.py pyopencl)
clprims_python(structs clients/structs_agree.py pyopencl)
clprims_python(clients.pyopencl clients/beside_pyopencl.py mako CONFIGURATIONS long)
clprims_python(clients.pyfai clients/beside_pyfai.py pyFAI CONFIGURATIONS long)

# ---- In the application's locale ---------------------------------------------------------------------

# One with a decimal comma, and one in which the lower case of I is no i. The long tier has every
# program, the default one those whose calls read names, numbers and texts. The command, whose
# tests take longest, sets no locale.
set(CLPRIMS_LOCALE_TESTS context core files histogram)
find_program(CLPRIMS_LOCALEDEF localedef)
set(folder ${CMAKE_CURRENT_BINARY_DIR}/locales)
file(MAKE_DIRECTORY ${folder})
foreach(language de_DE tr_TR)
  if(CLPRIMS_LOCALEDEF AND NOT EXISTS ${folder}/${language}.UTF-8)
    execute_process(COMMAND ${CLPRIMS_LOCALEDEF} -i ${language} -f UTF-8 ${folder}/${language}.UTF-8
      OUTPUT_QUIET ERROR_QUIET)
  endif()
  foreach(name IN LISTS CLPRIMS_TEST_PROGRAMS)
    set(tier "")
    if(NOT name IN_LIST CLPRIMS_LOCALE_TESTS)
      set(tier CONFIGURATIONS long)
    endif()
    set(cache default)
    if(name STREQUAL "create")
      set(cache create)
    endif()
    if(EXISTS ${folder}/${language}.UTF-8)
      clprims_test(${name}.${language} ${cache} COMMAND $<TARGET_FILE:test_${name}> ${tier} ENVIRONMENT
        LOCPATH=${folder} LC_ALL=${language}.UTF-8 CLPRIMS_TEST_LOCALE=${language}.UTF-8
        CLPRIMS_TEST_SMALL=1 CLPRIMS_TEST_LONG=0)
    else()
      clprims_skip(${name}.${language} "localedef can't make the locale: is Debian's package locales installed?" ${tier})
    endif()
  endforeach()
endforeach()

# ---- The first contexts of a process ------------------------------------------------------------

add_executable(start_together core/start_together.c)
target_link_libraries(start_together PRIVATE clprims_shared clprims_warnings Threads::Threads)
target_compile_definitions(start_together PRIVATE _POSIX_C_SOURCE=200809L)
clprims_test(start_together default COMMAND $<TARGET_FILE:start_together>)

# ---- A driver that gives no more local memory than it advertises ---------------------------------

add_executable(local_memory core/local_memory.c harness/fake_opencl.c)
target_include_directories(local_memory PRIVATE ${PROJECT_SOURCE_DIR}/src ${CMAKE_CURRENT_SOURCE_DIR})
target_compile_definitions(local_memory PRIVATE _POSIX_C_SOURCE=200809L CL_TARGET_OPENCL_VERSION=120)
target_link_libraries(local_memory PRIVATE clprims_static clprims_warnings)
add_test(NAME local_memory COMMAND local_memory)

# ---- A device of little memory --------------------------------------------------------------------

add_executable(memory_limits core/memory_limits.c harness/fake_opencl.c)
target_include_directories(memory_limits PRIVATE ${CMAKE_CURRENT_SOURCE_DIR})
target_compile_definitions(memory_limits PRIVATE _POSIX_C_SOURCE=200809L CL_TARGET_OPENCL_VERSION=120)
target_link_libraries(memory_limits PRIVATE clprims_harness clprims_static clprims_warnings)
add_test(NAME memory_limits COMMAND memory_limits)

# ---- The variants of an NVIDIA device, described and launched ------------------------------------

add_executable(fake_variants core/fake_variants.c harness/fake_opencl.c)
target_include_directories(fake_variants PRIVATE ${CMAKE_CURRENT_SOURCE_DIR})
target_compile_definitions(fake_variants PRIVATE _POSIX_C_SOURCE=200809L CL_TARGET_OPENCL_VERSION=120)
target_link_libraries(fake_variants PRIVATE clprims_harness clprims_static clprims_warnings)
add_test(NAME fake_variants COMMAND fake_variants)

# ---- What devices of all kinds are given ------------------------------------------------------------

add_executable(fake_launches core/fake_launches.c harness/fake_opencl.c)
target_include_directories(fake_launches PRIVATE ${PROJECT_SOURCE_DIR}/src ${CMAKE_CURRENT_SOURCE_DIR})
target_compile_definitions(fake_launches PRIVATE _POSIX_C_SOURCE=200809L CL_TARGET_OPENCL_VERSION=120)
target_link_libraries(fake_launches PRIVATE clprims_harness clprims_static clprims_warnings)
if(CLPRIMS_PYTHON)
  add_test(NAME fake_launches COMMAND ${CLPRIMS_PYTHON} ${CMAKE_CURRENT_SOURCE_DIR}/core/fake_launches.py
    $<TARGET_FILE:fake_launches>)
else()
  clprims_skip(fake_launches "python3 is not installed")
endif()

# ---- What devices that no table knows show of their work-groups ------------------------------------

add_executable(fake_probes core/fake_probes.c harness/fake_opencl.c)
target_include_directories(fake_probes PRIVATE ${CMAKE_CURRENT_SOURCE_DIR})
target_compile_definitions(fake_probes PRIVATE _POSIX_C_SOURCE=200809L CL_TARGET_OPENCL_VERSION=120)
target_link_libraries(fake_probes PRIVATE clprims_static clprims_warnings)
add_test(NAME fake_probes COMMAND fake_probes)

# ---- Sub-groups of all widths, by each vendor's words ----------------------------------------------

add_executable(fake_widths core/fake_widths.c harness/fake_opencl.c)
target_include_directories(fake_widths PRIVATE ${CMAKE_CURRENT_SOURCE_DIR})
target_compile_definitions(fake_widths PRIVATE _POSIX_C_SOURCE=200809L CL_TARGET_OPENCL_VERSION=120)
target_link_libraries(fake_widths PRIVATE clprims_harness clprims_static clprims_warnings)
add_test(NAME fake_widths COMMAND fake_widths)

# ---- Headers alone --------------------------------------------------------------------------------

set(CLPRIMS_HEADER_FLAGS -pedantic -Wall -Wextra -Werror -fsyntax-only
  -I${PROJECT_SOURCE_DIR}/include)
set(folders ${OpenCL_INCLUDE_DIRS})
if(MPI_C_FOUND)
  list(APPEND folders ${MPI_C_INCLUDE_DIRS})
endif()
list(REMOVE_ITEM folders /usr/include) # C++'s own headers would no longer find the next one
foreach(folder IN LISTS folders)
  list(APPEND CLPRIMS_HEADER_FLAGS -isystem ${folder})
endforeach()
check_language(CXX)
file(GLOB headers RELATIVE ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR}/include/clprims/*.h)
if(NOT MPI_C_FOUND)
  list(REMOVE_ITEM headers clprims/mpi.h)
endif()
foreach(header IN LISTS headers)
  get_filename_component(stem ${header} NAME_WE)
  # Twice, so that the guard is seen to work.
  set(text "#include <${header}>\n#include <${header}>\nint clprims_alone(void);\n")
  file(CONFIGURE OUTPUT headers/${stem}.c CONTENT "${text}")
  file(CONFIGURE OUTPUT headers/${stem}.cpp CONTENT "${text}")
  add_test(NAME headers.${stem}.c99 COMMAND ${CMAKE_C_COMPILER} -std=c99 ${CLPRIMS_HEADER_FLAGS}
    ${CMAKE_CURRENT_BINARY_DIR}/headers/${stem}.c)
  if(CMAKE_CXX_COMPILER)
    add_test(NAME headers.${stem}.c++ COMMAND ${CMAKE_CXX_COMPILER} -std=c++11
      ${CLPRIMS_HEADER_FLAGS} ${CMAKE_CURRENT_BINARY_DIR}/headers/${stem}.cpp)
  else()
    clprims_skip(headers.${stem}.c++ "no C++ compiler is installed")
  endif()
endforeach()

# ---- Symbols ----------------------------------------------------------------------------------------

add_test(NAME symbols.exported COMMAND ${CMAKE_COMMAND} -DNM=${CMAKE_NM}
  -DLIBRARY=$<TARGET_FILE:clprims_shared> -P ${CMAKE_CURRENT_SOURCE_DIR}/package/exported.cmake)
if(MPI_C_FOUND)
  add_test(NAME symbols.mpi COMMAND ${CMAKE_COMMAND} -DNM=${CMAKE_NM} -DPREFIX=clprims_mpi_
    -DLIBRARY=$<TARGET_FILE:clprims_mpi_shared> -P ${CMAKE_CURRENT_SOURCE_DIR}/package/exported.cmake)
endif()
add_test(NAME symbols.wrapped COMMAND ${CMAKE_COMMAND} -DNM=${CMAKE_NM}
  -DLIBRARY=$<TARGET_FILE:clprims_static> "-DWRAPPED=${CLPRIMS_WRAPPED}"
  -P ${CMAKE_CURRENT_SOURCE_DIR}/package/wrapped.cmake)

# What the headers say, as a program that is linked with the shared libraries.
if(CLPRIMS_PYTHON)
  set(libraries $<TARGET_FILE:clprims_shared>)
  set(flags "")
  if(MPI_C_FOUND)
    string(APPEND libraries ,$<TARGET_FILE:clprims_mpi_shared>)
    list(TRANSFORM MPI_C_INCLUDE_DIRS PREPEND -isystem OUTPUT_VARIABLE flags)
    list(APPEND flags ${MPI_C_LIBRARIES})
  endif()
  add_test(NAME symbols.declared COMMAND ${CLPRIMS_PYTHON}
    ${CMAKE_CURRENT_SOURCE_DIR}/package/declared.py ${PROJECT_SOURCE_DIR}/include
    ${CMAKE_CURRENT_SOURCE_DIR}/package/values.txt ${CMAKE_CURRENT_BINARY_DIR}/declared ${CMAKE_NM}
    ${libraries} -- ${CMAKE_C_COMPILER} ${flags})
  set_tests_properties(symbols.declared PROPERTIES
    ENVIRONMENT "MORE_COMPILER=$<$<BOOL:${CMAKE_CXX_COMPILER}>:${CMAKE_CXX_COMPILER}>")
  # What programs that were built with them rely on. MPI's absence does not matter.
  if(CMAKE_SIZEOF_VOID_P EQUAL 8)
    add_test(NAME symbols.abi COMMAND ${CLPRIMS_PYTHON} ${CMAKE_CURRENT_SOURCE_DIR}/package/abi.py
      ${CMAKE_C_COMPILER})
  endif()
else()
  clprims_skip(symbols.declared "python3 is not installed")
endif()

# ---- The weight of a program --------------------------------------------------------------------------

if(CMAKE_BUILD_TYPE STREQUAL "Release" AND CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64|amd64"
    AND CMAKE_STRIP AND NOT CLPRIMS_COVERAGE)
  add_test(NAME package.sizes COMMAND ${CMAKE_COMMAND} -DNM=${CMAKE_NM} -DSTRIP=${CMAKE_STRIP}
    -DLIBRARY=$<TARGET_FILE:clprims_static> -DCOMPILER=${CMAKE_C_COMPILER} -DOPENCL=${OpenCL_LIBRARIES}
    -DINCLUDE=${PROJECT_SOURCE_DIR}/include -DEXAMPLE=${CMAKE_CURRENT_SOURCE_DIR}/examples/first_scan.c
    -DWORK=${CMAKE_CURRENT_BINARY_DIR}/weights -P ${CMAKE_CURRENT_SOURCE_DIR}/package/sizes.cmake)
else()
  clprims_skip(package.sizes "the promise is about a release build for x86-64")
endif()

# ---- Two files to copy -------------------------------------------------------------------------------

if(CLPRIMS_PYTHON AND NOT CLPRIMS_COVERAGE)
  set(compilers "")
  foreach(name gcc clang)
    find_program(CLPRIMS_${name} ${name})
    mark_as_advanced(CLPRIMS_${name})
    if(CLPRIMS_${name})
      list(APPEND compilers ${CLPRIMS_${name}})
    endif()
  endforeach()
  list(JOIN compilers | compilers)
  function(clprims_two_files name levels only)
    clprims_test(${name} default COMMAND ${CMAKE_COMMAND} -DSOURCE=${PROJECT_SOURCE_DIR}
      -DWORK=${CMAKE_CURRENT_BINARY_DIR}/${name} -DONLY=${only} -DLEVELS=${levels}
      -DCOMPILERS=${compilers} -DOPENCL=${OpenCL_LIBRARIES}
      -DEXAMPLE=${CMAKE_CURRENT_SOURCE_DIR}/examples/first_scan.c
      -DOBJECTS=$<JOIN:$<TARGET_OBJECTS:test_calls>,|>
      -DLIBRARIES=$<TARGET_FILE:clprims_harness>|${CMOCKA_LINK_LIBRARIES}|${OpenCL_LIBRARIES}
      -P ${CMAKE_CURRENT_SOURCE_DIR}/package/two_files.cmake ${ARGN}
      ENVIRONMENT CLPRIMS_TEST_OF_HOST=1)
  endfunction()
  clprims_two_files(two_files -O0 scan)
  clprims_two_files(two_files.each -O0|-O2|-O3 each CONFIGURATIONS long)
else()
  clprims_skip(two_files "python3 is not installed")
endif()

# ---- An installed copy ------------------------------------------------------------------------------

clprims_test(installed default COMMAND ${CMAKE_COMMAND} -DBUILD=${PROJECT_BINARY_DIR}
  -DCONFIG=$<CONFIG> -DCOMPILER=${CMAKE_C_COMPILER} -DCXX_COMPILER=${CMAKE_CXX_COMPILER} -DPKG_CONFIG=${PKG_CONFIG_EXECUTABLE}
  -DVERSION=${PROJECT_VERSION} -DLIBDIR=${CMAKE_INSTALL_LIBDIR} -DMPI=${MPI_C_FOUND} -DCONSUMER=${CMAKE_CURRENT_SOURCE_DIR}/package/consumer
  -DWORK=${CMAKE_CURRENT_BINARY_DIR}/installed -P ${CMAKE_CURRENT_SOURCE_DIR}/package/installed.cmake)

# What is compiled there is kept from run to run.
clprims_test(subproject default COMMAND ${CMAKE_COMMAND} -DSOURCE=${PROJECT_SOURCE_DIR}
  -DCOMPILER=${CMAKE_C_COMPILER} -DPKG_CONFIG=${PKG_CONFIG_EXECUTABLE}
  -DPARENT=${CMAKE_CURRENT_SOURCE_DIR}/package/parent -DCONSUMER=${CMAKE_CURRENT_SOURCE_DIR}/package/consumer
  -DWORK=${CMAKE_CURRENT_BINARY_DIR}/subproject -P ${CMAKE_CURRENT_SOURCE_DIR}/package/subproject.cmake
  CONFIGURATIONS long)

add_test(NAME packages COMMAND ${CMAKE_COMMAND} -DSOURCE=${PROJECT_SOURCE_DIR}
  -DCOMPILER=${CMAKE_C_COMPILER} -DPKG_CONFIG=${PKG_CONFIG_EXECUTABLE}
  -DCONSUMER=${CMAKE_CURRENT_SOURCE_DIR}/package/consumer -DWORK=${CMAKE_CURRENT_BINARY_DIR}/packages
  -P ${CMAKE_CURRENT_SOURCE_DIR}/package/packages.cmake CONFIGURATIONS long)

# ---- What is to be read -------------------------------------------------------------------------------

if(CLPRIMS_AWK AND CLPRIMS_GZIP)
  find_program(CLPRIMS_GROFF groff)
  add_test(NAME manual COMMAND ${CMAKE_COMMAND} -DCOMMAND=$<TARGET_FILE:clprims_command>
    -DMANUAL=${PROJECT_BINARY_DIR}/man -DGROFF=$<$<BOOL:${CLPRIMS_GROFF}>:${CLPRIMS_GROFF}>
    -P ${CMAKE_CURRENT_SOURCE_DIR}/cli/manual.cmake)
else()
  clprims_skip(manual "awk or gzip is not installed")
endif()
if(CLPRIMS_DOXYGEN)
  add_test(NAME reference COMMAND ${CMAKE_COMMAND} --build ${PROJECT_BINARY_DIR} --target reference)
else()
  clprims_skip(reference "doxygen is not installed")
endif()

# ---- Style --------------------------------------------------------------------------------------------

# Each program of kernels as the library puts it together for a device of each kind, read by clang.
add_executable(print_programs tree/print_programs.c harness/fake_opencl.c)
target_include_directories(print_programs PRIVATE ${PROJECT_SOURCE_DIR}/include
  ${CMAKE_CURRENT_SOURCE_DIR})
target_compile_definitions(print_programs PRIVATE _POSIX_C_SOURCE=200809L)
target_link_libraries(print_programs PRIVATE clprims_harness clprims_static clprims_warnings)
# For NVIDIA's own compiler, by hand (assemble/README.md).
add_executable(driver_ptx EXCLUDE_FROM_ALL assemble/driver_ptx.c)
target_link_libraries(driver_ptx PRIVATE clprims_static clprims_warnings OpenCL::OpenCL)
target_compile_definitions(driver_ptx PRIVATE _POSIX_C_SOURCE=200809L CL_TARGET_OPENCL_VERSION=120)
find_program(CLPRIMS_CLANG clang)
# As in fake_opencl.h. The default tier has one kind of each device layer.
set(CLPRIMS_LINT_KINDS nvidia ampere subgroups-gpu subgroups-cpu gpu cpu)
set(CLPRIMS_LINT_LATER ampere subgroups-cpu gpu)

set(number 0)
foreach(kind IN LISTS CLPRIMS_LINT_KINDS)
  set(flags -cl-std=CL1.2 -target spir64-unknown-unknown)
  if(kind MATCHES "nvidia|ampere")
    set(flags -Dasm=__asm__ -cl-std=CL1.2 -target nvptx64-nvidia-nvcl)
  elseif(kind MATCHES "subgroups")
    set(flags -cl-std=CL3.0 -target spir64-unknown-unknown)
  endif()
  set(tier "")
  if(kind IN_LIST CLPRIMS_LINT_LATER)
    set(tier CONFIGURATIONS long)
  endif()
  if(CLPRIMS_CLANG)
    add_test(NAME lint.${kind} COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/tree/lint ${CLPRIMS_CLANG}
      $<TARGET_FILE:print_programs> ${CMAKE_CURRENT_BINARY_DIR}/lint/${kind} ${number} ${flags} ${tier})
  else()
    clprims_skip(lint.${kind} "clang is not installed" ${tier})
  endif()
  # Long tier: processors of three generations, whose vectors are of 16, 32 and 64 bytes.
  foreach(level x86-64-v2 x86-64-v3 x86-64-v4)
    if(CLPRIMS_CLANG AND kind MATCHES "cpu")
      list(TRANSFORM flags REPLACE "^spir64.*" x86_64-unknown-linux-gnu OUTPUT_VARIABLE x86_flags)
      add_test(NAME lint.${kind}.${level} COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/tree/lint ${CLPRIMS_CLANG}
        $<TARGET_FILE:print_programs> ${CMAKE_CURRENT_BINARY_DIR}/lint/${kind}.${level} ${number}
        ${x86_flags} -march=${level} CONFIGURATIONS long)
    endif()
  endforeach()
  math(EXPR number "${number} + 1")
endforeach()

# Kernels that only NVIDIA GPUs run, on the host.
if(CLPRIMS_CLANG AND CLPRIMS_PYTHON)
  add_test(NAME emulated COMMAND ${CLPRIMS_PYTHON} ${CMAKE_CURRENT_SOURCE_DIR}/emulated/emulate
    ${CLPRIMS_CLANG} $<TARGET_FILE:print_programs> 30)
else()
  clprims_skip(emulated "clang or python3 is not installed")
endif()

if(CLPRIMS_PYTHON)
  add_test(NAME texts COMMAND ${CLPRIMS_PYTHON} ${CMAKE_CURRENT_SOURCE_DIR}/tree/texts.py
    $<TARGET_FILE:print_programs> ${PROJECT_SOURCE_DIR}/cl ${CMAKE_CURRENT_BINARY_DIR}/texts)
else()
  clprims_skip(texts "python3 is not installed")
endif()

# Sub-groups of other widths: the number is that of subgroups-gpu.
foreach(width 8 32 64)
  if(CLPRIMS_CLANG)
    add_test(NAME lint.subgroups.${width} COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/tree/lint
      ${CLPRIMS_CLANG} $<TARGET_FILE:print_programs> ${CMAKE_CURRENT_BINARY_DIR}/lint/width.${width} 2
      -cl-std=CL3.0 -target spir64-unknown-unknown CONFIGURATIONS long)
    set_tests_properties(lint.subgroups.${width} PROPERTIES
      ENVIRONMENT "CLPRIMS_PROBED=layer=subgroup width=${width}")
  endif()
endforeach()

# Tiles of a single pass are numbered by ticket: a group's own number says nothing of when it starts.
# By that number a counted run knows which groups take no ticket.
file(GLOB passes RELATIVE ${PROJECT_SOURCE_DIR}/cl ${PROJECT_SOURCE_DIR}/cl/tile/*.cl
  ${PROJECT_SOURCE_DIR}/cl/engine/*.cl ${PROJECT_SOURCE_DIR}/cl/scan/*.cl
  ${PROJECT_SOURCE_DIR}/cl/offsets/*.cl ${PROJECT_SOURCE_DIR}/cl/select/*.cl)
list(REMOVE_ITEM passes engine/count.cl)
add_test(NAME lint.tickets COMMAND ${CMAKE_COMMAND} -E env grep -n get_group_id ${passes}
  WORKING_DIRECTORY ${PROJECT_SOURCE_DIR}/cl)
set_tests_properties(lint.tickets PROPERTIES PASS_REGULAR_EXPRESSION "^$"
  FAIL_REGULAR_EXPRESSION "get_group_id;No such file")

# What follows the application's locale is not for the library; src/core/text.h has its own.
set(rooms core engine once ${CLPRIMS_PRIMITIVES})
list(TRANSFORM rooms PREPEND ${PROJECT_SOURCE_DIR}/src/)
add_test(NAME lint.locale COMMAND ${CMAKE_COMMAND} -E env grep -rnE
  "^#include <w?ctype|strto(f|d|ld)[(]|ato[f][(]|str(n?casecmp|coll)[(]" ${rooms})
set_tests_properties(lint.locale PROPERTIES PASS_REGULAR_EXPRESSION "^$"
  FAIL_REGULAR_EXPRESSION ":[0-9]+:;No such file")

# The layout of another release of clang-format differs in small things.
find_program(CLPRIMS_CLANG_FORMAT NAMES clang-format-14 clang-format)
set(format_version "")
if(CLPRIMS_CLANG_FORMAT)
  execute_process(COMMAND ${CLPRIMS_CLANG_FORMAT} --version OUTPUT_VARIABLE format_version)
endif()
file(GLOB_RECURSE sources ${PROJECT_SOURCE_DIR}/include/*.h ${PROJECT_SOURCE_DIR}/src/*.[ch]
  ${PROJECT_SOURCE_DIR}/tests/*.[ch] ${PROJECT_SOURCE_DIR}/tests/*.cpp
  ${PROJECT_SOURCE_DIR}/bench/*.[ch] ${PROJECT_SOURCE_DIR}/bench/*.cpp
  ${PROJECT_SOURCE_DIR}/bench/*.cu ${PROJECT_SOURCE_DIR}/bench/*.cl ${PROJECT_SOURCE_DIR}/cl/*.cl)
if(format_version MATCHES "version 14\\.")
  add_test(NAME format COMMAND ${CLPRIMS_CLANG_FORMAT} --dry-run -Werror ${sources})
else()
  clprims_skip(format "clang-format 14 is not installed")
endif()
foreach(name layers macros primitives references words)
  if(CLPRIMS_PYTHON)
    add_test(NAME ${name} COMMAND ${CLPRIMS_PYTHON} ${CMAKE_CURRENT_SOURCE_DIR}/tree/${name}.py
      ${PROJECT_SOURCE_DIR})
  else()
    clprims_skip(${name} "python3 is not installed")
  endif()
endforeach()
add_test(NAME lengths COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/tree/lengths ${sources})

# The tables of mutation tests name text that is still there.
if(CLPRIMS_PYTHON)
  add_test(NAME mutants COMMAND ${CLPRIMS_PYTHON} ${CMAKE_CURRENT_SOURCE_DIR}/mutate --check)
else()
  clprims_skip(mutants "python3 is not installed")
endif()

include(examples.cmake)

# ---- Figures in documents -------------------------------------------------------------------------------

function(clprims_figures name)
  if(CLPRIMS_PYTHON)
    add_test(NAME ${name} COMMAND ${ARGN})
    set_tests_properties(${name} PROPERTIES SKIP_RETURN_CODE 77)
  else()
    clprims_skip(${name} "python3 is not installed")
  endif()
endfunction()
set(figures ${PROJECT_SOURCE_DIR}/bench/figures)
clprims_figures(figures.in_readme ${CLPRIMS_PYTHON} ${figures} check
  ${PROJECT_SOURCE_DIR}/README.md)
clprims_figures(figures.in_tables ${CLPRIMS_PYTHON} ${figures} check --plots
  ${PROJECT_SOURCE_DIR}/bench/results/tables.md)
clprims_figures(figures.in_textbook ${CLPRIMS_PYTHON} ${figures} check
  ${PROJECT_SOURCE_DIR}/bench/textbook/README.md)
if(CLPRIMS_PYTHON)
  add_test(NAME where.page COMMAND ${CLPRIMS_PYTHON} ${CMAKE_CURRENT_SOURCE_DIR}/where/record --check)
  add_test(NAME where.agrees COMMAND ${CLPRIMS_PYTHON}
    ${CMAKE_CURRENT_SOURCE_DIR}/where/record_agrees.py ${CMAKE_CURRENT_BINARY_DIR})
  add_test(NAME load.agrees COMMAND ${CLPRIMS_PYTHON}
    ${CMAKE_CURRENT_SOURCE_DIR}/load/record_agrees.py ${CMAKE_CURRENT_BINARY_DIR})
else()
  clprims_skip(where "python3 is not installed")
endif()
# What is made of a CSV file.
clprims_figures(bench.summary ${CMAKE_COMMAND} -DPYTHON=${CLPRIMS_PYTHON} -DFIGURES=${figures}
  -DAT=${CMAKE_CURRENT_BINARY_DIR} -P ${CMAKE_CURRENT_SOURCE_DIR}/bench/summary.cmake)
foreach(what numbers plots)
  clprims_figures(bench.${what} ${CLPRIMS_PYTHON} ${CMAKE_CURRENT_SOURCE_DIR}/bench/figures_agree.py
    ${PROJECT_SOURCE_DIR} ${what})
endforeach()
