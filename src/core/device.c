/* SPDX-License-Identifier: MIT */
/* What OpenCL devices there are, what each can do, and which one a caller means. */
#include "core/device.h"
#include "core/check.h"
#include "core/status.h"
#include "store/lock.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* From cl_nv_device_attribute_query. */
enum { COMPUTE_CAPABILITY_MAJOR_NV = 0x4000, COMPUTE_CAPABILITY_MINOR_NV = 0x4001 };

/* CL_DEVICE_MAX_NUM_SUB_GROUPS of OpenCL 2.1; older drivers refuse the question. */
enum { MAX_NUM_SUB_GROUPS = 0x105C };

/* ---- Properties ------------------------------------------------------------------------------ */

static clprims_status property(cl_device_id id, cl_device_info key, void *value, size_t bytes) {
    const cl_int code = clGetDeviceInfo(id, key, bytes, value, NULL);
    if (code != CL_SUCCESS) return clp_fail_cl(code, "device: asking property 0x%x failed", key);
    return CLPRIMS_OK;
}

/* A text property, cut to fit; leaves "" when the driver does not answer. */
static void text_property(cl_device_id id, cl_device_info key, char *text, size_t bytes) {
    char whole[1024] = "";
    if (clGetDeviceInfo(id, key, sizeof whole, whole, NULL) != CL_SUCCESS) whole[0] = '\0';
    const char *start = whole;
    while (clp_is_space(*start)) start++;
    snprintf(text, bytes, "%.*s", (int)bytes - 1, start);
}

static clprims_status describe(cl_device_id id, clprims_device_info *info) {
    *info = (clprims_device_info){0};
    info->id = id;
    CLP_TRY(property(id, CL_DEVICE_PLATFORM, &info->platform, sizeof info->platform));
    CLP_TRY(property(id, CL_DEVICE_TYPE, &info->type, sizeof info->type));
    CLP_TRY(property(id, CL_DEVICE_MAX_COMPUTE_UNITS, &info->compute_units,
                     sizeof info->compute_units));
    CLP_TRY(
        property(id, CL_DEVICE_GLOBAL_MEM_SIZE, &info->memory_bytes, sizeof info->memory_bytes));
    CLP_TRY(property(id, CL_DEVICE_MAX_MEM_ALLOC_SIZE, &info->max_alloc_bytes,
                     sizeof info->max_alloc_bytes));
    text_property(id, CL_DEVICE_NAME, info->name, sizeof info->name);
    text_property(id, CL_DEVICE_VENDOR, info->vendor, sizeof info->vendor);
    text_property(id, CL_DEVICE_VERSION, info->version, sizeof info->version);
    text_property(id, CL_DRIVER_VERSION, info->driver, sizeof info->driver);
    if (clGetPlatformInfo(info->platform, CL_PLATFORM_NAME, sizeof info->platform_name,
                          info->platform_name, NULL) != CL_SUCCESS) {
        info->platform_name[0] = '\0';
    }
    return CLPRIMS_OK;
}

static clprims_status extensions(cl_device_id id, char **list) {
    size_t bytes = 0;
    cl_int code = clGetDeviceInfo(id, CL_DEVICE_EXTENSIONS, 0, NULL, &bytes);
    if (code != CL_SUCCESS) return clp_fail_cl(code, "device: asking for extensions failed");
    *list = calloc(bytes + 1, 1);
    CLP_FAIL_IF(*list == NULL, CLPRIMS_ERR_HOST_MEMORY, "device: no host memory for %zu bytes",
                bytes);
    code = clGetDeviceInfo(id, CL_DEVICE_EXTENSIONS, bytes, *list, NULL);
    if (code != CL_SUCCESS) {
        free(*list);
        return clp_fail_cl(code, "device: asking for extensions failed");
    }
    return CLPRIMS_OK;
}

static bool has_word(const char *list, const char *word) {
    const size_t length = strlen(word);
    for (const char *at = strstr(list, word); at != NULL; at = strstr(at + 1, word)) {
        const bool starts = at == list || at[-1] == ' ';
        if (starts && (at[length] == ' ' || at[length] == '\0')) return true;
    }
    return false;
}

