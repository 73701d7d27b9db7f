/* SPDX-License-Identifier: MIT */
/* What a context holds. */
#ifndef CLP_CONTEXT_H
#define CLP_CONTEXT_H

#include "core/device.h"
#include "store/lock.h"
#include "store/store.h"

#include <stdbool.h>

enum { CLP_BLANK_BYTES = 4096 };

typedef struct clp_programs clp_programs; /* program.h */

/* What a room above core keeps as long as the context lives; core knows no more of it. */
typedef struct clp_kept {
    void *first; /* NULL: nothing is kept */
    void (*destroy)(void *first);
} clp_kept;

struct clprims_context {
    cl_context cl;
    cl_command_queue queue;
    clp_store store; /* programs that were built before */
    clp_programs *programs;
    clp_lock lock; /* around kept and plans */
    clp_kept kept; /* the plans of one-shot calls; destroy gives all of them back */
    clp_kept plans; /* all plans, the newest first; destroy takes that one out of the list */
    cl_mem blank; /* CLP_BLANK_BYTES: the arrays of a plan's warm-up, and a list's report */
    clp_device device;
    clprims_layer layer;
    size_t subgroup_width; /* 1 in the local layer */
    bool words_arrive; /* published words are seen by other work-groups, whole */
    bool groups_progress; /* work-groups that have started go on to their end, whoever waits */
    char *cl_dir; /* NULL: the embedded sources */
    char *tuning; /* the text of the caller's tuning file, or NULL */
    char reason[512];
    char probed[128]; /* what was found, for users */
};

#endif
