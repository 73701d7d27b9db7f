/* SPDX-License-Identifier: MIT */
/* Expectations of the harness: each prints what it knows, then leaves the case. */
#include "harness/oracle.h"

void test_fail_at(const char *file, int line, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vprint_error(format, arguments);
    va_end(arguments);
    print_error("\n");
    _fail(file, line);
}

static bool has_extension(const char *name) {
    char extensions[8192] = "";
    expect_cl(clGetDeviceInfo(test_info().device_id, CL_DEVICE_EXTENSIONS, sizeof extensions,
                              extensions, NULL));
    return strstr(extensions, name) != NULL;
}

/* A case that forces what the device truly lacks, and is refused for that, is skipped. */
static void skip_if_lacking(const clprims_error *error) {
    static const struct {
        const char *message, *extension, *reason;
    } lacks[] = {{"needs 64-bit atomics", "cl_khr_int64_base_atomics", "no 64-bit atomics"},
                 {"need float64", "cl_khr_fp64", "no float64"},
                 {"has no float64", "cl_khr_fp64", "no float64"}};
    for (size_t i = 0; i < sizeof lacks / sizeof lacks[0]; i++) {
        if (strstr(error->message, lacks[i].message) != NULL && !has_extension(lacks[i].extension))
            test_skip("%s on this device", lacks[i].reason);
    }
    /* PoCL from 5.0 on makes a sub-group of a row of work-items, whatever its width. */
    const bool is_pocl =
        strcmp(test_info().device.platform_name, "Portable Computing Language") == 0;
    if (is_pocl && strstr(error->message, "gives a kernel sub-groups of") != NULL)
        test_skip("%s", error->message);
}

void test_spoil_record(void) {
    if (clprims_device_count(NULL) != CLPRIMS_ERR_ARGUMENT) test_fail("a count is NULL");
}

void test_expect_ok(clprims_status actual, const char *call, const char *file, int line) {
    const clprims_error *error = clprims_last_error();
    if (actual == CLPRIMS_ERR_UNSUPPORTED) skip_if_lacking(error);
    if (actual != CLPRIMS_OK)
        test_fail_at(file, line, "%s\n  gave %s: %s (cl code %d)\n%s", call,
                     clprims_status_name(actual), error->message, (int)error->cl_code,
                     error->build_log);
    if (error->status != CLPRIMS_OK || error->message[0] != '\0' || error->cl_code != CL_SUCCESS ||
        error->build_log[0] != '\0')
        test_fail_at(file, line, "%s\n  succeeded and left %s: %s in the record", call,
                     clprims_status_name(error->status), error->message);
}

void test_expect_failure(clprims_status actual, clprims_status expected, const char *part,
                         const char *call, const char *file, int line) {
    const clprims_error *error = clprims_last_error();
    if (actual == CLPRIMS_ERR_UNSUPPORTED && actual != expected) skip_if_lacking(error);
    if (actual != expected)
        test_fail_at(file, line, "%s\n  gave %s: %s\n  expected %s with '%s'", call,
                     clprims_status_name(actual), error->message, clprims_status_name(expected),
                     part);
    if (error->status != actual)
        test_fail_at(file, line, "%s\n  returned %s but recorded %s", call,
                     clprims_status_name(actual), clprims_status_name(error->status));
    if (strstr(error->message, part) == NULL || error->message[0] == '\0')
        test_fail_at(file, line, "%s\n  says '%s'\n  which lacks '%s'", call, error->message, part);
}

void test_expect_cl(cl_int code, const char *call, const char *file, int line) {
    if (code != CL_SUCCESS)
        test_fail_at(file, line, "%s\n  gave the OpenCL code %d", call, (int)code);
}

void test_expect_contains(const char *text, const char *part, const char *what, const char *file,
                          int line) {
    if (text == NULL || strstr(text, part) == NULL)
        test_fail_at(file, line, "%s is '%s'\n  which lacks '%s'", what,
                     text == NULL ? "NULL" : text, part);
}

static void format_value(char *text, size_t text_bytes, clprims_type type, const void *values,
                         size_t i) {
    if (type == CLPRIMS_F32 || type == CLPRIMS_F64) {
        const int digits = type == CLPRIMS_F32 ? 9 : 17;
        snprintf(text, text_bytes, "%.*Lg", digits, oracle_load_float(type, values, i));
    } else {
        const uint64_t bits = oracle_load_integer(type, values, i);
        snprintf(text, text_bytes, type <= CLPRIMS_I64 ? "%lld" : "%llu", (long long)bits);
    }
}

/* The first element that differs, n if none does. */
static size_t first_difference(const void *a, const void *b, size_t n, size_t element_bytes) {
    if (n == 0 || memcmp(a, b, n * element_bytes) == 0) return n;
    size_t i = 0;
    while (memcmp((const char *)a + i * element_bytes, (const char *)b + i * element_bytes,
                  element_bytes) == 0)
        i++;
    return i;
}

void test_expect_values(clprims_type type, const void *expected, const void *actual, size_t n,
                        const char *file, int line) {
    const size_t i = first_difference(expected, actual, n, clprims_type_bytes(type));
    if (i == n) return;
    char want[64];
    char have[64];
    format_value(want, sizeof want, type, expected, i);
    format_value(have, sizeof have, type, actual, i);
    test_fail_at(file, line, "element %zu of %zu is %s, expected %s", i, n, have, want);
}