static clprims_status extension_facts(clp_device *device) {
    char *list = NULL;
    CLP_TRY(extensions(device->info.id, &list));
    device->has_float64 = has_word(list, "cl_khr_fp64");
    device->has_int64_atomics = has_word(list, "cl_khr_int64_base_atomics");
    device->has_int64_extended_atomics = has_word(list, "cl_khr_int64_extended_atomics");
    cl_uint most_subgroups = 0;
    clGetDeviceInfo(device->info.id, MAX_NUM_SUB_GROUPS, sizeof most_subgroups, &most_subgroups,
                    NULL);
    device->shuffles = has_word(list, "cl_khr_subgroup_shuffle")    ? 1
                       : has_word(list, "cl_intel_subgroups")       ? 2
                       : has_word(list, "cl_qcom_subgroup_shuffle") ? 3
                                                                    : 0;
    device->has_subgroups = most_subgroups > 0 && device->shuffles != 0;
    device->has_ballots = has_word(list, "cl_khr_subgroup_ballot");
    device->asks_width = has_word(list, "cl_intel_required_subgroup_size") ? 1
                         : has_word(list, "cl_qcom_reqd_sub_group_size")   ? 2
                                                                           : 0;
    device->is_nvidia = has_word(list, "cl_nv_device_attribute_query");
    free(list);
    return CLPRIMS_OK;
}

clprims_status clp_device_inspect(cl_device_id id, clp_device *device) {
    *device = (clp_device){.max_group = 0};
    cl_ulong local_bytes = 0, cache_bytes = 0;
    CLP_TRY(describe(id, &device->info));
    CLP_TRY(
        property(id, CL_DEVICE_MAX_WORK_GROUP_SIZE, &device->max_group, sizeof device->max_group));
    CLP_TRY(property(id, CL_DEVICE_LOCAL_MEM_SIZE, &local_bytes, sizeof local_bytes));
    CLP_TRY(property(id, CL_DEVICE_GLOBAL_MEM_CACHE_SIZE, &cache_bytes, sizeof cache_bytes));
    device->local_bytes = device->static_local_bytes = (size_t)local_bytes;
    device->cache_bytes = (size_t)cache_bytes;
    device->is_cpu = (device->info.type & CL_DEVICE_TYPE_CPU) != 0;
    CLP_TRY(extension_facts(device));
    if (device->is_nvidia) {
        cl_uint major = 0, minor = 0;
        CLP_TRY(property(id, COMPUTE_CAPABILITY_MAJOR_NV, &major, sizeof major));
        CLP_TRY(property(id, COMPUTE_CAPABILITY_MINOR_NV, &minor, sizeof minor));
        device->compute_capability = (int)(10 * major + minor);
    }
    return CLPRIMS_OK;
}

/* ---- A device that is not there -------------------------------------------------------------- */

/* Programs follow from the architecture alone. The sizes are a large GPU's, so that no plan is
 * refused for its max_n. */
clprims_status clp_device_describe_offline(const char *architecture, clp_device *device) {
    enum { OLDEST = 70 };
    const clprims_device_info was = device->info;
    const char *digits = strncmp(architecture, "sm_", 3) == 0 ? architecture + 3 : "";
    const size_t count = strspn(digits, "0123456789");
    const int capability = count == 2 || count == 3 ? atoi(digits) : 0;
    CLP_FAIL_IF(capability < OLDEST || strcmp(digits + count, digits[count] == 'a' ? "a" : "") != 0,
                CLPRIMS_ERR_ARGUMENT,
                "context: offline_architecture = \"%s\"; give one of NVIDIA's from sm_%d on, "
                "as ptxas names it: sm_86, sm_90a",
                architecture, OLDEST);
    *device = (clp_device){.info = {.id = was.id,
                                    .platform = was.platform,
                                    .type = CL_DEVICE_TYPE_GPU,
                                    .compute_units = 128,
                                    .memory_bytes = 192ull << 30,
                                    .max_alloc_bytes = 48ull << 30},
                           .max_group = 1024,
                           .local_bytes = 48 << 10,
                           .static_local_bytes = 48 << 10,
                           .cache_bytes = 4 << 20,
                           .has_float64 = true,
                           .has_int64_atomics = true,
                           .has_int64_extended_atomics = true,
                           .is_nvidia = true,
                           .compute_capability = capability,
                           .is_offline = true};
    clprims_device_info *info = &device->info;
    snprintf(info->name, sizeof info->name, "NVIDIA sm_%d", capability);
    snprintf(info->vendor, sizeof info->vendor, "NVIDIA Corporation");
    snprintf(info->platform_name, sizeof info->platform_name, "NVIDIA CUDA");
    snprintf(info->version, sizeof info->version, "OpenCL 3.0 CUDA");
    snprintf(info->driver, sizeof info->driver, "offline");
    return CLPRIMS_OK;
}

/* ---- All devices ----------------------------------------------------------------------------- */

