/* SPDX-License-Identifier: MIT */
/* The options of running combinations, from texts to what a description holds. */
#include "cli/combination.h"

#include "cli/message.h"

static int check_texts(const combination *c) {
    if (c->text.op && c->text.custom)
        return complain(EXIT_USAGE, "--op and --custom exclude each other");
    if (c->text.inclusive && c->text.exclusive)
        return complain(EXIT_USAGE, "--inclusive and --exclusive exclude each other");
    if (c->text.identity && !c->text.custom)
        return complain(EXIT_USAGE, "--identity goes with --custom; --op %s has its own",
                        c->text.op ? c->text.op : "add");
    if (c->text.custom && !c->text.inclusive && !c->text.identity && !c->text.init)
        return complain(EXIT_USAGE, "--custom needs --identity, --init or --inclusive: nothing "
                                    "stands before the first element");
    return EXIT_FINE;
}

int combination_check(combination *c) {
    int status = check_texts(c);
    if (status == EXIT_FINE) status = value_op("--op", c->text.op, &c->op);
    if (status == EXIT_FINE)
        status = value_type("--accumulate", c->text.accumulate, &c->accumulator);
    c->custom = (clprims_custom)CLPRIMS_CUSTOM_INIT;
    c->inclusive = c->text.inclusive != NULL;
    if (c->text.custom) {
        c->op = CLPRIMS_CUSTOM;
        c->custom.op = c->text.custom;
    }
    return status;
}

static clprims_type default_accumulator(const combination *c, const npy_input *elements) {
    const bool grows = c->op == CLPRIMS_ADD || c->op == CLPRIMS_MUL;
    return elements->is_bool && grows ? CLPRIMS_I64 : elements->type;
}

int combination_complete(combination *c, const npy_input *elements) {
    int status = EXIT_FINE;
    if (!c->text.accumulate) c->accumulator = default_accumulator(c, elements);
    const bool is_float = c->accumulator == CLPRIMS_F32 || c->accumulator == CLPRIMS_F64;
    if (is_float && c->op >= CLPRIMS_AND && c->op <= CLPRIMS_XOR)
        return complain(EXIT_USAGE, "--op %s needs integers, but %s", clprims_op_name(c->op),
                        c->text.accumulate ? "--accumulate says otherwise"
                                           : "the elements are floats");
    if (c->text.init) {
        status = value_element("--init", c->text.init, c->accumulator, c->init_bytes);
        c->init = c->init_bytes;
    }
    if (c->text.identity && status == EXIT_FINE) {
        status = value_element("--identity", c->text.identity, c->accumulator, c->identity_bytes);
        c->custom.identity = c->identity_bytes;
    }
    return status;
}

int combination_exit(const combination *c, clprims_status created) {
    return library_exit_with_text(created, "--custom", c->text.custom);
}
