/* SPDX-License-Identifier: MIT */
/* Parameters of the caller's texts: their declarations, values and place in a program. */
#include "plan/parameters.h"

#include "core/program.h"

#include <stdio.h>
#include <string.h>

/* ---- Declarations ---- */

/* Besides the types that value_bytes() knows. */
static const char keywords[] =
    "auto break case const continue default do else enum extern for goto if inline register "
    "restrict return signed sizeof static struct switch typedef union unsigned void volatile while "
    "global local constant private generic kernel read_only write_only read_write uniform pipe "
    "bool quad complex imaginary size_t ptrdiff_t intptr_t uintptr_t event_t sampler_t";

static size_t trim(const char **text, size_t length) {
    while (length > 0 && clp_is_space(**text)) {
        (*text)++;
        length--;
    }
    while (length > 0 && clp_is_space((*text)[length - 1])) length--;
    return length;
}

static bool has_word(const char *text, size_t length, const char *word) {
    const size_t wanted = strlen(word);
    for (size_t i = 0; i + wanted <= length; i++) {
        const bool begins = i == 0 || !clp_is_word(text[i - 1]);
        const bool ends = i + wanted == length || !clp_is_word(text[i + wanted]);
        if (begins && ends && strncmp(text + i, word, wanted) == 0) return true;
    }
    return false;
}

/* words: with blanks between them. */
static bool has_any_word(const char *text, size_t length, const char *words) {
    char word[16];
    for (int used; sscanf(words, "%15s%n", word, &used) == 1; words += used) {
        if (has_word(text, length, word)) return true;
    }
    return false;
}

/* The size of an integer type in words of C, "unsigned short int", whatever their order; 0: none.
 */
static size_t integer_bytes(const char *type) {
    const size_t length = strlen(type);
    const int is_char = has_word(type, length, "char"), is_short = has_word(type, length, "short");
    const int is_int = has_word(type, length, "int"), is_long = has_word(type, length, "long");
    const int signs = has_word(type, length, "signed") + has_word(type, length, "unsigned");
    int words = length > 0;
    for (size_t i = 0; i < length; i++) words += type[i] == ' ';
    if (words == 0 || words != is_char + is_short + is_int + is_long + signs) return 0;
    if (signs > 1 || is_char + is_short + is_long > 1 || (is_char && is_int)) return 0;
    return is_char ? 1 : is_short ? 2 : is_long ? 8 : 4;
}

/* The size of a scalar or vector type of OpenCL C that a kernel takes; 0: none. */
static size_t value_bytes(const char *type) {
    static const struct {
        const char *name;
        size_t bytes;
    } types[] = {{"char", 1}, {"uchar", 1}, {"short", 2}, {"ushort", 2}, {"int", 4}, {"uint", 4},
                 {"long", 8}, {"ulong", 8}, {"float", 4}, {"double", 8}, {"half", 2}};
    static const struct {
        const char *name;
        size_t lanes;
    } widths[] = {{"", 1}, {"2", 2}, {"3", 4}, {"4", 4}, {"8", 8}, {"16", 16}};
    size_t word = 0;
    while (clp_is_letter(type[word])) word++;
    for (size_t t = 0; t < sizeof types / sizeof types[0]; t++) {
        if (strlen(types[t].name) != word || strncmp(type, types[t].name, word) != 0) continue;
        for (size_t w = 0; w < sizeof widths / sizeof widths[0]; w++) {
            if (strcmp(type + word, widths[w].name) == 0) return types[t].bytes * widths[w].lanes;
        }
    }
    return integer_bytes(type);
}

/* Copies the words of a value's type, one blank apart, but for qualifiers, which say nothing of a
 * copy. to: room for length + 1 characters. */
static void copy_value_type(char *to, const char *type, size_t length) {
    size_t used = 0;
    for (size_t at = 0, end; at < length; at = end + 1) {
        for (end = at; end < length && !clp_is_space(type[end]);) end++;
        const char *word = type + at;
        const size_t bytes = end - at;
        if (bytes == 0 || has_word(word, bytes, "const") || has_word(word, bytes, "volatile")) {
            continue;
        }
        if (used > 0) to[used++] = ' ';
        memcpy(to + used, word, bytes);
        used += bytes;
    }
    to[used] = '\0';
}