typedef struct device_list {
    cl_device_id *ids;
    size_t count;
} device_list;

static clprims_status add_platform(device_list *list, cl_platform_id platform) {
    cl_uint count = 0;
    cl_int code = clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 0, NULL, &count);
    if (code == CL_DEVICE_NOT_FOUND || (code == CL_SUCCESS && count == 0)) return CLPRIMS_OK;
    if (code != CL_SUCCESS) return clp_fail_cl(code, "device: listing devices failed");
    cl_device_id *ids = realloc(list->ids, (list->count + count) * sizeof *ids);
    CLP_FAIL_IF(ids == NULL, CLPRIMS_ERR_HOST_MEMORY, "device: no host memory for %zu device names",
                list->count + count);
    list->ids = ids;
    code = clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, count, ids + list->count, NULL);
    if (code != CL_SUCCESS) return clp_fail_cl(code, "device: listing devices failed");
    list->count += count;
    return CLPRIMS_OK;
}

/* The devices of all platforms that answer; the caller frees list->ids whatever the status. */
static clprims_status list_devices(device_list *list) {
    clprims_status status = CLPRIMS_OK;
    enum { MOST_PLATFORMS = 64 };
    cl_platform_id platforms[MOST_PLATFORMS];
    cl_uint count = 0;
    *list = (device_list){NULL, 0};
    const cl_int code = clGetPlatformIDs(MOST_PLATFORMS, platforms, &count);
    const bool none = code == -1001 /* CL_PLATFORM_NOT_FOUND_KHR */;
    CLP_FAIL_IF(none || (code == CL_SUCCESS && count == 0), CLPRIMS_ERR_NO_DEVICE,
                "device: no OpenCL platform is installed; install a driver, or PoCL to "
                "run on the CPU");
    if (code != CL_SUCCESS) return clp_fail_cl(code, "device: listing platforms failed");
    if (count > MOST_PLATFORMS) count = MOST_PLATFORMS;
    for (cl_uint i = 0; i < count; i++) {
        const clprims_status one = add_platform(list, platforms[i]);
        if (one == CLPRIMS_ERR_HOST_MEMORY) return one;
        if (one != CLPRIMS_OK) status = one;
    }
    CLP_FAIL_IF(list->count == 0 && status == CLPRIMS_OK, CLPRIMS_ERR_NO_DEVICE,
                "device: none of %u OpenCL platforms has a device; PoCL has none unless it "
                "can write its cache: POCL_CACHE_DIR or HOME must name a writable folder",
                count);
    if (list->count == 0) return status;
    clp_clear_error();
    return CLPRIMS_OK;
}

clprims_status clprims_device_count(size_t *count) {
    CLP_TRY(clp_begin("device_count", "count", count));
    device_list list;
    clp_lock_drivers();
    const clprims_status status = list_devices(&list);
    clp_unlock_drivers();
    *count = status == CLPRIMS_OK ? list.count : 0;
    free(list.ids);
    return status;
}

clprims_status clprims_device_describe_sized(size_t number, clprims_device_info *info,
                                             size_t info_bytes) {
    CLP_TRY(clp_begin("device_describe", "info", info));
    clprims_device_info full = {0};
    CLP_TRY(clp_give("device_describe", "info", &full, sizeof full, info, info_bytes));
    device_list list;
    clp_lock_drivers();
    clprims_status status = list_devices(&list);
    if (status == CLPRIMS_OK && number >= list.count) {
        status =
            clp_fail(CLPRIMS_ERR_NO_DEVICE, "device: number %zu is not there; the last one is %zu",
                     number, list.count - 1);
    }
    if (status == CLPRIMS_OK) status = describe(list.ids[number], &full);
    clp_unlock_drivers();
    free(list.ids);
    if (status != CLPRIMS_OK) return status;
    return clp_give("device_describe", "info", &full, sizeof full, info, info_bytes);
}

/* ---- Choosing -------------------------------------------------------------------------------- */

/* Whether text is a whole number; if so it is stored. */
static bool whole_number(const char *text, size_t *number) {
    char *end;
    if (!clp_is_digit(text[0])) return false;
    const unsigned long long value = strtoull(text, &end, 10);
    *number = (size_t)value;
    return *end == '\0';
}

