/* SPDX-License-Identifier: MIT */
#include "store/store.h"

#include "store/compress.h"
#include "store/store_files.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DEFAULT_BYTES = 256 << 20, MOST_DEVICES = 64 };

/* ---- Opening --------------------------------------------------------------------------------- */

/* A driver's binaries are for this very driver. Two versions of PoCL's compiler differ by the
 * platform's version alone. */
static void describe_target(const clprims_device_info *device, char target[CLP_TARGET_CHARS]) {
    char version[256] = "";
    clGetPlatformInfo(device->platform, CL_PLATFORM_VERSION, sizeof version - 1, version, NULL);
    snprintf(target, CLP_TARGET_CHARS, "%s, driver %s, %s, %s, %s", device->name, device->driver,
             device->version, device->platform_name, version);
}

/* A pack that can't be read is left out. */
static bool read_packs(clp_store *store, const clprims_context_options *options) {
    store->packs = calloc(options->program_pack_count + 1, sizeof *store->packs);
    if (store->packs == NULL) return false;
    for (size_t i = 0; i < options->program_pack_count; i++) {
        clp_pack *pack = &store->packs[store->pack_count];
        pack->owned = clp_file_read(CLP_NO_FOLDER, options->program_packs[i], &pack->bytes.count);
        pack->bytes.bytes = pack->owned;
        store->pack_count += pack->owned != NULL;
    }
    if (options->program_pack_bytes > 0) {
        store->packs[store->pack_count++].bytes =
            (clp_span){options->program_pack, options->program_pack_bytes};
    }
    return true;
}

bool clp_store_open(clp_store *store, const clprims_context_options *options, cl_context context,
                    const clprims_device_info *device, int capability) {
    *store = (clp_store){.context = context,
                         .device = device->id,
                         .folder = CLP_NO_FOLDER,
                         .most_bytes = options->program_store_bytes};
    if (store->most_bytes == 0) store->most_bytes = DEFAULT_BYTES;
    describe_target(device, store->target);
    if (capability > 0) {
        snprintf(store->architecture, sizeof store->architecture, "sm_%d", capability);
    }
    if (!read_packs(store, options)) return false;
    if (options->program_store != NULL) store->folder = clp_folder_open(options->program_store);
    return true;
}

bool clp_store_is_empty(const clp_store *store) {
    return store->folder == CLP_NO_FOLDER && store->pack_count == 0;
}

bool clp_store_is_made_ahead(const clp_store *store) {
    clp_entry entry;
    for (size_t i = 0; i < store->pack_count; i++) {
        clp_span rest = store->packs[i].bytes;
        while (clp_entry_next(&rest, &entry)) {
            const bool is_here =
                clp_entry_is_for(&entry, CLP_BODY_MACHINE_CODE, store->architecture);
            if (is_here && entry.header.is_of_text) return true;
        }
    }
    return false;
}

void clp_store_close(clp_store *store) {
    if (store->packs == NULL) return;
    for (size_t i = 0; i < store->pack_count; i++) free(store->packs[i].owned);
    free(store->packs);
    clp_folder_close(store->folder);
}

/* ---- Finding --------------------------------------------------------------------------------- */

/* Where its cache was removed after a program was built, PoCL gives a binary without the program's
 * own file or with an empty one, and ends the process that loads it. A file is its name, the number
 * of its bytes in 4 bytes, and these. */
static bool is_hollow(clp_span binary) {
    static const char magic[] = "poclbin", file[] = "/program.bc";
    const size_t name = strlen(file);
    const char *bytes = binary.bytes;
    if (binary.count < sizeof magic || memcmp(bytes, magic, strlen(magic)) != 0) return false;
    for (size_t i = 0; i + name + sizeof(uint32_t) <= binary.count; i++) {
        if (memcmp(bytes + i, file, name) != 0) continue;
        return memcmp(bytes + i + name, "\0\0\0\0", sizeof(uint32_t)) == 0;
    }
    return true;
}

/* Returns NULL where the driver refuses the binary, which it may do at either call. */
static cl_program load(const clp_store *store, const char *options, clp_span body) {
    const unsigned char *bytes = body.bytes;
    cl_int of_device = CL_SUCCESS, code = CL_SUCCESS;
    if (is_hollow(body)) return NULL;
    cl_program program = clCreateProgramWithBinary(store->context, 1, &store->device, &body.count,
                                                   &bytes, &of_device, &code);
    if (program == NULL) return NULL;
    if (code == CL_SUCCESS) code = of_device;
    if (code == CL_SUCCESS) code = clBuildProgram(program, 1, &store->device, options, NULL, NULL);
    if (code == CL_SUCCESS) return program;
    clReleaseProgram(program);
    return NULL;
}

static cl_program load_entry(const clp_store *store, const char *options, const clp_entry *entry) {
    enum { MOST_RATIO = 255 };
    const uint64_t count = entry->header.full_bytes;
    if (count == entry->body.count) return load(store, options, entry->body);
    uint8_t *code = count / MOST_RATIO <= entry->body.count ? malloc((size_t)count) : NULL;
    const bool is_right = code != NULL && clp_decompress(entry->body, code, (size_t)count);
    cl_program program = is_right ? load(store, options, (clp_span){code, (size_t)count}) : NULL;
    free(code);
    return program;
}

/* Loads the first entry of the program, of that kind, that the driver takes. */
static cl_program load_from(const clp_store *store, const char *options, clp_span pack,
                            const clp_digest *digest, uint32_t kind) {
    const char *target = kind == CLP_BODY_OF_DRIVER ? store->target : store->architecture;
    clp_entry entry;
    while (clp_entry_next(&pack, &entry)) {
        if (!clp_entry_is(&entry, digest, kind, target)) continue;
        cl_program program = load_entry(store, options, &entry);
        if (program != NULL) return program;
    }
    return NULL;
}

