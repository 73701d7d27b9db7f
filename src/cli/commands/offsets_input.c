/* SPDX-License-Identifier: MIT */
#include "cli/commands/offsets_input.h"

int offsets_read(const cli_device *device, clprims_type type, cl_mem mem, size_t i,
                 int64_t *value) {
    const size_t bytes = clprims_type_bytes(type);
    const uint64_t sign = type < CLPRIMS_U8 ? UINT64_C(1) << (8 * bytes - 1) : 0;
    uint64_t bits = 0;
    const int status = device_read(device, mem, i * bytes, bytes, &bits);
    *value = (int64_t)((bits ^ sign) - sign);
    return status;
}

int offsets_complain(const cli_device *device, const npy_input *input, cl_mem mem, int64_t index,
                     size_t n) {
    const size_t i = (size_t)index;
    int64_t before = 0, offset = 0;
    int status = offsets_read(device, input->type, mem, i, &offset);
    if (status == EXIT_FINE && i > 0)
        status = offsets_read(device, input->type, mem, i - 1, &before);
    if (status != EXIT_FINE) return status;
    if (i > 0 && offset < before)
        return complain(EXIT_DATA, "%s: offsets[%zu] = %lld is less than offsets[%zu] = %lld",
                        input->path, i, (long long)offset, i - 1, (long long)before);
    if (offset < 0)
        return complain(EXIT_DATA, "%s: offsets[%zu] = %lld is less than 0", input->path, i,
                        (long long)offset);
    return complain(EXIT_DATA, "%s: offsets[%zu] = %lld exceeds the number of elements, %zu",
                    input->path, i, (long long)offset, n);
}

size_t offsets_length(cli_job *job, size_t n, size_t *segments) {
    const char *const text = job_text(job, "--length");
    uint64_t length = 0;
    *segments = 0;
    if (text == NULL) return 0;
    JOB_TRY(job, value_element("--length", text, CLPRIMS_U64, &length));
    if (length == 0) {
        JOB_TRY(job, complain(EXIT_USAGE, "--length %s is not at least 1", text));
        return 0;
    }
    *segments = n / length + (n % length > 0);
    return (size_t)length;
}
