// SPDX-License-Identifier: MIT
// From C++: plans in std::unique_ptr, errors as exceptions. The lengths of a text's words become
// the places at which they begin, and an operator of the program's own finds the longest so far.
#include <clprims/clprims.h>

#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <memory>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

void check(clprims_status status) {
    if (status != CLPRIMS_OK) throw std::runtime_error(clprims_last_error()->message);
}

struct destroy {
    void operator()(clprims_context *context) const { clprims_context_destroy(context); }
    void operator()(clprims_scan *scan) const { clprims_scan_destroy(scan); }
};

using context_ptr = std::unique_ptr<clprims_context, destroy>;
using scan_ptr = std::unique_ptr<clprims_scan, destroy>;

context_ptr make_context() {
    clprims_context *context = nullptr;
    check(clprims_context_create(&context, nullptr));
    return context_ptr(context);
}

scan_ptr make_scan(const context_ptr &context, const clprims_scan_desc &desc) {
    clprims_scan *scan = nullptr;
    check(clprims_scan_create(&scan, context.get(), &desc));
    return scan_ptr(scan);
}

int run() {
    std::istringstream text("one pass over the data is all that a prefix sum should ever need");
    std::vector<std::uint8_t> lengths;
    for (std::string word; text >> word;) lengths.push_back(static_cast<std::uint8_t>(word.size()));

    const context_ptr context = make_context();
    clprims_scan_desc desc{};
    desc.type = CLPRIMS_U8;
    desc.accumulator = CLPRIMS_U64;
    desc.input = "x + 1"; // the blank after each word
    desc.max_n = lengths.size();
    const scan_ptr starts_of = make_scan(context, desc);

    desc.input = nullptr;
    desc.op = CLPRIMS_CUSTOM;
    desc.custom.op = "a > b ? a : b";
    desc.inclusive = 1;
    const scan_ptr longest_of = make_scan(context, desc);

    std::vector<std::uint64_t> starts(lengths.size()), longest(lengths.size());
    const clprims_scan_arrays find_starts = {lengths.data(), starts.data()};
    const clprims_scan_arrays find_longest = {lengths.data(), longest.data()};
    check(clprims_scan_run(starts_of.get(), &find_starts, lengths.size()));
    check(clprims_scan_run(longest_of.get(), &find_longest, lengths.size()));
    std::cout << lengths.size() << " words, the last at " << starts.back() << ", the longest of "
              << longest.back() << " letters\n";
    return EXIT_SUCCESS;
}

} // namespace

int main() {
    try {
        return run();
    } catch (const std::exception &error) {
        std::cerr << error.what() << '\n';
        return EXIT_FAILURE;
    }
}
