/* SPDX-License-Identifier: MIT */
#include "cli/commands/offsets_input.h"

#include <inttypes.h>

int64_t offsets_read(cli_job *job, clprims_type type, cl_mem mem, size_t i) {
    const size_t bytes = clprims_type_bytes(type);
    const uint64_t sign = type < CLPRIMS_U8 ? UINT64_C(1) << (8 * bytes - 1) : 0;
    uint64_t bits = 0;
    JOB_TRY(job, device_read(&job->device, mem, i * bytes, bytes, &bits));
    return (int64_t)((bits ^ sign) - sign);
}

void offsets_complain(cli_job *job, const npy_input *input, cl_mem mem, int64_t index, size_t n) {
    const size_t i = (size_t)index;
    const int64_t offset = offsets_read(job, input->type, mem, i);
    const int64_t before = i > 0 ? offsets_read(job, input->type, mem, i - 1) : offset;
    if (offset < before)
        JOB_TRY(job, complain(EXIT_DATA,
                              "%s: offsets[%zu] = %" PRId64 " is less than offsets[%zu] = %" PRId64,
                              input->path, i, offset, i - 1, before));
    if (offset < 0)
        JOB_TRY(job, complain(EXIT_DATA, "%s: offsets[%zu] = %" PRId64 " is less than 0",
                              input->path, i, offset));
    JOB_TRY(job, complain(EXIT_DATA,
                          "%s: offsets[%zu] = %" PRId64 " exceeds the number of elements, %zu",
                          input->path, i, offset, n));
}

size_t offsets_length(cli_job *job, size_t n, size_t *segments) {
    const char *const text = job_text(job, "--length");
    uint64_t length = 0;
    *segments = 0;
    job_exclude(job, "--offsets", "--length");
    if (text == NULL) return 0;
    JOB_TRY(job, value_element("--length", text, CLPRIMS_U64, &length));
    if (length == 0)
        JOB_TRY(job, complain(EXIT_USAGE, "--length %s is not at least 1", text));
    else
        *segments = n / length + (n % length > 0);
    return (size_t)length;
}
