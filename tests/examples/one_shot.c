/* SPDX-License-Identifier: MIT */
/* Plain arrays without plans: how far walks went, the longest of them, and their order. */
#include <clprims/clprims.h>
#include <stdio.h>

enum { WALKS = 8 };

static int fail(clprims_context *context) {
    fprintf(stderr, "%s\n", clprims_last_error()->message);
    clprims_context_destroy(context);
    return 1;
}

int main(void) {
    const float km[WALKS] = {12.5f, 3.0f, 8.25f, 21.0f, 5.5f, 3.0f, 16.0f, 9.75f};
    float total, so_far[WALKS];
    int64_t longest, order[WALKS];
    clprims_context *context = NULL;
    if (clprims_context_create(&context, NULL) != CLPRIMS_OK ||
        clprims_sum(context, CLPRIMS_F32, km, WALKS, &total) != CLPRIMS_OK ||
        clprims_cumsum(context, CLPRIMS_F32, km, WALKS, so_far) != CLPRIMS_OK ||
        clprims_argmax(context, CLPRIMS_F32, km, WALKS, &longest) != CLPRIMS_OK ||
        clprims_argsort(context, CLPRIMS_F32, km, WALKS, order) != CLPRIMS_OK) {
        return fail(context);
    }
    printf("%g km, the longest is walk %d, which ended at km %g\n", (double)total, (int)longest,
           (double)so_far[longest]);
    for (int i = 0; i < WALKS; i++) printf("%g ", (double)km[order[i]]);
    printf("\n");
    clprims_context_destroy(context); /* with the plans behind the calls */
    return 0;
}
