/* SPDX-License-Identifier: MIT */
/* Pinned memory and the exchange of device data between ranks. */
#include "mpi/mpi_staging.h"
#include "mpi/mpi_object.h"

#include <stdbool.h>

size_t clp_mpi_chunk_bytes = (size_t)16 << 20;

/* ---- Pinned memory ---- */

clprims_status clp_mpi_staging_create(clp_mpi_staging *staging, cl_context context,
                                      cl_device_id device) {
    const size_t chunk = clp_mpi_chunk_bytes, bytes = 2 * CLP_MPI_SLOTS * chunk;
    cl_int code;
    *staging = (clp_mpi_staging){.chunk_bytes = chunk};
    staging->out_queue = clCreateCommandQueue(context, device, 0, &code);
    if (code == CL_SUCCESS) staging->in_queue = clCreateCommandQueue(context, device, 0, &code);
    if (code != CL_SUCCESS) return clp_mpi_fail_cl(code, "mpi: no queue for staging");
    staging->pinned =
        clCreateBuffer(context, CL_MEM_ALLOC_HOST_PTR | CL_MEM_READ_WRITE, bytes, NULL, &code);
    if (code == CL_SUCCESS) {
        staging->host =
            clEnqueueMapBuffer(staging->out_queue, staging->pinned, CL_TRUE,
                               CL_MAP_READ | CL_MAP_WRITE, 0, bytes, 0, NULL, NULL, &code);
    }
    if (code != CL_SUCCESS) {
        return clp_mpi_fail_cl(code, "mpi: no %zu bytes of pinned host memory", bytes);
    }
    for (size_t slot = 0; slot < CLP_MPI_SLOTS; slot++) {
        staging->out[slot] = staging->host + slot * chunk;
        staging->in[slot] = staging->host + (CLP_MPI_SLOTS + slot) * chunk;
    }
    return CLPRIMS_OK;
}

void clp_mpi_staging_release(clp_mpi_staging *staging) {
    if (staging->host != NULL) {
        clEnqueueUnmapMemObject(staging->out_queue, staging->pinned, staging->host, 0, NULL, NULL);
        clFinish(staging->out_queue);
    }
    if (staging->pinned != NULL) clReleaseMemObject(staging->pinned);
    if (staging->in_queue != NULL) clReleaseCommandQueue(staging->in_queue);
    if (staging->out_queue != NULL) clReleaseCommandQueue(staging->out_queue);
}

/* ---- A pair of streams ---- */

/*
 * What goes to one rank while something else comes from another one, chunk by chunk. Chunk c uses
 * slot c mod 2. A rank waits for others only where it waits for the arrival of chunk c, which the
 * sender sends before it waits for its own chunk c, or for the departure of chunk c - 1, whose
 * arrival the receiver has asked for before; so the rank that is furthest behind always goes on.
 */
typedef struct stream {
    clp_mpi_staging *staging;
    MPI_Comm comm;
    int to, from;
    cl_mem out_mem, in_mem;
    size_t out_offset, in_offset; /* in bytes */
    size_t out_bytes, in_bytes;
    cl_event read[CLP_MPI_SLOTS], written[CLP_MPI_SLOTS];
    MPI_Request sent[CLP_MPI_SLOTS], received[CLP_MPI_SLOTS];
    cl_int code; /* the first failure's */
} stream;

enum { DATA_TAG = 1 };

static size_t chunks_of(const stream *s, size_t bytes) {
    return (bytes + s->staging->chunk_bytes - 1) / s->staging->chunk_bytes;
}

/* Bytes of chunk c, 0 behind the last. */
static size_t length_of(const stream *s, size_t bytes, size_t c) {
    const size_t chunk = s->staging->chunk_bytes;
    if (c >= chunks_of(s, bytes)) return 0;
    return bytes - c * chunk < chunk ? bytes - c * chunk : chunk;
}

static void note(stream *s, cl_int code) {
    if (s->code == CL_SUCCESS) s->code = code;
}

static void wait_for(stream *s, cl_event *event) {
    if (*event == NULL) return;
    note(s, clWaitForEvents(1, event));
    clReleaseEvent(*event);
    *event = NULL;
}

