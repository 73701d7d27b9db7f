/* SPDX-License-Identifier: MIT */
/* A failed CLP_ASSERT of cl/device/assert.cl is a segmentation fault at the address of its line. */
#ifndef TESTS_CRASH_H
#define TESTS_CRASH_H

/* For the running case: the fault, in any thread, is told on standard error with the note, and
 * ends the program as failed. note: is kept, not copied. */
void crash_tell_assertions(const char *note);

#endif
