/* SPDX-License-Identifier: MIT */
/* What the table of calls says. */
#include "calls/calls.h"

#include <string.h>

#define CALL_TABLE_ROW(name, count) {calls_of_##name, count},
static const struct {
    const call *calls;
    size_t count;
} tables[] = {CALL_TABLES(CALL_TABLE_ROW)};

const call *call_at(size_t i) {
    size_t table = 0;
    while (i >= tables[table].count) i -= tables[table++].count;
    return &tables[table].calls[i];
}

size_t call_count(const call *c) {
    size_t count = 0;
    while (count < CALL_MOST_BUFFERS && c->buffers[count].name != NULL) count++;
    return count;
}

call_rule call_rule_of(const call *c, size_t one, size_t other) {
    if (!c->buffers[one].written && !c->buffers[other].written) return CALL_ANYWHERE;
    for (size_t e = 0; e < sizeof c->exceptions / sizeof c->exceptions[0]; e++) {
        if (c->exceptions[e].one == one && c->exceptions[e].other == other) {
            return c->exceptions[e].rule;
        }
    }
    return CALL_APART;
}

void call_fill(const call_buffer *buffer, void *values) {
    const size_t bytes = buffer->element_bytes;
    if (buffer->n * bytes > CALL_MOST_BYTES) test_fail("%s has too many bytes", buffer->name);
    memset(values, 0, buffer->n * bytes);
    if (buffer->content == CALL_ZEROS) return;
    for (size_t i = 0; i < buffer->n; i++) {
        uint64_t value = (i * 2654435761u >> 10) % 7;
        if (buffer->content == CALL_STOPS) value += 7;
        if (buffer->content == CALL_LINKS) value = (uint64_t)i - 1;
        if (buffer->content == CALL_HEADS) value = CALL_LIST_N - 1;
        if (buffer->content == CALL_COUNT) value = CALL_COUNTED;
        if (buffer->content == CALL_ASCENDING) value = (uint64_t)i;
        test_store_integer(bytes, values, i, value);
    }
}

test_buffer call_make_buffer(const call *c, size_t k, size_t first) {
    unsigned char values[CALL_MOST_BYTES];
    call_fill(&c->buffers[k], values);
    return test_buffer_create(values, c->buffers[k].n, c->buffers[k].element_bytes, first);
}

clprims_buffer call_place(const call_buffer *buffer, cl_mem mem, size_t first) {
    return (clprims_buffer){mem, buffer->bits ? 8 * first : first};
}

clprims_buffer call_no_buffer(void) {
    return (clprims_buffer){(cl_mem)(void *)test_queue(), SIZE_MAX / 64};
}
