# SPDX-License-Identifier: MIT
# test_faults can make every OpenCL call and allocation of the static LIBRARY fail: each stands in
# the list WRAPPED, and nothing else that allocates is called.
cmake_minimum_required(VERSION 3.22)
execute_process(COMMAND ${NM} -u ${LIBRARY} OUTPUT_VARIABLE table COMMAND_ERROR_IS_FATAL ANY)
string(REGEX MATCHALL " (cl[A-Z][A-Za-z]+|[mc]alloc|realloc|free|strn?dup|v?asprintf|getline|aligned_alloc|posix_memalign|open_memstream)\n"
  names "${table}")
list(TRANSFORM names STRIP)
list(REMOVE_DUPLICATES names)
# A driver may refuse this question, and nothing follows from that.
list(REMOVE_ITEM names clGetKernelSubGroupInfo)
list(LENGTH names count)
foreach(name IN LISTS names)
  if(NOT name IN_LIST WRAPPED)
    message(SEND_ERROR "${name} is called by the library and not wrapped by test_faults")
  endif()
endforeach()
foreach(name IN LISTS WRAPPED)
  if(NOT name IN_LIST names)
    message(SEND_ERROR "${name} is wrapped by test_faults and not called by the library")
  endif()
endforeach()
if(count LESS 20)
  message(FATAL_ERROR "only ${count} calls were found")
endif()
message("${count} functions are called, all of them wrapped")