static clprims_status no_such_device(const device_list *list, const char *wanted) {
    char names[512] = "";
    for (size_t i = 0; i < list->count; i++) {
        clprims_device_info info;
        if (describe(list->ids[i], &info) != CLPRIMS_OK) {
            snprintf(info.name, sizeof info.name, "(no answer)");
        }
        const size_t used = strlen(names);
        snprintf(names + used, sizeof names - used, "%s%zu \"%s\" of \"%s\"", i ? ", " : "", i,
                 info.name, info.platform_name);
    }
    return clp_fail(CLPRIMS_ERR_NO_DEVICE, "device: none is named \"%s\"; there is %s", wanted,
                    names);
}

/* A list whose devices are described, and the status of one that does not answer. */
typedef struct asked_list {
    const device_list *list;
    clprims_status silent;
} asked_list;

static bool describe_listed(void *from, size_t number, clprims_device_info *info) {
    asked_list *asked = from;
    const clprims_status status = describe(asked->list->ids[number], info);
    if (status != CLPRIMS_OK) asked->silent = status;
    return status == CLPRIMS_OK;
}

/* A device that does not answer may be the one that is wanted, but only if no other is. */
static clprims_status find_named(const device_list *list, const char *wanted, cl_device_id *id) {
    size_t number;
    asked_list asked = {list, CLPRIMS_OK};
    const clp_devices devices = {list->count, describe_listed, &asked};
    if (whole_number(wanted, &number)) {
        if (number >= list->count) return no_such_device(list, wanted);
    } else if (!clp_device_choose(&devices, wanted, 0, &number)) {
        return asked.silent != CLPRIMS_OK ? asked.silent : no_such_device(list, wanted);
    }
    *id = list->ids[number];
    clp_clear_error();
    return CLPRIMS_OK;
}

/* A GPU beats an accelerator beats a CPU; then memory decides. Negative: not usable, which is what
 * a device is whose driver does not answer. */
static double goodness(cl_device_id id) {
    clprims_device_info info;
    cl_bool available = CL_FALSE, compiler = CL_FALSE;
    if (describe(id, &info) != CLPRIMS_OK ||
        property(id, CL_DEVICE_AVAILABLE, &available, sizeof available) != CLPRIMS_OK ||
        property(id, CL_DEVICE_COMPILER_AVAILABLE, &compiler, sizeof compiler) != CLPRIMS_OK) {
        clp_clear_error();
    }
    double kind = 0.0;
    if (info.type & CL_DEVICE_TYPE_ACCELERATOR) kind = 1.0;
    if (info.type & CL_DEVICE_TYPE_GPU) kind = 2.0;
    const bool usable = available && compiler;
    return usable ? kind * 1e18 + (double)(info.memory_bytes >> 10) : -1.0;
}

/* Sorts the usable devices to the front, best first, and stores their number. */
static clprims_status sort_by_goodness(device_list *list, size_t *usable) {
    double *good = malloc(list->count * sizeof *good);
    if (good == NULL) return clp_fail(CLPRIMS_ERR_HOST_MEMORY, "device: no host memory");
    *usable = 0;
    for (size_t i = 0; i < list->count; i++) {
        const cl_device_id id = list->ids[i];
        const double value = goodness(id);
        if (value < 0.0) continue;
        size_t place = (*usable)++;
        for (; place > 0 && good[place - 1] < value; place--) {
            good[place] = good[place - 1];
            list->ids[place] = list->ids[place - 1];
        }
        good[place] = value;
        list->ids[place] = id;
    }
    free(good);
    return CLPRIMS_OK;
}

static clprims_status copy_usable(device_list *list, cl_device_id *ids, size_t *count) {
    CLP_TRY(sort_by_goodness(list, count));
    CLP_FAIL_IF(*count == 0, CLPRIMS_ERR_NO_DEVICE,
                "device: none of %zu devices is available and has a compiler", list->count);
    if (*count > CLP_MOST_CANDIDATES) *count = CLP_MOST_CANDIDATES;
    memcpy(ids, list->ids, *count * sizeof *ids);
    return CLPRIMS_OK;
}

clprims_status clp_device_candidates(const char *wanted, cl_device_id *ids, size_t *count) {
    device_list list;
    clprims_status status = list_devices(&list);
    if (status == CLPRIMS_OK && wanted == NULL) status = copy_usable(&list, ids, count);
    if (status == CLPRIMS_OK && wanted != NULL) {
        status = find_named(&list, wanted, ids);
        *count = 1;
    }
    free(list.ids);
    return status;
}

/* ---- The lock of drivers ---- */

static clp_lock starting = CLP_LOCK_INIT;

void clp_lock_drivers(void) {
    clp_lock_take(&starting);
}

void clp_unlock_drivers(void) {
    clp_lock_give(&starting);
}
