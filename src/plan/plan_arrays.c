/* SPDX-License-Identifier: MIT */
/* The arrays of a run: checks, and copies of plain arrays on the device. */
#include "plan/plan_arrays.h"
#include "core/context.h"
#include "core/status.h"

/* Not by bytes_of, which may overflow before the array is checked. */
static bool has_elements(const clp_run_array *row) {
    return row->n > 0 && (row->element_bytes > 0 || (row->roles & CLP_BITS));
}

static size_t bytes_of(const clp_run_array *row) {
    return row->roles & CLP_BITS ? (row->n + 7) / 8 : row->n * row->element_bytes;
}

static clp_run_array make_row(const char *name, clprims_buffer *buffer, size_t n,
                              size_t element_bytes, unsigned roles) {
    return (clp_run_array){
        .name = name, .buffer = buffer, .n = n, .element_bytes = element_bytes, .roles = roles};
}

clp_run_array clp_read_row(const char *name, clprims_buffer *buffer, const void *plain, size_t n,
                           size_t element_bytes) {
    clp_run_array row = make_row(name, buffer, n, element_bytes, CLP_READ);
    row.from = plain;
    return row;
}

clp_run_array clp_written_row(const char *name, clprims_buffer *buffer, void *plain, size_t n,
                              size_t element_bytes) {
    clp_run_array row = make_row(name, buffer, n, element_bytes, CLP_WRITTEN);
    row.to = plain;
    return row;
}

clp_run_array clp_count_row(const char *name, clprims_buffer *buffer) {
    return make_row(name, buffer, 1, sizeof(cl_ulong), CLP_READ | CLP_OPTIONAL);
}

clp_run_array clp_report_row(clprims_buffer *buffer, size_t bytes) {
    return make_row("report", buffer, 1, bytes, CLP_WRITTEN | CLP_OPTIONAL);
}

/* ---- Checks ---- */

/* The row's elements; bits as the bytes that hold them. */
static clp_array array_of(const clp_run_array *row) {
    const clprims_buffer buffer = *row->buffer;
    if (!(row->roles & CLP_BITS)) return (clp_array){row->name, buffer, row->n, row->element_bytes};
    const clprims_buffer bytes = {buffer.mem, buffer.first / 8};
    return (clp_array){row->name, bytes, (buffer.first % 8 + row->n + 7) / 8, 1};
}

/* Why the caller must not give the array; elements of an array that the plan has no use for have 0
 * bytes. NULL: the caller may. */
static const char *lack_of(const clp_run_array *row) {
    if (row->element_bytes > 0 || (row->roles & CLP_BITS)) return row->lacks;
    return row->lacks != NULL ? row->lacks : "has no use for it";
}

static bool is_there(const clp_run_array *row) {
    if (lack_of(row) != NULL || !has_elements(row)) return false;
    return !(row->roles & CLP_OPTIONAL) || row->buffer->mem != NULL;
}

static clprims_status check_pair(const char *who, clp_run_array *row, const clp_run_array *before,
                                 bool may_share) {
    const clp_array first = array_of(row), second = array_of(before);
    if (may_share) CLP_TRY(clp_arrays_begin_alike(who, &first, &second, &row->in_place));
    return may_share && row->in_place ? CLPRIMS_OK : clp_arrays_apart(who, &first, &second);
}

/* part: ".mem" or "". */
static clprims_status refuse_lacking(const char *who, const clp_run_array *row, const char *part) {
    return clp_fail(CLPRIMS_ERR_ARGUMENT, "%s: %s%s is not NULL, but the plan %s", who, row->name,
                    part, lack_of(row));
}

clprims_status clp_arrays_check(const clprims_context *context, const char *who,
                                clp_run_array *rows, size_t count) {
    for (size_t k = 0; k < count; k++) {
        if (lack_of(&rows[k]) != NULL && rows[k].buffer->mem != NULL) {
            return refuse_lacking(who, &rows[k], ".mem");
        }
    }
    for (size_t k = 0; k < count; k++) {
        clp_run_array *row = &rows[k];
        if (!is_there(row)) {
            /* What nobody looked at may be no buffer, but kernels take one. */
            if (row->buffer->mem != NULL) *row->buffer = (clprims_buffer){context->blank, 0};
            continue;
        }
        const clp_array array = array_of(row);
        CLP_TRY(clp_array_check(context, who, &array));
        for (size_t i = 0; i < k; i++) {
            const unsigned both = row->roles | rows[i].roles;
            const bool may_overlap =
                (both & CLP_WITH_GAPS) || ((both & CLP_AFTER_INPUTS) && (both & CLP_READ));
            if (!is_there(&rows[i]) || !(both & CLP_WRITTEN) || may_overlap) continue;
            CLP_TRY(check_pair(who, row, &rows[i], row->place == i + 1));
        }
    }
    return CLPRIMS_OK;
}

static bool is_given(const clp_run_array *row) {
    return row->from != NULL || row->to != NULL;
}

clprims_status clp_plain_check(const char *who, const clp_run_array *rows, size_t count) {
    for (size_t k = 0; k < count; k++) {
        if (lack_of(&rows[k]) != NULL && is_given(&rows[k])) {
            return refuse_lacking(who, &rows[k], "");
        }
    }
    for (size_t k = 0; k < count; k++) {
        const clp_run_array *row = &rows[k];
        const bool is_wanted =
            lack_of(row) == NULL && !(row->roles & CLP_OPTIONAL) && has_elements(row);
        if (!is_wanted || is_given(row)) continue;
        return clp_fail(CLPRIMS_ERR_ARGUMENT, "%s: %s is NULL, with n = %zu", who, row->name,
                        row->n);
    }
    return CLPRIMS_OK;
}

/* ---- Plain arrays ---- */

static bool shares(const clp_run_array *row) {
    return (row->roles & CLP_SHARES) && row->place > 0;
}

clprims_status clp_arrays_upload(const clprims_context *context, const char *who,
                                 const clp_run_array *rows, size_t count) {
    for (size_t k = 0; k < count; k++) {
        const clp_run_array *row = &rows[k];
        if (!has_elements(row) || !is_given(row)) continue;
        if (shares(row)) {
            *row->buffer = *rows[row->place - 1].buffer;
            continue;
        }
        const void *const given = row->from != NULL ? row->from : row->to;
        const void *from = row->roles & CLP_READ ? given : NULL;
        CLP_TRY(clp_upload(context, who, from, bytes_of(row), &row->buffer->mem));
    }
    return CLPRIMS_OK;
}

clprims_status clp_arrays_download(const clprims_context *context, const char *who,
                                   const clp_run_array *rows, size_t count) {
    for (size_t k = 0; k < count; k++) {
        const clp_run_array *row = &rows[k];
        if (row->to == NULL || !has_elements(row)) continue;
        CLP_TRY(clp_download(context, who, row->buffer->mem, row->to, bytes_of(row)));
    }
    return CLPRIMS_OK;
}

void clp_arrays_release(const clp_run_array *rows, size_t count) {
    for (size_t k = 0; k < count; k++) {
        if (is_given(&rows[k]) && !shares(&rows[k])) clp_release_buffers(&rows[k].buffer->mem, 1);
    }
}
