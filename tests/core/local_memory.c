/* SPDX-License-Identifier: MIT */
/* Plans for fake devices whose driver gives static arrays all local memory of the device, or
 * refuses more than it advertises: at the build, at the kernel, at the launch, or by a wrong
 * result. */
#include "core/layer.h"
#include "harness/fake_opencl.h"
#include "list/list_engine.h"

#include <clprims/clprims.h>
#include <stdio.h>
#include <stdlib.h>

enum { KB = 1024, ADVERTISED = 48 * KB };

static int failures;

static void expect(bool right, const char *what, int kind, fake_refusal refusal, size_t value) {
    if (right) return;
    fprintf(stderr, "%s: %zu, with device %d and refusal %d: %s\n", what, value, kind, refusal,
            clprims_last_error()->message);
    failures++;
}

static size_t scan_tile(clprims_context *context) {
    clprims_scan_info info = {0};
    clprims_scan *scan = NULL;
    clprims_scan_desc desc = {
        .type = CLPRIMS_U32, .max_n = 1 << 24, .algorithm = CLPRIMS_ALGORITHM_LOOKAHEAD};
    if (clprims_scan_create(&scan, context, &desc) != CLPRIMS_OK ||
        clprims_scan_describe(scan, desc.max_n, &info) != CLPRIMS_OK)
        return 0;
    clprims_scan_destroy(scan);
    return info.tile;
}

/* Bytes of the window that list ranking puts in place in local memory. */
static size_t list_window(clprims_context *context) {
    clprims_list *list = NULL;
    clprims_list_desc desc = {
        .link = CLPRIMS_I32, .max_n = 1 << 24, .algorithm = CLPRIMS_LIST_VISIT_LOG};
    if (clprims_list_create(&list, context, &desc) != CLPRIMS_OK) return 0;
    const size_t bytes = list->engine.knobs[CLP_LIST_WINDOW] * sizeof(cl_uint);
    clprims_list_destroy(list);
    return bytes;
}

static void try(int kind, fake_refusal refusal, size_t has) {
    const size_t room = refusal == FAKE_TAKES ? has : ADVERTISED;
    clprims_context *context = NULL;
    char number[8];
    snprintf(number, sizeof number, "%d", kind);
    clprims_context_options options = {.device = number};
    fake_refuse("#define CLP_LOCAL_WORDS", refusal);
    if (clprims_context_create(&context, &options) != CLPRIMS_OK) {
        expect(false, "no context", kind, refusal, 0);
        return;
    }
    const size_t found = context->device.static_local_bytes;
    expect(found == room, "local memory", kind, refusal, found);
    expect(clprims_last_error()->message[0] == '\0', "an error is left", kind, refusal, 0);
    const size_t window = list_window(context);
    expect(window > 0 && window <= room, "window of a list", kind, refusal, window);
    expect((window > ADVERTISED) == (room > ADVERTISED), "window of a list", kind, refusal, window);
    if (fake_capability((fake_kind)kind) > 0) {
        const size_t tile = scan_tile(context);
        expect(tile > 0 && tile * sizeof(cl_uint) < room, "tile of a scan", kind, refusal, tile);
    }
    clprims_context_destroy(context);
}

static void table(void) {
    static const size_t rows[][2] = {{0, 0},     {61, 0},    {70, 96},  {72, 96}, {75, 64},
                                     {80, 163},  {86, 99},   {87, 163}, {89, 99}, {90, 227},
                                     {100, 227}, {103, 227}, {120, 99}, {121, 99}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const size_t bytes = clp_local_bytes_of((int)rows[i][0]);
        expect(bytes == rows[i][1] * KB, "the table", (int)rows[i][0], 0, bytes);
    }
}

int main(void) {
    static const size_t kilobytes[FAKE_SMALL_GPU] = {226, 162, 48, 48, 48,  48,
                                                     95,  63,  98, 98, 226, 98};
    table();
    for (int kind = 0; kind < FAKE_SMALL_GPU; kind++)
        for (int refusal = FAKE_TAKES; refusal <= FAKE_WRONG_RESULT; refusal++)
            try(kind, (fake_refusal)refusal, kilobytes[kind] * KB);
    return failures == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
