/* SPDX-License-Identifier: MIT */
/*
 * driver_ptx FOLDER [OPTION]: has NVIDIA's driver build each program FOLDER/NAME.cl, as
 * print_programs left it, and leaves the driver's PTX in FOLDER/NAME.ptx and its name in
 * FOLDER/driver. What has its PTX there is not built again. OPTION is added to those of each build
 * (-cl-nv-arch sm_80). It needs a GPU of NVIDIA's; `assemble test` assembles the PTX for any other,
 * if the kernels are for that one.
 */
#include <clprims/clprims.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void must(int right, const char *what, const char *name) {
    if (right) return;
    fprintf(stderr, "driver_ptx: %s: %s\n", what, name);
    exit(EXIT_FAILURE);
}

static char *read_whole(const char *path) {
    FILE *file = fopen(path, "rb");
    must(file != NULL && fseek(file, 0, SEEK_END) == 0, "can't read", path);
    const long bytes = ftell(file);
    char *text = calloc((size_t)bytes + 1, 1);
    must(text != NULL && fseek(file, 0, SEEK_SET) == 0, "can't read", path);
    must(fread(text, 1, (size_t)bytes, file) == (size_t)bytes, "can't read", path);
    fclose(file);
    return text;
}

static void write_whole(const char *path, const void *text, size_t bytes) {
    FILE *file = fopen(path, "wb");
    must(file != NULL && fwrite(text, 1, bytes, file) == bytes && fclose(file) == 0, "can't write",
         path);
}

/* The options of the build, from the comment behind the program. */
static void find_options(const char *text, const char *path, char options[256]) {
    const char *at = strstr(text, "/* options: ");
    must(at != NULL && sscanf(at, "/* options: %255[^*]", options) == 1, "no options in", path);
}

/* The driver's binaries are PTX. */
static void build(const clprims_context_info *info, const char *own, const char *from,
                  const char *to) {
    char options[256], all[512];
    size_t bytes = 0;
    cl_int code;
    char *text = read_whole(from);
    const char *texts = text;
    find_options(text, from, options);
    snprintf(all, sizeof all, "%s %s", options, own);
    cl_program program = clCreateProgramWithSource(info->context, 1, &texts, NULL, &code);
    must(code == CL_SUCCESS, "no program of", from);
    must(clBuildProgram(program, 1, &info->device_id, all, NULL, NULL) == CL_SUCCESS,
         "the driver refuses", from);
    must(clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof bytes, &bytes, NULL) ==
             CL_SUCCESS,
         "no binary of", from);
    unsigned char *binary = calloc(bytes + 1, 1);
    must(binary != NULL && clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof binary, &binary,
                                            NULL) == CL_SUCCESS,
         "no binary of", from);
    must(strstr((const char *)binary, ".entry") != NULL, "not PTX: the binary of", from);
    write_whole(to, binary, strlen((const char *)binary));
    clReleaseProgram(program);
    free(binary);
    free(text);
}

int main(int argc, char **argv) {
    clprims_context_info info = {0};
    clprims_context *context = NULL;
    char from[1024], to[1024], name[256];
    size_t count = 0;
    must(argc == 2 || argc == 3, "usage", "driver_ptx FOLDER [OPTION]");
    must(clprims_context_create(&context, NULL) == CLPRIMS_OK &&
             clprims_context_describe(context, &info) == CLPRIMS_OK,
         "no device", clprims_last_error()->message);
    must(info.layer == CLPRIMS_LAYER_NVIDIA, "not NVIDIA's", info.device.name);
    DIR *folder = opendir(argv[1]);
    must(folder != NULL, "can't read", argv[1]);
    for (const struct dirent *entry = readdir(folder); entry != NULL; entry = readdir(folder)) {
        const size_t length = strlen(entry->d_name);
        if (length < 4 || strcmp(entry->d_name + length - 3, ".cl") != 0) continue;
        const int stem = (int)length - 3;
        snprintf(from, sizeof from, "%s/%s", argv[1], entry->d_name);
        snprintf(to, sizeof to, "%s/%.*s.ptx", argv[1], stem, entry->d_name);
        if (access(to, F_OK) == 0) continue;
        build(&info, argc == 3 ? argv[2] : "", from, to);
        count++;
    }
    closedir(folder);
    snprintf(to, sizeof to, "%s/driver", argv[1]);
    snprintf(name, sizeof name, "NVIDIA's driver %s\n", info.device.driver);
    write_whole(to, name, strlen(name));
    printf("%zu programs\n", count);
    clprims_context_destroy(context);
    return 0;
}
