# SPDX-License-Identifier: MIT
# The README shows the code of tests/SHOWN from its first #include on, letter for letter, and names
# each of the EXAMPLES.
file(READ ${ROOT}/README.md readme)
file(READ ${ROOT}/tests/${SHOWN} example)
string(FIND "${example}" "#include" start)
string(SUBSTRING "${example}" ${start} -1 code)
string(FIND "${readme}" "${code}" place)
if(place EQUAL -1)
  message(FATAL_ERROR "The README does not show the code of tests/${SHOWN}")
endif()
foreach(name IN LISTS EXAMPLES)
  string(FIND "${readme}" "(tests/${name})" place)
  if(place EQUAL -1)
    message(SEND_ERROR "The README does not link to tests/${name}")
  endif()
endforeach()
