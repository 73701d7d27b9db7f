/* SPDX-License-Identifier: MIT */
/* Scans five numbers with an installed clprims. */
#include <clprims/clprims.h>
#include <stdio.h>
#include <stdlib.h>

static int report(const char *what) {
    fprintf(stderr, "%s: %s\n", what, clprims_last_error()->message);
    return EXIT_FAILURE;
}

int main(void) {
    static const int32_t in[5] = {3, 1, 4, 1, 5};
    static const int32_t expected[5] = {0, 3, 4, 8, 9};
    int32_t out[5];
    clprims_context_options options = {0};
    clprims_context *context;
    clprims_scan *scan;
    clprims_scan_desc desc = {0};
    int i;

    options.device = getenv("CLPRIMS_DEVICE");
    if (clprims_context_create(&context, &options) != CLPRIMS_OK) return report("context");
    desc.type = CLPRIMS_I32;
    desc.max_n = 5;
    if (clprims_scan_create(&scan, context, &desc) != CLPRIMS_OK) return report("create");
    if (clprims_scan_run(scan, &(clprims_scan_arrays){.in = in, .out = out}, 5) != CLPRIMS_OK)
        return report("run");
    for (i = 0; i < 5; i++)
        if (out[i] != expected[i]) {
            fprintf(stderr, "out[%d] = %d, expected %d\n", i, (int)out[i], (int)expected[i]);
            return EXIT_FAILURE;
        }
    clprims_scan_destroy(scan);
    clprims_context_destroy(context);
    printf("clprims %s scans\n", clprims_version());
    return EXIT_SUCCESS;
}
