/* SPDX-License-Identifier: MIT */
/* How much local memory the context found, which rings and windows are made for. */
#include "scan/scan_cases.h"

#include "core/context.h"
#include "core/layer.h"

enum { FREE = 1024 }; /* that plans leave */

static void local_memory_is_found(void) {
    const clp_device *device = &test_context()->device;
    const size_t whole = clp_local_bytes_of(device->compute_capability);
    const size_t most = whole > FREE ? whole - FREE : 0;
    const size_t found = device->static_local_bytes;
    /* NVIDIA's drivers are known to give all of it from 9.0 on. */
    if (device->compute_capability >= 90 ? found != most
                                         : found != most && found != device->local_bytes)
        test_fail("%zu bytes were found; %zu are advertised, and the device has %zu", found,
                  device->local_bytes, most);
}

void add_local_cases(test_cases *cases) {
    test_add_plain(cases, local_memory_is_found, "scan/local-memory");
}
