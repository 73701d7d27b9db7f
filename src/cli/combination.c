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
        status = value_type("--accumulate", c->text.accumulate, &c->result.type);
    c->custom = (clprims_custom)CLPRIMS_CUSTOM_INIT;
    c->inclusive = c->text.inclusive != NULL;
    if (c->text.custom) {
        c->op = CLPRIMS_CUSTOM;
        c->custom.op = c->text.custom;
    }
    return status;
}

int running_type(const npy_input *elements, clprims_op op, const char *accumulate, bool is_computed,
                 npy_type *type) {
    const bool grows = op == CLPRIMS_ADD || op == CLPRIMS_MUL;
    *type = (npy_type){elements->type, elements->is_bool && !is_computed};
    if (elements->is_bool && grows) *type = (npy_type){CLPRIMS_I64, false};
    if (accumulate) type->is_bool = false;
    const int status = value_type("--accumulate", accumulate, &type->type);
    if (status != EXIT_FINE || type->type < CLPRIMS_F32 || op < CLPRIMS_AND || op > CLPRIMS_XOR)
        return status;
    return complain(EXIT_USAGE, "--op %s needs integers, but %s", clprims_op_name(op),
                    accumulate ? "--accumulate says otherwise" : "the elements are floats");
}

int running_init(const char *text, clprims_op op, npy_type type, void *value, const void **init) {
    unsigned char *const truth = value;
    const bool is_true = type.is_bool && (op == CLPRIMS_MIN || op == CLPRIMS_AND);
    if (text || is_true) *init = value;
    if (!text) {
        if (is_true) *truth = 1;
        return EXIT_FINE;
    }
    const int status = value_element("--init", text, type.type, value);
    if (status == EXIT_FINE && type.is_bool && *truth > 1)
        return complain(EXIT_USAGE, "--init %s does not fit bool", text);
    return status;
}

int combination_complete(combination *c, const npy_input *elements) {
    int status =
        running_type(elements, c->op, c->text.accumulate, c->text.custom != NULL, &c->result);
    if (status == EXIT_FINE)
        status = running_init(c->text.init, c->op, c->result, c->init_bytes, &c->init);
    if (c->text.identity && status == EXIT_FINE) {
        status = value_element("--identity", c->text.identity, c->result.type, c->identity_bytes);
        c->custom.identity = c->identity_bytes;
    }
    return status;
}

int combination_exit(const combination *c, clprims_status created) {
    return library_exit_with_text(created, "--custom", c->text.custom);
}