void test_expect_elements(const void *expected, const void *actual, size_t n, size_t element_bytes,
                          const char *file, int line) {
    const size_t i = first_difference(expected, actual, n, element_bytes);
    if (i == n) return;
    char text[2][3 * 32 + 1] = {"", ""};
    for (size_t k = 0; k < element_bytes && k < 32; k++) {
        const size_t at = i * element_bytes + k;
        snprintf(text[0] + 3 * k, 4, " %02x", ((const unsigned char *)expected)[at]);
        snprintf(text[1] + 3 * k, 4, " %02x", ((const unsigned char *)actual)[at]);
    }
    test_fail_at(file, line, "element %zu of %zu is%s, expected%s", i, n, text[1], text[0]);
}

/* ---- Contexts -------------------------------------------------------------------------------- */

void expect_usable(clprims_context *context) {
    enum { N = 1000 };
    uint32_t in[N];
    uint32_t out[N];
    for (uint32_t i = 0; i < N; i++) in[i] = 3 * i + 1;
    clprims_scan_desc desc = {.type = CLPRIMS_U32, .max_n = N};
    clprims_scan *scan = NULL;
    expect_ok(clprims_scan_create(&scan, context, &desc));
    expect_ok(clprims_scan_run(scan, &(clprims_scan_arrays){.in = in, .out = out}, N));
    uint32_t sum = 0;
    for (size_t i = 0; i < N; i++) {
        assert_int_equal(out[i], sum);
        sum += in[i];
    }
    clprims_scan_destroy(scan);
}

void test_needs_types(clprims_type type, clprims_type accumulator) {
    if (type != CLPRIMS_F64 && accumulator != CLPRIMS_F64) return;
    if (!has_extension("cl_khr_fp64")) test_skip("no float64 on this device");
}

bool test_bears_group(const char *tuning) {
    const clprims_device_info device = test_info().device;
    return tuning == NULL || strstr(tuning, "GROUP=") == NULL ||
           strstr(tuning, "GROUP=1 ") != NULL || strcmp(device.platform_name, "rusticl") != 0 ||
           strncmp(device.driver, "25.0", 4) != 0;
}

void test_want_group(const char *tuning) {
    if (!test_bears_group(tuning))
        test_skip("Mesa %s miscompiles work-groups of several items, or ends while it compiles",
                  test_info().device.driver);
}

static bool ends_loops(void) {
    const clprims_device_info device = test_info().device;
    return strcmp(device.platform_name, "rusticl") == 0 && strncmp(device.driver, "22.3", 4) == 0;
}

void test_want_iterations(size_t most) {
    if (most > 65535 && ends_loops())
        test_skip("Mesa %s ends the loops of a work-item after 65535 iterations, this has %zu",
                  test_info().device.driver, most);
}

void test_want_groups_of_one(void) {
    if (ends_loops())
        test_skip("Mesa %s loops on for lanes without a work-item, and then ends all loops",
                  test_info().device.driver);
}

/* Mesa 22.3 has no clCreateSubDevices, and ends the process. */
cl_device_id test_sub_device(void) {
    const cl_device_partition_property one[] = {CL_DEVICE_PARTITION_BY_COUNTS, 1,
                                                CL_DEVICE_PARTITION_BY_COUNTS_LIST_END, 0};
    const cl_device_id whole = test_info().device_id;
    cl_device_id part = NULL;
    cl_uint most = 0;
    expect_cl(
        clGetDeviceInfo(whole, CL_DEVICE_PARTITION_MAX_SUB_DEVICES, sizeof most, &most, NULL));
    if (most == 0 || clCreateSubDevices(whole, one, 1, &part, NULL) != CL_SUCCESS)
        test_skip("the device has no sub-devices");
    return part;
}

bool test_has_images(void) {
    cl_bool has_images = CL_FALSE;
    expect_cl(clGetDeviceInfo(test_info().device_id, CL_DEVICE_IMAGE_SUPPORT, sizeof has_images,
                              &has_images, NULL));
    return has_images != CL_FALSE;
}

cl_mem test_foreign_buffer_create(void) {
    cl_int code;
    const cl_device_id device = test_info().device_id;
    const cl_context other = clCreateContext(NULL, 1, &device, NULL, NULL, &code);
    expect_cl(code);
    cl_mem mem = clCreateBuffer(other, CL_MEM_READ_WRITE, 64, NULL, &code);
    expect_cl(code);
    expect_cl(clReleaseContext(other));
    test_leave(test_release_mem, mem);
    return mem;
}

cl_mem test_image_create(void) {
    const clprims_context_info info = test_info();
    const cl_image_format format = {CL_R, CL_UNSIGNED_INT32};
    const cl_image_desc desc = {
        .image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 64, .image_height = 64};
    cl_int code = CL_SUCCESS;
    if (!test_has_images()) test_skip("%s has no images", info.device.name);
    cl_mem image = clCreateImage(info.context, CL_MEM_READ_WRITE, &format, &desc, NULL, &code);
    expect_cl(code);
    test_leave(test_release_mem, image);
    return image;
}

clprims_context_info expect_context(const clprims_context_options *options) {
    clprims_context *context = NULL;
    clprims_context_info info = {0};
    expect_ok(clprims_context_create(&context, options));
    expect_ok(clprims_context_describe(context, &info));
    assert_true(info.layer >= CLPRIMS_LAYER_NVIDIA && info.layer <= CLPRIMS_LAYER_LOCAL);
    assert_true(info.subgroup_width >= 1);
    assert_true(info.reason[0] != '\0');
    expect_usable(context);
    clprims_context_destroy(context);
    return info;
}

void expect_no_context(const clprims_context_options *options, clprims_status status,
                       const char *part) {
    clprims_context *context = (clprims_context *)&options;
    expect_failure(clprims_context_create(&context, options), status, part);
    assert_null(context);
}
