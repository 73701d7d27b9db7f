/* SPDX-License-Identifier: MIT */
/* From text to kernels: program.c puts texts together and builds them, built_programs.c keeps what
 * was built, macros.c checks preludes. */
#ifndef CLP_PROGRAM_H
#define CLP_PROGRAM_H

#include "core/context.h"
#include "core/text.h"

/*
 * A text of cl/, which a linker takes where it is named: cl/embed.cmake makes clp_group_scan_cl of
 * cl/engine/group_scan.cl, and cl_sources.h declares all of them.
 */
typedef struct clp_source {
    const char *name; /* "engine/group_scan.cl" */
    const char *text; /* of a kernel: packed */
    const struct clp_source *macros; /* of a kernel: the table of its room */
} clp_source;

typedef const clp_source *clp_part;

/*
 * Builds prelude + device layer + the parts, in this order. Each part is led by #line, so that
 * compiler messages point home. parts: NULL at the end.
 * who: the primitive, for messages. The device macros (CLP_SUBGROUP, ...) are added here.
 * The context keeps what was built: an equal text is not built again. The caller gets a reference;
 * where the device is offline, NULL, and kernels are NULL as well.
 */
clprims_status clp_program_build(const clprims_context *context, const char *who,
                                 const clp_text *prelude, const clp_part *parts, cl_program *out);

/* As clp_program_build. registers: the most of a work-item, where the compiler can be told
 * (NVIDIA's, for kernels without a stated group size); 0: the compiler's choice. */
clprims_status clp_program_build_limited(const clprims_context *context, const char *who,
                                         const clp_text *prelude, const clp_part *parts,
                                         size_t registers, cl_program *out);

/* The steps of that: the text of prelude, device layer and parts; one more part, without guards;
 * the program of a whole text; the option that names its language. */
clprims_status clp_program_write(const clprims_context *context, const char *who,
                                 const clp_text *prelude, const clp_part *parts, clp_text *text);
clprims_status clp_program_add_part(const clprims_context *context, clp_part part, clp_text *text);
clprims_status clp_program_build_text(const clprims_context *context, const char *who,
                                      const char *text, cl_program *out);
const char *clp_program_language(const clprims_context *context);

/* Adds that the caller's type has `bytes` bytes, behind its declarations. Where it has not,
 * clp_program_build refuses the program with both sizes. name: what no other type of the program
 * has. */
void clp_text_add_type(clp_text *text, const char *name, const char *type, size_t bytes);

/* Sets the origins (1 << clp_origin each) of the programs that this thread got, and returns those
 * since the last call. */
unsigned clp_program_origins(unsigned origins);

/* Whether the last call failed at building a program, be it the text's fault or the driver's. */
bool clp_build_failed(clprims_status status);

clprims_status clp_kernel_create(cl_program program, const char *who, const char *name,
                                 cl_kernel *out);

/* ---- The contract between preludes and kernels: cl/ROOM/ROOM.macros ---- */

/* Adds an #error for each macro that a part is refused without. */
void clp_macros_add_guards(clp_text *text, clp_part part);

/* Whether each macro that a prelude sets is in a table, with a value that is legal there, and each
 * macro that the parts are refused without is set. Status: INTERNAL; the message names the macro.
 */
clprims_status clp_macros_check(const char *who, const char *prelude, const clp_part *parts);

/* ---- The programs that a context keeps, so that a second equal plan compiles nothing ---- */

/* The programs of a context. Contexts without a store and packs share the programs of their
 * cl_context and device. Open and close hold the lock of drivers. */
clprims_status clp_programs_open(const clprims_context *context, clp_programs **out);

/* Gives all programs back; plans that use one have a reference of their own. A store gets a CPU's
 * programs only now: PoCL compiles a kernel when it is launched, and makes a program's binary once.
 */
void clp_programs_forget(clp_programs *programs);

/* The same where the context has a store: other contexts do not share the programs. */
void clp_programs_keep(clp_programs *programs);

/* The last context gives all programs back. NULL is fine. */
void clp_programs_close(clp_programs *programs);

/* Around find and add, and the building between them. */
void clp_programs_lock(clp_programs *programs);
void clp_programs_unlock(clp_programs *programs);

/* key: the options, then the whole text. False: there is none yet. */
bool clp_programs_find(const clp_programs *programs, const clp_text *key, cl_program *out,
                       clp_origin *origin);

/* Takes over the key's characters and the caller's reference; on failure neither. */
clprims_status clp_programs_add(clp_programs *programs, clp_text *key, cl_program program,
                                clp_origin origin);

/* Sets the members that count programs. */
void clp_programs_count(clp_programs *programs, clprims_context_info *info);

/* ---- The tuning lines that the library has: cl/tuning ---- */

extern const clp_part clp_tuning_files[]; /* NULL at the end */

#endif
