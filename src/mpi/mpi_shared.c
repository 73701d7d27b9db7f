/* SPDX-License-Identifier: MIT */
/* POSIX shared memory: an object of each rank, whose name is gone once all ranks have it. */
#include "mpi/mpi_shared.h"

#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

enum { NAME_BYTES = 64 };

/* The same number on all ranks, and another one in every call: a name that another host, or another
 * container of this host, has not. */
static uint64_t agree_on_number(MPI_Comm comm) {
    struct timespec now = {0, 0};
    clock_gettime(CLOCK_REALTIME, &now);
    uint64_t number = (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
    number ^= (uint64_t)getpid() << 40;
    MPI_Bcast(&number, 1, MPI_UINT64_T, 0, comm);
    return number;
}

static void name_part(char *name, uint64_t number, int rank) {
    snprintf(name, NAME_BYTES, "/clprims-%llx-%d", (unsigned long long)number, rank);
}

/* Of an object that is there already, or NULL. */
static unsigned char *map(int file, size_t bytes) {
    if (file < 0) return NULL;
    void *part = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    close(file);
    return part != MAP_FAILED ? part : NULL;
}

/* Pages that there is no room for would end the process where they are touched. */
static unsigned char *create_part(const char *name, size_t bytes) {
    const int file = shm_open(name, O_RDWR | O_CREAT | O_EXCL, S_IRUSR | S_IWUSR);
    if (file < 0) return NULL;
    if (posix_fallocate(file, 0, (off_t)bytes) != 0) {
        close(file);
        return NULL;
    }
    return map(file, bytes);
}

static bool all_have(MPI_Comm comm, bool has) {
    int own = has, all = 0;
    MPI_Allreduce(&own, &all, 1, MPI_INT, MPI_MIN, comm);
    return all != 0;
}

bool clp_mpi_shared_create(MPI_Comm comm, size_t bytes, unsigned char **parts) {
    char name[NAME_BYTES];
    int rank, ranks;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &ranks);
    const uint64_t number = agree_on_number(comm);
    for (int r = 0; r < ranks; r++) parts[r] = NULL;
    name_part(name, number, rank);
    parts[rank] = create_part(name, bytes);
    bool has = all_have(comm, parts[rank] != NULL);
    for (int r = 0; r < ranks && has; r++) {
        if (r == rank) continue;
        name_part(name, number, r);
        parts[r] = map(shm_open(name, O_RDWR, 0), bytes);
        has = parts[r] != NULL;
    }
    has = all_have(comm, has);
    name_part(name, number, rank);
    shm_unlink(name);
    if (!has) clp_mpi_shared_release(parts, ranks, bytes);
    return has;
}

void clp_mpi_shared_release(unsigned char **parts, int ranks, size_t bytes) {
    for (int r = 0; r < ranks; r++) {
        if (parts[r] != NULL) munmap(parts[r], bytes);
        parts[r] = NULL;
    }
}
