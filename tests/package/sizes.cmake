# SPDX-License-Identifier: MIT
# What a program that is linked with the static LIBRARY weighs when stripped: one that scans, and one
# that refers to every function.
cmake_minimum_required(VERSION 3.22)
set(MOST_scan 300000)
set(MOST_everything 1400000)
file(MAKE_DIRECTORY ${WORK})

execute_process(COMMAND ${NM} ${LIBRARY} OUTPUT_VARIABLE table ERROR_QUIET COMMAND_ERROR_IS_FATAL ANY)
string(REGEX MATCHALL " T clprims_[a-z0-9_]+" names "${table}")
list(TRANSFORM names REPLACE " T " "")
list(LENGTH names count)
if(count LESS 100)
  message(FATAL_ERROR "only ${count} functions were found")
endif()
list(JOIN names "(void), " declared)
list(JOIN names ", " listed)
file(WRITE ${WORK}/everything.c "void ${declared}(void);
void (*const volatile all[])(void) = {${listed}};
int main(void) { return all[0] == 0; }
")

set(SOURCE_scan ${EXAMPLE})
set(SOURCE_everything ${WORK}/everything.c)
foreach(name scan everything)
  execute_process(COMMAND ${COMPILER} -O2 -I${INCLUDE} -o ${WORK}/${name} ${SOURCE_${name}} ${LIBRARY}
    ${OPENCL} -lpthread COMMAND_ERROR_IS_FATAL ANY)
  execute_process(COMMAND ${STRIP} ${WORK}/${name} COMMAND_ERROR_IS_FATAL ANY)
  file(SIZE ${WORK}/${name} bytes)
  message("${name}: ${bytes} bytes, at most ${MOST_${name}}")
  if(bytes GREATER MOST_${name})
    message(SEND_ERROR "the program is too large; look at its map: cc -Wl,-Map")
  endif()
endforeach()