static clprims_status refuse(const char *who, size_t k, const char *text, size_t length,
                             const char *why) {
    return clp_fail(CLPRIMS_ERR_ARGUMENT, "%s: parameter %zu, \"%.*s\", %s", who, k, (int)length,
                    text, why);
}

/* A pointer without an address space is to global memory. */
static void read_pointer(const char *type, size_t length, clp_parameter *parameter) {
    const bool has_memory = has_any_word(type, length, "global constant __global __constant");
    const bool is_elsewhere = has_any_word(type, length, "local private __local __private");
    snprintf(parameter->type, sizeof parameter->type, "%s%.*s", has_memory ? "" : "global ",
             (int)length, type);
    const bool is_single = strchr(parameter->type, '*') == strrchr(parameter->type, '*');
    parameter->is_array = true;
    parameter->bytes = is_single && !is_elsewhere ? sizeof(cl_mem) : 0;
}

/* Reads the type of a value, or of the caller's structure. A kernel takes no size_t. */
static void read_value(const char *type, size_t length, const clprims_custom *custom,
                       clp_parameter *parameter) {
    parameter->is_array = false;
    copy_value_type(parameter->type, type, length);
    if (strcmp(parameter->type, "size_t") == 0) strcpy(parameter->type, "ulong");
    parameter->bytes = value_bytes(parameter->type);
    if (custom->type_name != NULL && strcmp(parameter->type, custom->type_name) == 0 &&
        custom->type_bytes <= CLP_LARGEST_PARAMETER) {
        parameter->bytes = custom->type_bytes;
    }
}

/* Reads the type, which stands before the name, of a text of `whole` characters. */
static clprims_status read_type(const char *who, size_t k, const char *text, size_t whole,
                                size_t before, const clprims_custom *custom,
                                clp_parameter *parameter) {
    const char *type = text;
    const size_t length = trim(&type, before);
    if (length + strlen("global ") >= CLP_LONGEST_PARAMETER) {
        return refuse(who, k, type, 40, "... has too long a type");
    }
    if (memchr(type, '*', length) != NULL) {
        read_pointer(type, length, parameter);
    } else {
        read_value(type, length, custom, parameter);
    }
    if (parameter->bytes > 0) return CLPRIMS_OK;
    return refuse(who, k, text, whole,
                  "is no scalar or vector of OpenCL C, no custom.type_name, and no pointer to "
                  "global or constant memory; give another structure as \"global const TYPE *\"");
}

static clprims_status read_one(const char *who, size_t k, const char *text, size_t length,
                               const clprims_custom *custom, clp_parameter *parameter) {
    length = trim(&text, length);
    size_t name = length;
    while (name > 0 && clp_is_word(text[name - 1])) name--;
    const size_t name_length = length - name;
    if (name_length == 0 || clp_is_digit(text[name])) {
        return refuse(who, k, text, length, "does not end with a name");
    }
    if (name_length >= CLP_LONGEST_PARAMETER) {
        return refuse(who, k, text + name, 40, "... has too long a name");
    }
    memcpy(parameter->name, text + name, name_length);
    parameter->name[name_length] = '\0';
    CLP_TRY(read_type(who, k, text, length, name, custom, parameter));
    if (has_word(keywords, sizeof keywords - 1, parameter->name) ||
        value_bytes(parameter->name) > 0) {
        return refuse(who, k, text, length, "has a name that is a keyword or a type of OpenCL C");
    }
    if (strncmp(parameter->name, "clp_", 4) != 0 && strncmp(parameter->name, "CLP_", 4) != 0) {
        return CLPRIMS_OK;
    }
    return refuse(who, k, text, length, "has a name that begins as the library's own names do");
}

