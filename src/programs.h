/* SPDX-License-Identifier: MIT */
/* The programs that a context keeps, so that a second equal plan compiles nothing. */
#ifndef CLP_PROGRAMS_H
#define CLP_PROGRAMS_H

#include "internal.h"

clprims_status clp_programs_create(clp_programs **out);

/* Gives all programs back; plans that use one have a reference of their own. */
void clp_programs_destroy(clp_programs *programs);

/* The same, and the context may go on. For tests. */
void clp_programs_forget(clp_programs *programs);

/* Around find and add, and the building between them. */
void clp_programs_lock(clp_programs *programs);
void clp_programs_unlock(clp_programs *programs);

/* key: the options, then the whole text. NULL: there is none yet. */
cl_program clp_programs_find(const clp_programs *programs, const clp_text *key);

/* Takes over the key's characters and the caller's reference; on failure neither. */
clprims_status clp_programs_add(clp_programs *programs, clp_text *key, cl_program program);

#endif
