/* SPDX-License-Identifier: MIT */
/* The exchange of device data between ranks. */
#include "mpi/mpi_object.h"
#include "mpi/mpi_staging.h"

#include <sched.h>
#include <stdatomic.h>

/* ---- A pair of streams ---- */

/* An array that is sent or received: count[r] elements of mem, from element first[r] on, are for or
 * from rank r. */
typedef struct side {
    cl_mem mem;
    const uint64_t *first, *count;
} side;

/* What goes to a rank, or comes from it. */
typedef struct part {
    cl_mem mem;
    size_t offset, bytes; /* in mem */
    size_t chunk; /* bytes of a chunk; the last one may have fewer */
} part;

/*
 * What goes to one rank while something else comes from another one, chunk by chunk. Chunk c uses
 * slot c mod CLP_MPI_SLOTS on either side. To a rank that shares memory goes an empty message when
 * the chunk is in the sender's slot; an empty one comes back when it has been taken from there.
 * A chunk goes from step to step whenever it can, and never waits for chunks of the other stream.
 */
typedef struct stream {
    clprims_mpi *mpi;
    clp_mpi_staging *staging;
    int to, from;
    bool to_shared, from_shared;
    part leaving, coming;
    size_t reads, sends, lefts; /* chunks so far: read or being read, sent, out of their slots */
    size_t receives, writes, dones; /* expected, written or being written, on the device */
    cl_event read[CLP_MPI_SLOTS], written[CLP_MPI_SLOTS];
    MPI_Request sent[CLP_MPI_SLOTS], taken[CLP_MPI_SLOTS]; /* of chunks that leave */
    MPI_Request received[CLP_MPI_SLOTS], answered[CLP_MPI_SLOTS]; /* of chunks that arrive */
    cl_int code; /* the first failure's */
} stream;

enum { CHUNK_TAG = 1, TAKEN_TAG };

/* Chunks of short data are smaller, as many as there are slots, so that they move at the same time.
 */
static part part_of(const clp_mpi_staging *staging, const side *array, int rank,
                    size_t element_bytes) {
    enum { FEWER = 4, ALIGNED = 64 };
    const size_t bytes = (size_t)array->count[rank] * element_bytes;
    const size_t even = (bytes / CLP_MPI_SLOTS / ALIGNED + 1) * ALIGNED;
    const size_t most = staging->chunk_bytes, least = most / FEWER;
    return (part){array->mem, (size_t)array->first[rank] * element_bytes, bytes,
                  even < least  ? least
                  : even < most ? even
                                : most};
}

static size_t chunks_of(const part *p) {
    return (p->bytes + p->chunk - 1) / p->chunk;
}

/* Bytes of chunk c. */
static size_t length_of(const part *p, size_t c) {
    const size_t left = p->bytes - c * p->chunk;
    return left < p->chunk ? left : p->chunk;
}

static unsigned char *slot_of(const stream *s, unsigned char *slots, size_t c) {
    return slots + c % CLP_MPI_SLOTS * s->staging->chunk_bytes;
}

static void note(stream *s, cl_int code) {
    if (s->code == CL_SUCCESS) s->code = code;
}

/* Whether a command has ended; one that was not submitted has. */
static bool is_over(stream *s, cl_event *event) {
    cl_int state = CL_COMPLETE;
    if (*event == NULL) return true;
    const cl_int code =
        clGetEventInfo(*event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof state, &state, NULL);
    if (code == CL_SUCCESS && state > CL_COMPLETE) return false;
    note(s, clWaitForEvents(1, event)); /* which orders memory, too */
    clReleaseEvent(*event);
    *event = NULL;
    return true;
}

static bool has_come(MPI_Request *request) {
    int flag;
    MPI_Test(request, &flag, MPI_STATUS_IGNORE);
    return flag != 0;
}

/* ---- Chunks that leave ---- */

static bool start_read(stream *s) {
    const size_t c = s->reads, slot = c % CLP_MPI_SLOTS;
    const part *p = &s->leaving;
    if (c >= chunks_of(p) || c >= s->lefts + CLP_MPI_SLOTS) return false;
    s->reads++;
    note(s, clEnqueueReadBuffer(s->staging->out_queue, p->mem, CL_FALSE, p->offset + c * p->chunk,
                                length_of(p, c), slot_of(s, s->staging->out, c), 0, NULL,
                                &s->read[slot]));
    note(s, clFlush(s->staging->out_queue));
    return true;
}

static bool send_chunk(stream *s) {
    const size_t c = s->sends, slot = c % CLP_MPI_SLOTS;
    const MPI_Comm comm = s->mpi->comm;
    if (c >= s->reads || !is_over(s, &s->read[slot])) return false;
    s->sends++;
    if (!s->to_shared) {
        MPI_Isend(slot_of(s, s->staging->out, c), (int)length_of(&s->leaving, c), MPI_BYTE, s->to,
                  CHUNK_TAG, comm, &s->sent[slot]);
        return true;
    }
    atomic_thread_fence(memory_order_seq_cst);
    MPI_Irecv(NULL, 0, MPI_BYTE, s->to, TAKEN_TAG, comm, &s->taken[slot]);
    MPI_Isend(NULL, 0, MPI_BYTE, s->to, CHUNK_TAG, comm, &s->sent[slot]);
    return true;
}

