# SPDX-License-Identifier: MIT
# The target `reference`: HTML pages of the public headers, by Doxygen, in reference/html; and with
# them the knobs and the macros, as the command and the tables in cl/ have them.
find_program(CLPRIMS_DOXYGEN doxygen)
mark_as_advanced(CLPRIMS_DOXYGEN)
set(CLPRIMS_REFERENCE ${PROJECT_BINARY_DIR}/reference)
set(CLPRIMS_REFERENCE_PAGES "")
set(pages_command "")
if(TARGET clprims_command AND NOT CMAKE_CROSSCOMPILING)
  set(CLPRIMS_REFERENCE_PAGES ${CLPRIMS_REFERENCE}/pages)
  set(pages_command COMMAND ${PROJECT_SOURCE_DIR}/src/install/reference_pages
    $<TARGET_FILE:clprims_command> ${PROJECT_SOURCE_DIR}/cl ${CLPRIMS_REFERENCE_PAGES})
endif()
configure_file(Doxyfile.in ${CLPRIMS_REFERENCE}/Doxyfile @ONLY)
if(CLPRIMS_DOXYGEN)
  add_custom_target(reference ${pages_command}
    COMMAND ${CLPRIMS_DOXYGEN} -q ${CLPRIMS_REFERENCE}/Doxyfile
    COMMAND ${CMAKE_COMMAND} -E echo "${CLPRIMS_REFERENCE}/html/index.html" VERBATIM)
  install(DIRECTORY ${CLPRIMS_REFERENCE}/html DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/clprims
    COMPONENT notes OPTIONAL) # where the target was built
else()
  add_custom_target(reference COMMAND ${CMAKE_COMMAND} -E echo
    "The reference needs doxygen, which is not installed." VERBATIM)
endif()
