# SPDX-License-Identifier: MIT
# The target `reference`: HTML pages of the public headers, by Doxygen, in reference/html.
find_program(CLPRIMS_DOXYGEN doxygen)
mark_as_advanced(CLPRIMS_DOXYGEN)
set(CLPRIMS_REFERENCE ${PROJECT_BINARY_DIR}/reference)
configure_file(Doxyfile.in ${CLPRIMS_REFERENCE}/Doxyfile @ONLY)
if(CLPRIMS_DOXYGEN)
  add_custom_target(reference COMMAND ${CLPRIMS_DOXYGEN} -q ${CLPRIMS_REFERENCE}/Doxyfile
    COMMAND ${CMAKE_COMMAND} -E echo "${CLPRIMS_REFERENCE}/html/index.html" VERBATIM)
else()
  add_custom_target(reference COMMAND ${CMAKE_COMMAND} -E echo
    "The reference needs doxygen, which is not installed." VERBATIM)
endif()
