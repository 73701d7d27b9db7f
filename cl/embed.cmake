# SPDX-License-Identifier: MIT
# Writes texts into C files as byte arrays: string literals above 4,095 characters are not portable.
#
#   cmake -DFOLDER=cl/tile -DOUT=build/cl -P embed.cmake
#       writes a C file for each text of a room of cl/, so that a linker takes what a program needs;
#       io.cl becomes clp_io_cl, a clp_source.
#   cmake -DROOT=cl/mpi -DOUT=FILE -DHEADER=... -DTYPE=... -DTABLE=... -P embed.cmake
#       writes one C file with a table of the texts as they are.

# The elements of a byte array.
function(clprims_bytes digits result)
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${digits}")
  set(${result} "${bytes}0" PARENT_SCOPE)
endfunction()

# Blanks take the place of comments, so that each character that is left keeps its line and column.
function(clprims_blank_comments text result)
  set(done "")
  string(FIND "${text}" "/*" start)
  while(NOT start EQUAL -1)
    string(SUBSTRING "${text}" 0 ${start} before)
    string(SUBSTRING "${text}" ${start} -1 text)
    string(FIND "${text}" "*/" length)
    math(EXPR length "${length} + 2")
    string(SUBSTRING "${text}" 0 ${length} comment)
    string(SUBSTRING "${text}" ${length} -1 text)
    string(REGEX REPLACE "[^\n\\]" " " comment "${comment}")
    string(APPEND done "${before}${comment}")
    string(FIND "${text}" "/*" start)
  endwhile()
  string(REGEX REPLACE " +\n" "\n" text "${done}${text}")
  set(${result} "${text}" PARENT_SCOPE)
endfunction()

# The words of program.c.
file(STRINGS ${CMAKE_CURRENT_LIST_DIR}/../src/core/program.c words REGEX "^    \"")
list(TRANSFORM words REPLACE "^    \"(.*)\",$" "\\1")

# A byte from 128 on stands for a word, a control character, but for the end of a line, for as many
# blanks as its number.
function(clprims_pack text result)
  if(text MATCHES "[^ -~\n]")
    message(FATAL_ERROR "${name} has a character that is neither printable nor the end of a line")
  endif()
  set(code 128)
  foreach(word IN LISTS words)
    string(ASCII ${code} packed)
    string(REPLACE "${word}" "${packed}" text "${text}")
    math(EXPR code "${code} + 1")
  endforeach()
  foreach(count RANGE 31 2 -1)
    if(NOT count EQUAL 10)
      string(ASCII ${count} packed)
      string(REPEAT " " ${count} blanks)
      string(REPLACE "${blanks}" "${packed}" text "${text}")
    endif()
  endforeach()
  set(${result} "${text}" PARENT_SCOPE)
endfunction()

if(FOLDER)
  get_filename_component(room ${FOLDER} NAME)
  file(GLOB names RELATIVE ${FOLDER} ${FOLDER}/*.cl ${FOLDER}/*.macros ${FOLDER}/*.tune)
  foreach(name IN LISTS names)
    file(READ ${FOLDER}/${name} text)
    set(macros 0)
    if(name MATCHES "\\.cl$")
      clprims_blank_comments("${text}" text)
      clprims_pack("${text}" text)
      set(macros &clp_${room}_macros)
    elseif(name MATCHES "\\.macros$")
      string(REGEX REPLACE "#[^\n]*\n" "" text "${text}")
      string(REGEX REPLACE " *[|] *" "|" text "${text}")
    else()
      string(REGEX REPLACE " *#[^\n]*" "" text "${text}") # lines keep their numbers
    endif()
    string(HEX "${text}" bytes)
    clprims_bytes("${bytes}" bytes)
    string(REPLACE "." "_" stem ${name})
    file(WRITE ${OUT}/${stem}.c "#include \"cl_sources.h\"\nstatic const unsigned char text[] = {${bytes}};\n"
      "const clp_source clp_${stem} = {\"${room}/${name}\", (const char *)text, ${macros}};\n")
  endforeach()
  return()
endif()

file(GLOB names RELATIVE ${ROOT} ${ROOT}/*.cl)
set(arrays "#include \"${HEADER}\"\n")
set(table "const ${TYPE} ${TABLE}[] = {\n")
set(number 0)
foreach(name IN LISTS names)
  file(READ ${ROOT}/${name} bytes HEX)
  clprims_bytes("${bytes}" bytes)
  string(APPEND arrays "static const char source_${number}[] = {${bytes}};\n")
  string(APPEND table
    "    {\"${name}\", source_${number}, sizeof source_${number} - 1},\n")
  math(EXPR number "${number} + 1")
endforeach()
file(WRITE ${OUT} "${arrays}${table}    {0, 0, 0}};\n")
