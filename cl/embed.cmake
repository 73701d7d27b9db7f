# SPDX-License-Identifier: MIT
# Writes cl/*/*.cl, cl/*/*.macros and cl/tuning/*.tune into a C file as byte arrays: string literals
# above 4,095 characters are not portable. Call: cmake -DROOT=cl -DOUT=cl_sources.c -P embed.cmake
# with -DHEADER, -DTYPE and -DTABLE where the table is not the library's own; cl/mpi is not in it.
if(NOT HEADER)
  set(HEADER core/program.h)
  set(TYPE clp_source)
  set(TABLE clp_sources)
endif()
file(GLOB names RELATIVE ${ROOT} ${ROOT}/*.cl ${ROOT}/*/*.cl ${ROOT}/*/*.macros
  ${ROOT}/tuning/*.tune)
list(FILTER names EXCLUDE REGEX "^mpi/")
list(SORT names)
set(arrays "#include \"${HEADER}\"\n")
set(table "const ${TYPE} ${TABLE}[] = {\n")
set(number 0)
foreach(name IN LISTS names)
  file(READ ${ROOT}/${name} bytes HEX)
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${bytes}")
  string(APPEND arrays "static const char source_${number}[] = {${bytes}0};\n")
  string(APPEND table
    "    {\"${name}\", source_${number}, sizeof source_${number} - 1},\n")
  math(EXPR number "${number} + 1")
endforeach()
file(WRITE ${OUT} "${arrays}${table}    {0, 0, 0}};\n")
