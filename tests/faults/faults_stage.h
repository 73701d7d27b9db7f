/* SPDX-License-Identifier: MIT */
/* What the calls that are made to fail work on. */
#ifndef TESTS_FAULTS_STAGE_H
#define TESTS_FAULTS_STAGE_H

#include "subjects/runs/subject_buffers.h"

enum { FAULTS_MOST_OPERATIONS = 128, FAULTS_NAME = 64 };

typedef struct stage {
    clprims_context *context;
    cl_command_queue queue;
    cl_event ready; /* what an enqueue waits for */
    const subject_fault *fault; /* of a subject */
    subject_data data;
    void *plan;
    subject_buffers buffers;
    subject_arrays arrays;
    /* what a run made */
    void *made;
    cl_event event;
} stage;

typedef struct operation {
    char name[FAULTS_NAME];
    const subject *of; /* NULL: none */
    const subject_fault *fault;
    clprims_status (*run)(stage *s);
    void (*undo)(stage *s); /* checks the result of a run that succeeded and gives it back */
    bool out_of_order;
    bool builds_instead; /* where keeping or finding a program fails, nobody is told */
} operation;

typedef struct operations {
    operation all[FAULTS_MOST_OPERATIONS];
    size_t count;
} operations;

/* Appends one, whose name is these three parts. */
operation *faults_append(operations *to, const char *name, const char *call, const char *suffix);

/* faults_subjects.c: create, enqueue and run of every subject. */
void faults_append_subjects(operations *to);
/* What they work on, if the operation has a subject. */
void faults_open_subject(stage *s, const operation *o);
void faults_refresh_subject(stage *s);
void faults_close_subject(stage *s);

/* faults_store.c: programs that are kept. */
void faults_append_store(operations *to);

/* faults_once.c: one-shot calls. */
void faults_append_once(operations *to);

#endif