static clprims_status check_names(const char *who, const clp_parameters *parameters) {
    for (size_t k = 1; k < parameters->count; k++) {
        const clp_parameter *one = &parameters->list[k];
        for (size_t j = 0; j < k; j++) {
            const clp_parameter *other = &parameters->list[j];
            if (strcmp(one->name, other->name) != 0) continue;
            return clp_fail(CLPRIMS_ERR_ARGUMENT, "%s: parameters %zu and %zu are both named %s",
                            who, j, k, one->name);
        }
    }
    return CLPRIMS_OK;
}

/* ---- Texts ---- */

clprims_status clp_texts_check(const char *who, const clp_user_text *texts) {
    for (; texts->name != NULL; texts++) {
        if (texts->text == NULL || texts->unread == NULL) continue;
        return clp_fail(CLPRIMS_ERR_ARGUMENT, "%s: %s = \"%s\" is never read: %s", who, texts->name,
                        texts->text, texts->unread);
    }
    return CLPRIMS_OK;
}

/* The operands of a text have other names than the parameters. */
static clprims_status check_operands(const char *who, const clp_parameters *parameters,
                                     const clp_user_text *text) {
    for (size_t k = 0; k < parameters->count; k++) {
        const clp_parameter *one = &parameters->list[k];
        if (!has_word(text->operands, strlen(text->operands), one->name)) continue;
        return clp_fail(CLPRIMS_ERR_ARGUMENT,
                        "%s: parameter %zu, \"%s %s\", has the name of an operand of %s", who, k,
                        one->type, one->name, text->name);
    }
    return CLPRIMS_OK;
}

static clprims_status check_texts(const char *who, const clp_parameters *parameters,
                                  const clp_user_text *texts) {
    bool may_be_named = parameters->count == 0;
    for (const clp_user_text *text = texts; text->name != NULL; text++) {
        if (text->text == NULL || text->operands == NULL) continue;
        may_be_named = true;
        CLP_TRY(check_operands(who, parameters, text));
    }
    if (may_be_named) return CLPRIMS_OK;
    return clp_fail(CLPRIMS_ERR_ARGUMENT,
                    "%s: %zu parameters, but no text such as %s that could name them", who,
                    parameters->count, texts->name);
}

clprims_status clp_parameters_read(const char *who, const char *text, const clprims_custom *custom,
                                   const clp_user_text *texts, clp_parameters *parameters) {
    parameters->count = 0;
    if (text == NULL) return CLPRIMS_OK;
    const char *rest = text;
    if (trim(&rest, strlen(rest)) == 0) return CLPRIMS_OK;
    for (const char *end = rest; *end != '\0'; rest = end + 1) {
        const size_t k = parameters->count;
        end = rest + strcspn(rest, ",");
        CLP_FAIL_IF(k == CLP_MOST_PARAMETERS, CLPRIMS_ERR_ARGUMENT,
                    "%s: \"%s\" has more than %d parameters", who, text, CLP_MOST_PARAMETERS);
        CLP_TRY(read_one(who, k, rest, (size_t)(end - rest), custom, &parameters->list[k]));
        parameters->count++;
    }
    CLP_TRY(check_names(who, parameters));
    return check_texts(who, parameters, texts);
}

/* ---- Values ---- */

clprims_status clp_parameters_set(clp_parameters *parameters, const clprims_context *context,
                                  const char *who, size_t k, size_t bytes, const void *value) {
    CLP_FAIL_IF(k >= parameters->count, CLPRIMS_ERR_ARGUMENT,
                "%s: there is no parameter %zu; desc.parameters has %zu, from 0 on", who, k,
                parameters->count);
    clp_parameter *one = &parameters->list[k];
    CLP_FAIL_IF(value == NULL, CLPRIMS_ERR_ARGUMENT, "%s: the value of parameter %zu, %s, is NULL",
                who, k, one->name);
    const bool has_first = one->is_array && bytes == sizeof(clprims_buffer);
    CLP_FAIL_IF(bytes != one->bytes && !has_first, CLPRIMS_ERR_ARGUMENT,
                "%s: bytes = %zu for parameter %zu, \"%s %s\", which has %zu%s", who, bytes, k,
                one->type, one->name, one->bytes,
                one->is_array ? ", a cl_mem, or the sizeof of a clprims_buffer" : "");
    if (one->is_array) {
        char name[CLP_LONGEST_PARAMETER + 40];
        cl_mem mem;
        snprintf(name, sizeof name, "parameter %zu, %s,", k, one->name);
        memcpy(&mem, value, sizeof mem);
        CLP_TRY(clp_mem_check(context, who, name, mem));
    }
    memcpy(&one->value, value, one->bytes);
    one->first = has_first ? ((const clprims_buffer *)value)->first : 0;
    one->is_set = true;
    return CLPRIMS_OK;
}