/* Its slot's last message has left. */
static void start_read(stream *s, size_t c) {
    const size_t length = length_of(s, s->out_bytes, c), slot = c % CLP_MPI_SLOTS;
    if (length == 0) return;
    MPI_Wait(&s->sent[slot], MPI_STATUS_IGNORE);
    note(s, clEnqueueReadBuffer(s->staging->out_queue, s->out_mem, CL_FALSE,
                                s->out_offset + c * s->staging->chunk_bytes, length,
                                s->staging->out[slot], 0, NULL, &s->read[slot]));
    note(s, clFlush(s->staging->out_queue));
}

static void start_send(stream *s, size_t c) {
    const size_t length = length_of(s, s->out_bytes, c), slot = c % CLP_MPI_SLOTS;
    if (length == 0) return;
    wait_for(s, &s->read[slot]);
    MPI_Isend(s->staging->out[slot], (int)length, MPI_BYTE, s->to, DATA_TAG, s->comm,
              &s->sent[slot]);
}

/* Its slot's last chunk has been written to the device. */
static void start_receive(stream *s, size_t c) {
    const size_t length = length_of(s, s->in_bytes, c), slot = c % CLP_MPI_SLOTS;
    if (length == 0) return;
    wait_for(s, &s->written[slot]);
    MPI_Irecv(s->staging->in[slot], (int)length, MPI_BYTE, s->from, DATA_TAG, s->comm,
              &s->received[slot]);
}

static void start_write(stream *s, size_t c) {
    const size_t length = length_of(s, s->in_bytes, c), slot = c % CLP_MPI_SLOTS;
    if (length == 0) return;
    MPI_Wait(&s->received[slot], MPI_STATUS_IGNORE);
    note(s, clEnqueueWriteBuffer(s->staging->in_queue, s->in_mem, CL_FALSE,
                                 s->in_offset + c * s->staging->chunk_bytes, length,
                                 s->staging->in[slot], 0, NULL, &s->written[slot]));
    note(s, clFlush(s->staging->in_queue));
}

static void run_stream(stream *s) {
    const size_t leaving = chunks_of(s, s->out_bytes), coming = chunks_of(s, s->in_bytes);
    const size_t steps = leaving > coming ? leaving : coming;
    start_receive(s, 0);
    start_read(s, 0);
    for (size_t c = 0; c < steps; c++) {
        start_receive(s, c + 1);
        start_send(s, c);
        start_read(s, c + 1);
        start_write(s, c);
    }
    for (size_t slot = 0; slot < CLP_MPI_SLOTS; slot++) {
        MPI_Wait(&s->sent[slot], MPI_STATUS_IGNORE);
        wait_for(s, &s->written[slot]);
    }
}

/* ---- The exchange ---- */

/* What a rank keeps, from device memory to device memory. */
static cl_int copy_own(clprims_mpi *mpi, const clp_mpi_side *from, const clp_mpi_side *to,
                       size_t element_bytes) {
    const int r = mpi->rank;
    const size_t bytes = (size_t)from->count[r] * element_bytes;
    if (bytes == 0) return CL_SUCCESS;
    return clEnqueueCopyBuffer(mpi->queue, from->mem, to->mem,
                               (size_t)from->first[r] * element_bytes,
                               (size_t)to->first[r] * element_bytes, bytes, 0, NULL, NULL);
}

clprims_status clp_mpi_exchange(clprims_mpi *mpi, const char *who, const clp_mpi_side *from,
                                const clp_mpi_side *to, size_t element_bytes) {
    cl_int code = copy_own(mpi, from, to, element_bytes);
    for (int k = 1; k < mpi->ranks; k++) {
        const int target = (mpi->rank + k) % mpi->ranks;
        const int source = (mpi->rank - k + mpi->ranks) % mpi->ranks;
        stream s = {.staging = &mpi->staging,
                    .comm = mpi->comm,
                    .to = target,
                    .from = source,
                    .out_mem = from->mem,
                    .in_mem = to->mem,
                    .out_offset = (size_t)from->first[target] * element_bytes,
                    .in_offset = (size_t)to->first[source] * element_bytes,
                    .out_bytes = (size_t)from->count[target] * element_bytes,
                    .in_bytes = (size_t)to->count[source] * element_bytes,
                    .sent = {MPI_REQUEST_NULL, MPI_REQUEST_NULL},
                    .received = {MPI_REQUEST_NULL, MPI_REQUEST_NULL},
                    .code = code};
        run_stream(&s);
        code = s.code;
    }
    const cl_int finished = clFinish(mpi->queue);
    if (code == CL_SUCCESS) code = finished;
    if (code != CL_SUCCESS) return clp_mpi_fail_cl(code, "%s: moving device data failed", who);
    return CLPRIMS_OK;
}
