/* SPDX-License-Identifier: MIT */
/* The README's first program. */
#include <clprims/clprims.h>
#include <stdio.h>

int main(void) {
    const int counts[6] = {3, 1, 4, 1, 5, 9};
    int starts[6];
    clprims_context *context = NULL;
    clprims_scan *scan = NULL;
    const clprims_scan_desc desc = {.type = CLPRIMS_I32, .max_n = 6}; /* an exclusive sum */
    const clprims_scan_arrays arrays = {.in = counts, .out = starts};
    if (clprims_context_create(&context, NULL) != CLPRIMS_OK ||
        clprims_scan_create(&scan, context, &desc) != CLPRIMS_OK ||
        clprims_scan_run(scan, &arrays, 6) != CLPRIMS_OK) {
        fprintf(stderr, "%s\n", clprims_last_error()->message);
        return 1;
    }
    for (int i = 0; i < 6; i++) printf("%d ", starts[i]); /* 0 3 4 8 9 14 */
    clprims_context_destroy(context);
    return 0;
}