clprims_status clp_parameters_check(const clp_parameters *parameters, const char *who) {
    for (size_t k = 0; k < parameters->count; k++) {
        const clp_parameter *one = &parameters->list[k];
        if (one->is_set) continue;
        return clp_fail(CLPRIMS_ERR_ARGUMENT, "%s: parameter %zu, %s, was never set", who, k,
                        one->name);
    }
    return CLPRIMS_OK;
}

/* ---- Programs ---- */

void clp_text_add_declarations(clp_text *text, const clprims_context *context,
                               const clprims_custom *custom, const clp_parameters *parameters) {
    if (context->device.has_float64) {
        clp_text_add(text, "#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n");
    }
    if (custom->declarations != NULL) {
        clp_text_add_users(text, "declarations", custom->declarations);
    }
    if (custom->type_name != NULL && custom->type_bytes > 0) {
        clp_text_add(text, "\n#line 1 \"custom.type_name\"\n");
        clp_text_add_type(text, "clp_type", custom->type_name, custom->type_bytes);
        clp_text_add(text, "\n#line 1 \"prelude\"\n");
    }
    if (parameters == NULL || parameters->count == 0) return;
    clp_text_add(text, "typedef struct clp_user {");
    for (size_t k = 0; k < parameters->count; k++) {
        clp_text_add(text, " %s %s;", parameters->list[k].type, parameters->list[k].name);
    }
    clp_text_add(text, " } clp_user;\n#define CLP_USER_PARAMETERS ");
    for (size_t k = 0; k < parameters->count; k++) {
        clp_text_add(text, ", %s clp_user_%zu", parameters->list[k].type, k);
        if (parameters->list[k].is_array) clp_text_add(text, ", ulong clp_first_%zu", k);
    }
    clp_text_add(text, "\n#define CLP_USER_VALUES");
    for (size_t k = 0; k < parameters->count; k++) {
        clp_text_add(text, "%s clp_user_%zu", k > 0 ? "," : "", k);
        if (parameters->list[k].is_array) clp_text_add(text, " + clp_first_%zu", k);
    }
    clp_text_add(text, "\n");
}

void clp_text_add_function(clp_text *text, const clp_parameters *parameters, const char *name,
                           const char *expression, const char *usual) {
    const size_t count = parameters != NULL ? parameters->count : 0;
    clp_text_add(text, "%s) { ", count > 0 ? ", const clp_user *clp_given" : "");
    if (expression == NULL) {
        clp_text_add(text, "return (%s); }\n", usual);
        return;
    }
    for (size_t k = 0; k < count; k++) {
        const clp_parameter *one = &parameters->list[k];
        clp_text_add(text, "%s %s = clp_given->%s; ", one->type, one->name, one->name);
    }
    clp_text_add(text, "return (");
    clp_text_add_expression(text, name, expression, "); }");
}

void clp_parameters_append(const clp_parameters *parameters, const cl_mem *blank,
                           clp_argument *arguments, size_t *count) {
    for (size_t k = 0; k < parameters->count; k++) {
        const clp_parameter *one = &parameters->list[k];
        const bool is_blank = one->is_array && !one->is_set;
        arguments[(*count)++] =
            (clp_argument){one->bytes, is_blank ? (const void *)blank : &one->value};
        if (one->is_array) arguments[(*count)++] = (clp_argument)CLP_ARGUMENT(one->first);
    }
}