enum { NAME_CHARS = CLP_STORE_NAME_DIGITS + sizeof CLP_STORE_NAME_END };

static void name_file(const clp_store *store, const clp_digest *digest, char name[NAME_CHARS]) {
    const clp_digest of_entry = clp_entry_name(digest, store->target);
    clp_digest_print(&of_entry, name);
    memcpy(name + CLP_STORE_NAME_DIGITS, CLP_STORE_NAME_END, sizeof CLP_STORE_NAME_END);
}

static cl_program load_from_folder(const clp_store *store, const char *options,
                                   const clp_digest *digest) {
    char name[NAME_CHARS];
    size_t bytes;
    name_file(store, digest, name);
    void *file = clp_file_read(store->folder, name, &bytes);
    if (file == NULL) return NULL;
    cl_program program =
        load_from(store, options, (clp_span){file, bytes}, digest, CLP_BODY_OF_DRIVER);
    free(file);
    return program;
}

static cl_program load_from_packs(const clp_store *store, const char *options,
                                  const clp_digest *digest, uint32_t kind) {
    cl_program program = NULL;
    for (size_t i = 0; i < store->pack_count && program == NULL; i++) {
        program = load_from(store, options, store->packs[i].bytes, digest, kind);
    }
    return program;
}

cl_program clp_store_find(const clp_store *store, const char *options, clp_span key,
                          clp_origin *origin) {
    *origin = CLP_FROM_SOURCE;
    if (clp_store_is_empty(store)) return NULL;
    const clp_digest digest = clp_digest_of(&key, 1);
    cl_program program = load_from_packs(store, options, &digest, CLP_BODY_MACHINE_CODE);
    if (program != NULL) {
        *origin = CLP_FROM_ASSEMBLER;
        return program;
    }
    program = load_from_packs(store, options, &digest, CLP_BODY_OF_DRIVER);
    if (program == NULL && store->folder != CLP_NO_FOLDER) {
        program = load_from_folder(store, options, &digest);
    }
    if (program != NULL) *origin = CLP_FROM_DRIVER;
    return program;
}

/* ---- Keeping --------------------------------------------------------------------------------- */

/* Where a program's binary for the store's device stands among the binaries of its devices. */
typedef struct place {
    size_t number, count;
} place;

static cl_int find_place(const clp_store *store, cl_program program, place *p) {
    cl_device_id devices[MOST_DEVICES];
    size_t bytes = 0;
    const cl_int code =
        clGetProgramInfo(program, CL_PROGRAM_DEVICES, sizeof devices, devices, &bytes);
    if (code != CL_SUCCESS) return code;
    p->count = bytes / sizeof devices[0];
    for (p->number = 0; p->number < p->count; p->number++) {
        if (devices[p->number] == store->device) return CL_SUCCESS;
    }
    return CL_INVALID_BINARY;
}

/* Sets *binary, which the caller frees, to the driver's for the device of the store. */
static cl_int get_binary(const clp_store *store, cl_program program, void **binary, size_t *bytes) {
    size_t sizes[MOST_DEVICES] = {0};
    unsigned char *binaries[MOST_DEVICES] = {NULL}; /* the driver leaves out devices without */
    place p;
    cl_int code = find_place(store, program, &p);
    if (code == CL_SUCCESS) {
        code = clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, p.count * sizeof sizes[0], sizes,
                                NULL);
    }
    if (code == CL_SUCCESS && sizes[p.number] == 0) code = CL_INVALID_BINARY;
    if (code != CL_SUCCESS) return code;
    *bytes = sizes[p.number];
    *binary = binaries[p.number] = malloc(*bytes);
    if (*binary == NULL) return CL_SUCCESS;
    return clGetProgramInfo(program, CL_PROGRAM_BINARIES, p.count * sizeof binaries[0], binaries,
                            NULL);
}

cl_int clp_store_entry(const clp_store *store, clp_span key, cl_program program, void **out,
                       size_t *bytes) {
    const char *text = key.bytes, *target = program != NULL ? store->target : store->architecture;
    const size_t options = strcspn(text, "\n");
    void *binary = NULL;
    clp_entry entry = {.header = {.kind = program != NULL ? CLP_BODY_OF_DRIVER : CLP_BODY_SOURCE,
                                  .program = clp_digest_of(&key, 1)},
                       .target = {target, strlen(target)},
                       .options = {text, options},
                       .body = {text + options + 1, key.count - options - 1}};
    cl_int code = CL_SUCCESS;
    *out = NULL;
    if (program != NULL) {
        code = get_binary(store, program, &binary, &entry.body.count);
        entry.body.bytes = binary;
        if (code == CL_SUCCESS && binary != NULL && is_hollow(entry.body)) code = CL_INVALID_BINARY;
    }
    entry.header.full_bytes = entry.body.count;
    if (code == CL_SUCCESS && entry.body.bytes != NULL) {
        *bytes = clp_entry_size(&entry);
        *out = malloc(*bytes);
        if (*out != NULL) clp_entry_write(&entry, *out);
    }
    free(binary);
    return code;
}

void clp_store_keep(const clp_store *store, clp_span key, cl_program program) {
    char name[NAME_CHARS];
    void *entry;
    size_t bytes;
    if (store->folder == CLP_NO_FOLDER) return;
    (void)clp_store_entry(store, key, program, &entry, &bytes);
    if (entry == NULL) return;
    const clp_digest digest = clp_digest_of(&key, 1);
    name_file(store, &digest, name);
    if (bytes <= store->most_bytes && clp_file_write(store->folder, name, entry, bytes)) {
        clp_folder_trim(store->folder, store->most_bytes);
    }
    free(entry);
}
