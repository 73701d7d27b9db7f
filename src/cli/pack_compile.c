/* SPDX-License-Identifier: MIT */
/*
 * From OpenCL C to PTX by clang, with LLVM's libclc for the functions of OpenCL C. Clang's PTX
 * lacks two things that NVIDIA's driver has in its own: the sizes of work-groups, without which
 * ptxas takes another number of registers, and the metadata by which the driver answers
 * CL_KERNEL_COMPILE_WORK_GROUP_SIZE. LLVM's form has the sizes.
 */
#include "cli/pack_work.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Clang ---- */

/* Functions that stand before the text. Of LLVM's own barriers and fences Clang 14 believes that
 * they leave local variables of a kernel alone, and moves reads of these across them; libclc lacks
 * atomics of 64 bits for NVIDIA's GPUs. */
#define ATOMIC(name, how, space, ptx)                                                              \
    "ulong __attribute__((overloadable, always_inline)) " name "(volatile " space                  \
    " ulong *at, ulong value) { ulong old; __asm__ volatile(\"atom." ptx "." how                   \
    " %0, [%1], %2;\" : \"=l\"(old) : \"l\"(at), \"l\"(value) : \"memory\"); return old; }\n"
#define EXCHANGE(space, ptx)                                                                       \
    "ulong __attribute__((overloadable, always_inline)) atom_cmpxchg(volatile " space              \
    " ulong *at, ulong expected, ulong value) { ulong old; __asm__ volatile(\"atom." ptx           \
    ".cas.b64 %0, [%1], %2, %3;\" : \"=l\"(old) : \"l\"(at), \"l\"(expected), \"l\"(value)"        \
    " : \"memory\"); return old; }\n"
#define ATOMICS(space, ptx)                                                                        \
    ATOMIC("atom_add", "add.u64", space, ptx)                                                      \
    ATOMIC("atom_xchg", "exch.b64", space, ptx)                                                    \
    ATOMIC("atom_and", "and.b64", space, ptx)                                                      \
    ATOMIC("atom_or", "or.b64", space, ptx)                                                        \
    ATOMIC("atom_xor", "xor.b64", space, ptx)                                                      \
    ATOMIC("atom_min", "min.u64", space, ptx)                                                      \
    ATOMIC("atom_max", "max.u64", space, ptx) EXCHANGE(space, ptx)

static const char functions[] =
    "#define barrier(flags) __asm__ volatile(\"bar.sync 0;\" ::: \"memory\")\n"
    "#define mem_fence(flags) __asm__ volatile(\"membar.cta;\" ::: \"memory\")\n" ATOMICS(
        "global", "global") ATOMICS("local", "shared");

static int write_text(const pack_work *w) {
    FILE *const file = pack_open(w, "program.cl", "wb");
    if (file) {
        fputs(functions, file);
        fwrite(pack_body(w->program), 1, w->program->info.binary_bytes, file);
    }
    return pack_close_written(w, file);
}

/* The oldest GPU and the oldest PTX that the library knows: the texts' own instructions for newer
 * ones are inline, and ptxas reads them. */
#define FOR_NVIDIA                                                                                 \
    "-w", "-O3", "-S", "-target", "nvptx64-nvidia-nvcl", "-Xclang", "-target-cpu", "-Xclang",      \
        "sm_70", "-Xclang", "-target-feature", "-Xclang", "+ptx63"

static int run_clang(const pack_work *w, bool *took) {
    char text[PACK_PATH_CHARS], form[PACK_PATH_CHARS], ptx[PACK_PATH_CHARS];
    pack_path(w, "program.cl", text);
    pack_path(w, "program.ll", form);
    pack_path(w, "clang.ptx", ptx);
    /* clang-format off */
    const char *const to_form[] = {w->tools->clang, FOR_NVIDIA, "-emit-llvm", "-xcl",
        "-Dasm=__asm__", "-cl-std=CL1.2", "-Xclang", "-cl-ext=+all", "-Xclang",
        "-finclude-default-header", "-Xclang", "-mlink-builtin-bitcode", "-Xclang",
        w->tools->libclc, "-o", form, text, NULL};
    const char *const to_ptx[] = {w->tools->clang, FOR_NVIDIA, "-o", ptx, form, NULL};
    /* clang-format on */
    const int status = pack_run(w, to_form, took);
    return status == EXIT_FINE && *took ? pack_run(w, to_ptx, took) : status;
}

