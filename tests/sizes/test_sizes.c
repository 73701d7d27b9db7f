/* SPDX-License-Identifier: MIT */
/* Lists, list scans and forests: one plan and many n. */
#include "sizes/sizes.h"

static void add_unique(size_t *sizes, size_t *count, size_t n, size_t max_n) {
    for (size_t k = 0; k < *count; k++)
        if (sizes[k] == n) return;
    if (n > max_n || *count == SIZES_ROOM) return;
    sizes[(*count)++] = n;
}

static void add_around(size_t *sizes, size_t *count, size_t n, size_t max_n) {
    add_unique(sizes, count, n - 1, max_n);
    add_unique(sizes, count, n, max_n);
    add_unique(sizes, count, n + 1, max_n);
}

size_t sizes_draw(const sizes_setting *setting, size_t sizes[SIZES_ROOM]) {
    const size_t max_n = setting->max_n;
    size_t count = 0;
    for (size_t power = 1; power <= max_n; power *= test_small() ? 16 : 2) {
        add_around(sizes, &count, power, max_n);
        add_around(sizes, &count, power * setting->unit, max_n);
    }
    for (size_t k = 0; k < SIZES_THRESHOLDS && setting->thresholds[k] > 0; k++)
        add_around(sizes, &count, setting->thresholds[k], max_n);
    for (size_t k = 1; k < (test_small() ? 3 : 8); k++)
        add_unique(sizes, &count, max_n / 8 * k + 3 * k, max_n);
    add_unique(sizes, &count, max_n - 1, max_n);
    add_unique(sizes, &count, max_n, max_n);
    for (size_t k = count; k > 1; k--) {
        const size_t other = (size_t)test_random_below(k), kept = sizes[k - 1];
        sizes[k - 1] = sizes[other];
        sizes[other] = kept;
    }
    return count;
}

size_t sizes_next(const sizes_setting *setting, size_t max_n) {
    size_t next = max_n + setting->unit;
    for (size_t k = 0; k < SIZES_THRESHOLDS && setting->thresholds[k] > 0; k++) {
        const size_t threshold = setting->thresholds[k];
        if (max_n + 1 < threshold - 1 && next > threshold - 1) next = threshold - 1;
        if (max_n + 1 >= threshold - 1 && max_n <= threshold + 1) return max_n + 1;
    }
    return next;
}

static void add_cases(test_cases *cases) {
    sizes_add_layouts(cases);
    sizes_add_lists(cases);
    sizes_add_scans(cases);
    sizes_add_large(cases);
}

int main(int argc, char **argv) {
    return test_main(argc, argv, add_cases);
}
