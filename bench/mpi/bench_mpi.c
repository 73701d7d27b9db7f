/* SPDX-License-Identifier: MIT */
/*
 * clprims-bench-mpi: primitives over MPI ranks beside what one device does with its own block, in
 * the same run.
 *
 *   mpirun -np RANKS clprims-bench-mpi [--size N] [--total N] [--vertices N] [--only PART]
 *       [--repeats N] [--device NAME] [--sharing N] [--chunk N] [--csv FILE] [--commit ID]
 *   --size N     elements of a rank's block (weak scaling); the default is 2^22
 *   --total N    elements of all ranks together (strong scaling), in place of --size
 *   --vertices N of paths; without it the elements of all ranks are its matrix
 *   --only PART  the subjects whose names contain PART
 *   --repeats N  runs of each, whose median and least are shown; the default is 7
 *   --device NAME  part of a device's name, or its number; the default is the host's GPUs in turn
 *   --sharing N  ranks of a host that share memory; 1: none, as between hosts; the default is all
 *   --chunk N    bytes of a chunk that moves between devices
 *   --csv FILE   appends a line a subject, below a line of names where there is no file yet
 *   --commit ID  the source's commit, for the CSV file
 *
 * A time is the slowest rank's. Every result is checked by sums and by its order.
 */
#include "mpi_subjects.h"

#include "mpi/mpi_staging.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef struct options {
    size_t size, total, vertices, repeats;
    const char *only;
    const char *csv;
    const char *commit;
    const char *device; /* NULL: as clprims_mpi_context_create chooses */
    char date[16];
} options;

/* Of several runs. */
typedef struct seconds {
    double median, least;
    double processors; /* of all ranks together, waiting included: the least */
} seconds;

static size_t number(const char *text) {
    char *end = NULL;
    const unsigned long long value = text != NULL ? strtoull(text, &end, 10) : 0;
    if (value == 0 || *end != '\0') mpi_bench_stop("a number from 1 on is wanted");
    return (size_t)value;
}

static options read_options(int argc, char **argv) {
    options o = {.size = (size_t)1 << 22, .repeats = 7, .only = "", .commit = ""};
    for (int i = 1; i < argc; i += 2) {
        const char *value = i + 1 < argc ? argv[i + 1] : NULL;
        if (strcmp(argv[i], "--size") == 0) {
            o.size = number(value);
        } else if (strcmp(argv[i], "--total") == 0) {
            o.total = number(value);
        } else if (strcmp(argv[i], "--vertices") == 0) {
            o.vertices = number(value);
        } else if (strcmp(argv[i], "--repeats") == 0) {
            o.repeats = number(value);
        } else if (strcmp(argv[i], "--sharing") == 0) {
            clp_mpi_sharing_ranks = (int)number(value);
        } else if (strcmp(argv[i], "--chunk") == 0) {
            clp_mpi_chunk_bytes = number(value);
        } else if (strcmp(argv[i], "--device") == 0 && value != NULL) {
            o.device = value;
        } else if (strcmp(argv[i], "--only") == 0 && value != NULL) {
            o.only = value;
        } else if (strcmp(argv[i], "--csv") == 0 && value != NULL) {
            o.csv = value;
        } else if (strcmp(argv[i], "--commit") == 0 && value != NULL) {
            o.commit = value;
        } else {
            mpi_bench_stop("options are --size, --total, --vertices, --only, --repeats, --device, "
                           "--sharing, --chunk, --csv and --commit");
        }
    }
    const time_t now = time(NULL);
    strftime(o.date, sizeof o.date, "%Y-%m-%d", gmtime(&now));
    return o;
}

