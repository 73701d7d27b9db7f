# SPDX-License-Identifier: MIT
# What is checked of the tree and of the libraries, besides running the test programs.

# ---- Memory errors and races in kernels ----------------------------------------------------------

# Oclgrind brings its own device, which needs no choosing, and ends with 0 whatever it finds.
find_program(CLPRIMS_OCLGRIND oclgrind)
foreach(name IN LISTS CLPRIMS_LAYER_PROGRAMS)
  if(CLPRIMS_OCLGRIND)
    add_test(NAME ${name}.oclgrind COMMAND ${CLPRIMS_OCLGRIND} --data-races --uninitialized
      $<TARGET_FILE:test_${name}>)
    set_tests_properties(${name}.oclgrind PROPERTIES ENVIRONMENT CLPRIMS_TEST_SMALL=1
      FAIL_REGULAR_EXPRESSION "data race;Invalid;Uninitialized;OCLGRIND FATAL;OCLGRIND ERROR")
  else()
    clprims_skip(${name}.oclgrind "oclgrind is not installed")
  endif()
endforeach()

# ---- The command beside NumPy -----------------------------------------------------------------------

find_program(CLPRIMS_PYTHON NAMES python3 PATHS /usr/bin NO_DEFAULT_PATH)
find_program(CLPRIMS_PYTHON NAMES python3)
if(CLPRIMS_PYTHON)
  clprims_test(cli.numpy default COMMAND ${CLPRIMS_PYTHON}
    ${CMAKE_CURRENT_SOURCE_DIR}/numpy_agrees.py $<TARGET_FILE:clprims_command>)
else()
  clprims_skip(cli.numpy "python3 is not installed")
endif()

# ---- Headers alone --------------------------------------------------------------------------------

set(CLPRIMS_HEADER_FLAGS -pedantic -Wall -Wextra -Werror -fsyntax-only
  -I${PROJECT_SOURCE_DIR}/include)
foreach(folder IN LISTS OpenCL_INCLUDE_DIRS)
  list(APPEND CLPRIMS_HEADER_FLAGS -isystem ${folder})
endforeach()
check_language(CXX)
file(GLOB headers RELATIVE ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR}/include/clprims/*.h)
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
  -DLIBRARY=$<TARGET_FILE:clprims_shared> -P ${CMAKE_CURRENT_SOURCE_DIR}/exported.cmake)
add_test(NAME symbols.wrapped COMMAND ${CMAKE_COMMAND} -DNM=${CMAKE_NM}
  -DLIBRARY=$<TARGET_FILE:clprims_static> "-DWRAPPED=${CLPRIMS_WRAPPED}"
  -P ${CMAKE_CURRENT_SOURCE_DIR}/wrapped.cmake)

# ---- An installed copy ------------------------------------------------------------------------------

clprims_test(installed default COMMAND ${CMAKE_COMMAND} -DBUILD=${PROJECT_BINARY_DIR}
  -DCONFIG=$<CONFIG> -DCOMPILER=${CMAKE_C_COMPILER} -DPKG_CONFIG=${PKG_CONFIG_EXECUTABLE}
  -DLIBDIR=${CMAKE_INSTALL_LIBDIR} -DCONSUMER=${CMAKE_CURRENT_SOURCE_DIR}/consumer
  -DWORK=${CMAKE_CURRENT_BINARY_DIR}/installed -P ${CMAKE_CURRENT_SOURCE_DIR}/installed.cmake)

# ---- Style --------------------------------------------------------------------------------------------

find_program(CLPRIMS_CLANG clang)
file(GLOB kernels ${PROJECT_SOURCE_DIR}/cl/*.cl)
foreach(kernel IN LISTS kernels)
  get_filename_component(stem ${kernel} NAME_WE)
  if(NOT CLPRIMS_CLANG)
    clprims_skip(lint.${stem} "clang is not installed")
    continue()
  endif()
  set(standard CL1.2)
  if(stem STREQUAL device_subgroup)
    set(standard CL3.0)
  endif()
  add_test(NAME lint.${stem} COMMAND ${CLPRIMS_CLANG} -x cl -cl-std=${standard}
    -target spir64-unknown-unknown -Xclang -finclude-default-header -Wall -Wextra -Werror
    -fsyntax-only -I${PROJECT_SOURCE_DIR}/cl -DLINT_${stem}
    -include ${CMAKE_CURRENT_SOURCE_DIR}/lint_prelude.h ${kernel})
endforeach()

# The layout of another release of clang-format differs in small things.
find_program(CLPRIMS_CLANG_FORMAT NAMES clang-format-14 clang-format)
set(format_version "")
if(CLPRIMS_CLANG_FORMAT)
  execute_process(COMMAND ${CLPRIMS_CLANG_FORMAT} --version OUTPUT_VARIABLE format_version)
endif()
file(GLOB_RECURSE sources ${PROJECT_SOURCE_DIR}/include/*.h ${PROJECT_SOURCE_DIR}/src/*.[ch]
  ${PROJECT_SOURCE_DIR}/tests/*.[ch] ${PROJECT_SOURCE_DIR}/bench/*.[ch]
  ${PROJECT_SOURCE_DIR}/cl/*.cl)
if(format_version MATCHES "version 14\\.")
  add_test(NAME format COMMAND ${CLPRIMS_CLANG_FORMAT} --dry-run -Werror ${sources})
else()
  clprims_skip(format "clang-format 14 is not installed")
endif()
add_test(NAME lengths COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/lengths ${sources})
