# SPDX-License-Identifier: MIT
# Every symbol that the shared LIBRARY exports begins with PREFIX, clprims_ unless given, and there
# are some.
cmake_minimum_required(VERSION 3.22)
if(NOT PREFIX)
  set(PREFIX clprims_)
endif()
execute_process(COMMAND ${NM} -D --defined-only ${LIBRARY} OUTPUT_VARIABLE table
  COMMAND_ERROR_IS_FATAL ANY)
# The version of the symbols is a symbol itself.
string(REGEX REPLACE "[^\n]* A [^\n]*\n" "" table "${table}")
string(REGEX MATCHALL "[^ \n]+\n" names "${table}")
set(count 0)
foreach(name IN LISTS names)
  string(STRIP "${name}" name)
  if(NOT name MATCHES "^${PREFIX}")
    message(SEND_ERROR "${name} is exported")
  endif()
  math(EXPR count "${count} + 1")
endforeach()
if(count LESS 20)
  message(FATAL_ERROR "only ${count} symbols are exported")
endif()
message("${count} symbols are exported, all of them ${PREFIX}")
