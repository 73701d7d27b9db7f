# SPDX-License-Identifier: MIT
# Tests of a build for another system than this machine's: tests/run --driver wine or arm64. The small
# tier of the kernels' tests, through CMAKE_CROSSCOMPILING_EMULATOR, and the command.
foreach(name IN LISTS CLPRIMS_TEST_PROGRAMS)
  clprims_test(${name}${CLPRIMS_TEST_END} default COMMAND ${CMAKE_CROSSCOMPILING_EMULATOR}
    $<TARGET_FILE:test_${name}> ENVIRONMENT CLPRIMS_TEST_SMALL=1 CLPRIMS_TEST_LONG=0)
endforeach()

set(command ${CMAKE_CROSSCOMPILING_EMULATOR} $<TARGET_FILE:clprims_command>)
add_test(NAME command.version COMMAND ${command} --version)
add_test(NAME command.help COMMAND ${command} help scan)
add_test(NAME command.refuses COMMAND ${command} scan no-such-file.npy -o out.npy)
set_tests_properties(command.refuses PROPERTIES
  PASS_REGULAR_EXPRESSION "clprims scan: no-such-file.npy: can't be read: No such file or directory")
