/* SPDX-License-Identifier: MIT */
/* The options of running combinations, from texts to what a description holds. */
#include "cli/combination.h"

static int check_custom(const cli_job *job) {
    const bool is_custom = job_text(job, "--custom") != NULL;
    const char *const op = job_text(job, "--op"), *const identity = job_text(job, "--identity");
    if (identity && !is_custom)
        return complain(EXIT_USAGE, "--identity goes with --custom; --op %s has its own",
                        op ? op : "add");
    if (is_custom && !identity && !job_text(job, "--inclusive") && !job_text(job, "--init"))
        return complain(EXIT_USAGE, "--custom needs --identity, --init or --inclusive: nothing "
                                    "stands before the first element");
    return EXIT_FINE;
}

void combination_check(cli_job *job, combination *c) {
    *c = (combination){0};
    job_exclude(job, "--op", "--custom");
    job_exclude(job, "--inclusive", "--exclusive");
    JOB_TRY(job, check_custom(job));
    c->op = (clprims_op)job_choose(job, "--op", CHOICE_OP, CLPRIMS_ADD);
    (void)job_choose(job, "--accumulate", CHOICE_TYPE, CLPRIMS_TYPE_DEFAULT);
    c->inclusive = job_text(job, "--inclusive") != NULL;
    c->custom.op = job_text(job, "--custom");
    if (c->custom.op) c->op = CLPRIMS_CUSTOM;
}

npy_type running_type(cli_job *job, const npy_input *elements, clprims_op op, bool is_computed) {
    const bool grows = op == CLPRIMS_ADD || op == CLPRIMS_MUL;
    const bool is_given = job_text(job, "--accumulate") != NULL;
    npy_type type = {elements->type, elements->is_bool && !is_computed};
    if (elements->is_bool && grows) type = (npy_type){CLPRIMS_I64, false};
    if (is_given) type.is_bool = false;
    type.type = (clprims_type)job_choose(job, "--accumulate", CHOICE_TYPE, (int)type.type);
    if (type.type >= CLPRIMS_F32 && op >= CLPRIMS_AND && op <= CLPRIMS_XOR)
        JOB_TRY(job,
                complain(EXIT_USAGE, "--op %s needs integers, but %s", clprims_op_name(op),
                         is_given ? "--accumulate says otherwise" : "the elements are floats"));
    return type;
}

const void *running_init(cli_job *job, clprims_op op, npy_type type, void *value) {
    unsigned char *const truth = value;
    const char *const text = job_text(job, "--init");
    if (!text) {
        if (!type.is_bool || (op != CLPRIMS_MIN && op != CLPRIMS_AND)) return NULL;
        *truth = 1;
        return value;
    }
    JOB_TRY(job, value_element("--init", text, type.type, value));
    if (type.is_bool && *truth > 1)
        JOB_TRY(job, complain(EXIT_USAGE, "--init %s does not fit bool", text));
    return value;
}

void combination_complete(cli_job *job, combination *c, const npy_input *elements) {
    const char *const identity = job_text(job, "--identity");
    c->result = running_type(job, elements, c->op, c->custom.op != NULL);
    c->init = running_init(job, c->op, c->result, c->init_bytes);
    if (!identity) return;
    JOB_TRY(job, value_element("--identity", identity, c->result.type, c->identity_bytes));
    c->custom.identity = c->identity_bytes;
}
