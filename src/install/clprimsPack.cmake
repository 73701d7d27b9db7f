# SPDX-License-Identifier: MIT
#
#   clprims_add_pack(target MAKER program ARCHITECTURES 86 90a [DESTINATION folder])
#
# Makes target.pack beside the target: machine code of the target's plans, for GPUs of these NVIDIA
# architectures. No GPU is needed. `install` puts it into the folder, bin by default.
# MAKER is a target, too, and may be the same one: `program sm_86 FILE` makes the plans in a context
# of that offline_architecture, and saves their programs to FILE. Plans are code and not options of a
# command: operators and structures of the application's own are in them.
#
# CLPRIMS_PTXAS, CLPRIMS_CLANG and CLPRIMS_LIBCLC name the tools, where they are not found.
find_program(CLPRIMS_PTXAS ptxas HINTS ENV CUDA_HOME PATH_SUFFIXES bin)
find_program(CLPRIMS_CLANG clang)
find_file(CLPRIMS_LIBCLC nvptx64--nvidiacl.bc PATHS /usr/lib/clc /usr/share/clc)
mark_as_advanced(CLPRIMS_PTXAS CLPRIMS_CLANG CLPRIMS_LIBCLC)

function(clprims_add_pack target)
  cmake_parse_arguments(PARSE_ARGV 1 pack "" "MAKER;DESTINATION" "ARCHITECTURES")
  if(NOT pack_MAKER OR NOT pack_ARCHITECTURES)
    message(FATAL_ERROR "clprims_add_pack(${target}): give MAKER and ARCHITECTURES")
  endif()
  if(NOT TARGET clprims::command)
    message(FATAL_ERROR "clprims_add_pack(${target}): the command clprims was not found")
  endif()
  foreach(tool PTXAS CLANG LIBCLC)
    if(NOT CLPRIMS_${tool})
      message(FATAL_ERROR "clprims_add_pack(${target}): CLPRIMS_${tool} was not found")
    endif()
  endforeach()
  set(whole ${CMAKE_CURRENT_BINARY_DIR}/${target}.pack)
  set(packs)
  foreach(architecture IN LISTS pack_ARCHITECTURES)
    set(one ${CMAKE_CURRENT_BINARY_DIR}/${target}.sm_${architecture})
    add_custom_command(OUTPUT ${one}.pack
      COMMAND ${pack_MAKER} sm_${architecture} ${one}.texts
      COMMAND clprims::command pack ${one}.texts --assemble sm_${architecture} -o ${one}.pack
              --ptxas ${CLPRIMS_PTXAS} --clang ${CLPRIMS_CLANG} --libclc ${CLPRIMS_LIBCLC}
      DEPENDS ${pack_MAKER} VERBATIM)
    list(APPEND packs ${one}.pack)
  endforeach()
  # Packs one behind another are a pack.
  add_custom_command(OUTPUT ${whole} COMMAND ${CMAKE_COMMAND} -E cat ${packs} > ${whole}
    DEPENDS ${packs})
  add_custom_target(${target}_pack ALL DEPENDS ${whole})
  if(NOT pack_DESTINATION)
    set(pack_DESTINATION bin)
  endif()
  install(FILES ${whole} DESTINATION ${pack_DESTINATION})
endfunction()
