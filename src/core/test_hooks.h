/* SPDX-License-Identifier: MIT */
/* What only tests ask for. No tuning text reaches it: a test includes this header and links the
 * static library. */
#ifndef CLP_TEST_HOOKS_H
#define CLP_TEST_HOOKS_H

#include <stdbool.h>
#include <stddef.h>

/* Programs that are built while it is true check what CLP_ASSERT says, on the device; see
 * cl/device/assert.cl. Set before any other thread uses the library. */
extern bool clp_checked;

/* Of a single pass, delay also of a sort by onesweep and of reductions by groups, segmented or not,
 * first_run of the latter; 0 everywhere: as usual. */
typedef struct clp_test_hooks {
    size_t drop; /* tiles 0, drop, 2 * drop ... publish nothing, which hangs plain look-back */
    size_t delay; /* tiles 0, delay, 2 * delay ... publish long after they could */
    size_t first_run; /* the number before that of the first run, below 2^30 */
    size_t wide_counts; /* of a sort: counts have 64 bits, however few keys there are */
    size_t disorder; /* of a sort: local atomics serve lanes out of order */
    size_t capability; /* whose instructions are used: 70, 75, ... up to the device's own */
    size_t probe_fault; /* of the next context's probe of groups: a number of probe_groups.cl */
    size_t probe_bound; /* of the same: polls in vain before a group gives up */
    size_t place; /* of a list: in the place of the plan's address */
} clp_test_hooks;

/* What this thread creates has these hooks until they are set again; NULL: none. */
void clp_test_hooks_set(const clp_test_hooks *hooks);

const clp_test_hooks *clp_test_hooks_get(void);

/* Is told of each key whose knobs this thread's creates set, and of the bytes of an element by
 * which its lines are chosen; NULL removes it. The benchmark tunes the keys that plans ask for. */
typedef void clp_key_watcher(void *user, const char *key, size_t element_bytes);
void clp_keys_watch(clp_key_watcher *watcher, void *user);

#endif