static int earlier(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

/* The slowest rank's times; of one rank alone, the others wait. */
static seconds measure(const mpi_job *job, mpi_step *prepare, mpi_step *run, size_t repeats,
                       bool alone) {
    seconds result = {0.0, 0.0, 0.0};
    double *times = malloc(repeats * sizeof *times);
    if (times == NULL) mpi_bench_stop("no host memory");
    for (size_t k = 0; k < repeats + 1; k++) {
        double time = 0.0, processors;
        const bool takes_part = !alone || job->rank == 0;
        if (prepare != NULL && takes_part) prepare(job);
        MPI_Barrier(MPI_COMM_WORLD);
        const double start = MPI_Wtime();
        const clock_t used = clock();
        if (takes_part) run(job);
        processors = (double)(clock() - used) / CLOCKS_PER_SEC;
        time = MPI_Wtime() - start;
        MPI_Allreduce(MPI_IN_PLACE, &processors, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        if (k == 1 || (k > 1 && processors < result.processors)) result.processors = processors;
        MPI_Allreduce(MPI_IN_PLACE, &time, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
        if (k > 0) times[k - 1] = time;
    }
    qsort(times, repeats, sizeof *times, earlier);
    result.median = times[repeats / 2];
    result.least = times[0];
    free(times);
    return result;
}

/* "Open MPI v4.1.4": what the MPI says of itself, up to the first comma or line's end. */
static void name_mpi(char *name) {
    int length;
    MPI_Get_library_version(name, &length);
    name[strcspn(name, ",\n\"")] = '\0';
    for (char *c = name; *c != '\0'; c++) {
        if (*c == '\t') *c = ' ';
    }
}

static void report(const mpi_job *job, const mpi_subject *subject, const options *o, seconds alone,
                   seconds together) {
    /* What crosses: all but one share of the data, one way. */
    const double bytes = subject->crossing(job);
    char mpi[MPI_MAX_LIBRARY_VERSION_STRING];
    if (job->rank != 0) return;
    printf("%-10s %5d %14zu %12.3f %12.3f %12.3f %12.3f %8.3f %10.2f\n", subject->name, job->ranks,
           job->shown, alone.median * 1e3, together.median * 1e3, together.least * 1e3,
           together.processors * 1e3, together.median / alone.median,
           bytes / together.median * 1e-9);
    fflush(stdout);
    FILE *file = o->csv != NULL ? fopen(o->csv, "a") : NULL;
    if (file == NULL) return;
    name_mpi(mpi);
    fprintf(file,
            "%s,%s,%d,%zu,%.9f,%.9f,%.9f,%.9f,%.6f,%zu,%.0f,\"%s\",%d,\"%s\",\"%s\",%s,%s,%s\n",
            subject->name, o->total > 0 ? "strong" : "weak", job->ranks, job->shown, alone.median,
            alone.least, together.median, together.least, together.processors, o->repeats, bytes,
            mpi, clp_mpi_sharing_ranks < job->ranks ? clp_mpi_sharing_ranks : job->ranks,
            job->info.device.name, job->info.device.driver, clprims_version(), o->commit, o->date);
    fclose(file);
}

/* The first line of a file that is not there yet. */
static void name_columns(const char *csv) {
    FILE *file = csv != NULL ? fopen(csv, "wx") : NULL;
    if (file == NULL) return;
    fputs("subject,scaling,ranks,n_of_rank_0,alone_seconds,alone_least,together_seconds,"
          "together_least,together_cpu,runs,bytes,mpi,sharing,device,driver,version,commit,date\n",
          file);
    fclose(file);
}

static void run_subject(mpi_job *job, const mpi_subject *subject, const options *o) {
    job->shown = job->n;
    subject->create(job);
    const seconds alone = measure(job, subject->prepare, subject->alone, o->repeats, true);
    const seconds together = measure(job, subject->prepare, subject->together, o->repeats, false);
    if (!subject->is_right(job)) mpi_bench_stop(subject->name);
    report(job, subject, o, alone, together);
    subject->destroy(job);
}

static void run_subjects(mpi_job *job, const mpi_subject *subjects, const options *o) {
    for (const mpi_subject *subject = subjects; subject->name != NULL; subject++) {
        if (strstr(subject->name, o->only) != NULL) run_subject(job, subject, o);
    }
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    const options o = read_options(argc, argv);
    mpi_job job = {.n = o.size, .vertices = o.vertices};
    mpi_job_open(&job, o.device, o.total);
    if (job.rank == 0) {
        printf("%d ranks, rank 0 on %s\n", job.ranks, job.info.device.name);
        name_columns(o.csv);
        printf("%-10s %5s %14s %12s %12s %12s %12s %8s %10s\n", "subject", "ranks", "n of rank 0",
               "alone ms", "together ms", "least ms", "CPU ms", "ratio", "GB/s a way");
    }
    run_subjects(&job, mpi_subjects, &o);
    run_subjects(&job, mpi_list_subjects, &o);
    mpi_job_close(&job);
    MPI_Finalize();
    return EXIT_SUCCESS;
}