static bool leave_slot(stream *s) {
    const size_t slot = s->lefts % CLP_MPI_SLOTS;
    if (s->lefts >= s->sends || !has_come(&s->sent[slot]) || !has_come(&s->taken[slot])) {
        return false;
    }
    s->lefts++;
    return true;
}

/* ---- Chunks that arrive ---- */

static bool start_receive(stream *s) {
    const size_t c = s->receives, slot = c % CLP_MPI_SLOTS;
    if (c >= chunks_of(&s->coming) || c >= s->dones + CLP_MPI_SLOTS) return false;
    if (!has_come(&s->answered[slot])) return false;
    s->receives++;
    MPI_Irecv(s->from_shared ? NULL : slot_of(s, s->staging->in, c),
              s->from_shared ? 0 : (int)length_of(&s->coming, c), MPI_BYTE, s->from, CHUNK_TAG,
              s->mpi->comm, &s->received[slot]);
    return true;
}

static bool start_write(stream *s) {
    const size_t c = s->writes, slot = c % CLP_MPI_SLOTS;
    const part *p = &s->coming;
    unsigned char *slots = s->from_shared ? s->staging->shared[s->from] : s->staging->in;
    if (c >= s->receives || !has_come(&s->received[slot])) return false;
    s->writes++;
    if (s->from_shared) atomic_thread_fence(memory_order_seq_cst);
    if (p->mem == NULL) return true;
    note(s,
         clEnqueueWriteBuffer(s->staging->in_queue, p->mem, CL_FALSE, p->offset + c * p->chunk,
                              length_of(p, c), slot_of(s, slots, c), 0, NULL, &s->written[slot]));
    note(s, clFlush(s->staging->in_queue));
    return true;
}

/* The chunk is on the device, and its slot is for another one. */
static bool finish_write(stream *s) {
    const size_t slot = s->dones % CLP_MPI_SLOTS;
    if (s->dones >= s->writes || !is_over(s, &s->written[slot])) return false;
    s->dones++;
    if (s->from_shared) {
        MPI_Isend(NULL, 0, MPI_BYTE, s->from, TAKEN_TAG, s->mpi->comm, &s->answered[slot]);
    }
    return true;
}

static void run_stream(stream *s) {
    const size_t leaving = chunks_of(&s->leaving), coming = chunks_of(&s->coming);
    while (s->lefts < leaving || s->dones < coming) {
        bool goes_on = start_receive(s);
        goes_on = start_read(s) || goes_on;
        goes_on = send_chunk(s) || goes_on;
        goes_on = start_write(s) || goes_on;
        goes_on = finish_write(s) || goes_on;
        goes_on = leave_slot(s) || goes_on;
        if (!goes_on) sched_yield();
    }
    for (size_t slot = 0; slot < CLP_MPI_SLOTS; slot++) {
        MPI_Wait(&s->answered[slot], MPI_STATUS_IGNORE);
    }
}

/* ---- The exchange ---- */

/* What a rank keeps, from device memory to device memory. */
static cl_int copy_own(clprims_mpi *mpi, const side *from, const side *to, size_t element_bytes) {
    const int r = mpi->rank;
    const size_t bytes = (size_t)from->count[r] * element_bytes;
    return clEnqueueCopyBuffer(mpi->queue, from->mem, to->mem,
                               (size_t)from->first[r] * element_bytes,
                               (size_t)to->first[r] * element_bytes, bytes, 0, NULL, NULL);
}

static cl_int exchange_with(clprims_mpi *mpi, int target, int source, const side *from,
                            const side *to, size_t element_bytes) {
    clp_mpi_staging *staging = &mpi->staging;
    stream s = {.mpi = mpi,
                .staging = staging,
                .to = target,
                .from = source,
                .to_shared = staging->shared[target] != NULL,
                .from_shared = staging->shared[source] != NULL,
                .leaving = part_of(staging, from, target, element_bytes),
                .coming = part_of(staging, to, source, element_bytes),
                .code = CL_SUCCESS};
    for (size_t slot = 0; slot < CLP_MPI_SLOTS; slot++) {
        s.sent[slot] = s.taken[slot] = s.received[slot] = s.answered[slot] = MPI_REQUEST_NULL;
    }
    run_stream(&s);
    return s.code;
}

clprims_status clp_mpi_exchange(clprims_mpi *mpi, const clp_mpi_parts *parts, cl_mem from,
                                cl_mem to, size_t element_bytes) {
    const side given = {from, parts->from_first, parts->from_count};
    const side taken = {to, parts->to_first, parts->to_count};
    const bool keeps = given.count[mpi->rank] > 0 && to != NULL;
    cl_int code = keeps ? copy_own(mpi, &given, &taken, element_bytes) : CL_SUCCESS;
    for (int k = 1; k < mpi->ranks; k++) {
        const int target = (mpi->rank + k) % mpi->ranks;
        const int source = (mpi->rank - k + mpi->ranks) % mpi->ranks;
        const cl_int next = exchange_with(mpi, target, source, &given, &taken, element_bytes);
        if (code == CL_SUCCESS) code = next;
    }
    if (keeps && code == CL_SUCCESS) code = clFinish(mpi->queue);
    if (code != CL_SUCCESS) return clp_mpi_fail_cl(code, "%s: moving device data failed", mpi->who);
    return CLPRIMS_OK;
}