/* ---- Sizes of work-groups ---- */

/* The number of work-items that a kernel's groups must have by LLVM's form, or 0:
 * "define void @NAME(...) ... !reqd_work_group_size !7", "!7 = !{i32 256, i32 1, i32 1}". */
static unsigned long group_of(const char *form, const char *name, size_t length) {
    static const char attribute[] = "!reqd_work_group_size ";
    const char *at = form;
    while ((at = strstr(at, "\ndefine ")) != NULL) {
        const char *const called = strchr(++at, '@'), *const end = strchr(at, '\n');
        if (!called || !end || strncmp(called + 1, name, length) != 0 || called[length + 1] != '(')
            continue;
        const char *const number = strstr(at, attribute);
        char line[32];
        if (!number || number > end) return 0;
        snprintf(line, sizeof line, "\n!%lu = !{i32 ",
                 strtoul(number + strlen(attribute) + 1, NULL, 10));
        const char *const value = strstr(form, line);
        return value ? strtoul(value + strlen(line), NULL, 10) : 0;
    }
    return 0;
}

/* What NVIDIA's driver writes behind its own PTX, and looks for in machine code. */
static void print_metadata(FILE *to, const char *ptx, const char *form) {
    size_t number = 0;
    for (const char *at = ptx; (at = strstr(at, ".entry ")) != NULL;) {
        at += strlen(".entry ");
        const size_t length = strcspn(at, "(");
        const unsigned long group = group_of(form, at, length);
        if (group == 0) continue;
        if (number == 0) fputs(".metadata_section {\n", to);
        fprintf(to,
                ".metadata %zu {\n\"cl_kernel_attributes\",\n\"%.*s\",\n"
                "\"reqd_work_group_size(%lu,1,1)\"\n}\n",
                number++, (int)length, at, group);
    }
    if (number > 0) fputs("}\n", to);
}

/* Copies PTX line by line for the architecture, with the sizes of work-groups. */
static void print_ptx(FILE *to, const char *ptx, const char *form, const char *architecture) {
    const char *kernel = NULL;
    for (const char *line = ptx; *line; line += *line == '\n') {
        const size_t length = strcspn(line, "\n");
        static const char target[] = ".target sm_", entry[] = ".entry ";
        if (strncmp(line, target, strlen(target)) == 0) {
            const size_t digits = strspn(line + strlen(target), "0123456789a");
            const int rest = (int)(length - strlen(target) - digits);
            fprintf(to, ".target %s%.*s", architecture, rest, line + strlen(target) + digits);
        } else if (strncmp(line, ".version ", 9) == 0) {
            fputs(".version 8.7", to); /* the first one with all of the library's instructions */
        } else {
            const char *const name = strstr(line, entry);
            if (name && name < line + length) kernel = name + strlen(entry);
            if (kernel && *line == '{') {
                const unsigned long group = group_of(form, kernel, strcspn(kernel, "("));
                if (group > 0) fprintf(to, ".reqntid %lu, 1, 1\n", group);
                kernel = NULL;
            }
            fwrite(line, 1, length, to);
        }
        putc('\n', to);
        line += length;
    }
    print_metadata(to, ptx, form);
}

int pack_compile(const pack_work *w, bool *took) {
    size_t bytes;
    int status = write_text(w);
    if (status == EXIT_FINE) status = run_clang(w, took);
    if (status != EXIT_FINE || !*took) return status;
    char *const form = pack_read(w, "program.ll", &bytes);
    char *const ptx = pack_read(w, "clang.ptx", &bytes);
    FILE *const file = form && ptx ? pack_open(w, "program.ptx", "wb") : NULL;
    if (file) print_ptx(file, ptx, form, w->architecture);
    free(form);
    free(ptx);
    return pack_close_written(w, file);
}
