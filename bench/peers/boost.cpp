/* SPDX-License-Identifier: MIT */
/* Boost.Compute in the run's own OpenCL context and queue. */
#include "peers.h"
#include <boost/compute/algorithm/copy.hpp>
#include <boost/compute/algorithm/copy_if.hpp>
#include <boost/compute/algorithm/exclusive_scan.hpp>
#include <boost/compute/algorithm/sort.hpp>
#include <boost/compute/command_queue.hpp>
#include <boost/compute/container/vector.hpp>
#include <boost/compute/event.hpp>
#include <boost/compute/lambda.hpp>
#include <boost/compute/version.hpp>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <exception>
#include <memory>
#include <vector>

namespace compute = boost::compute;

namespace {

struct boost_task {
    peer_task task;
    peer_device device;
    compute::context context;
    compute::command_queue queue;
    compute::buffer in, out;
    uint64_t count; /* comes back to the host */
};

typedef void work_function(boost_task &it);

template <class T> void scan(boost_task &it) {
    const compute::buffer_iterator<T> in(it.in, 0), out(it.out, 0);
    compute::exclusive_scan(in, in + static_cast<std::ptrdiff_t>(it.task.n), out, T(0), it.queue);
}

template <class T> void select_if(boost_task &it) {
    using compute::lambda::_1;
    const compute::buffer_iterator<T> in(it.in, 0), out(it.out, 0);
    const auto end = compute::copy_if(in, in + static_cast<std::ptrdiff_t>(it.task.n), out,
                                      _1 < static_cast<T>(it.task.limit), it.queue);
    it.count = static_cast<uint64_t>(end - out);
}

/* It sorts in place; the copy is timed, too. */
template <class T> void sort(boost_task &it) {
    const compute::buffer_iterator<T> in(it.in, 0), out(it.out, 0);
    const auto n = static_cast<std::ptrdiff_t>(it.task.n);
    compute::copy(in, in + n, out, it.queue);
    compute::sort(out, out + n, it.queue);
}

work_function *sort_of(peer_type type) {
    switch (type) {
    case PEER_U32:
        return sort<compute::uint_>;
    case PEER_U64:
        return sort<compute::ulong_>;
    case PEER_F32:
        return sort<float>;
    default:
        return nullptr;
    }
}

work_function *select_if_of(peer_type type) {
    switch (type) {
    case PEER_U8:
        return select_if<compute::uchar_>;
    case PEER_U16:
        return select_if<compute::ushort_>;
    case PEER_U32:
        return select_if<compute::uint_>;
    case PEER_U64:
        return select_if<compute::ulong_>;
    default:
        return nullptr;
    }
}

work_function *work_of(const peer_task *task) {
    if (task->primitive == PEER_SELECT_IF) return select_if_of(task->type);
    if (task->primitive == PEER_SORT) return sort_of(task->type);
    if (task->primitive != PEER_SCAN) return nullptr;
    switch (task->type) {
    case PEER_I32:
        return scan<compute::int_>;
    case PEER_I64:
        return scan<compute::long_>;
    case PEER_F32:
        return scan<float>;
    default:
        return nullptr;
    }
}

bool knows(const peer_task *task) {
    return work_of(task) != nullptr;
}

/* Runs what may throw; says what was thrown. */
template <class Work> const char *guarded(Work work) {
    static char text[200];
    try {
        work();
        return nullptr;
    } catch (const std::exception &error) {
        snprintf(text, sizeof text, "%s", error.what());
        return text;
    }
}

const char *create(void **state, const peer_task *task, const peer_device *device) {
    return guarded([&] {
        std::unique_ptr<boost_task> it(new boost_task());
        it->task = *task;
        it->device = *device;
        it->context = compute::context(static_cast<cl_context>(device->context));
        it->queue = compute::command_queue(static_cast<cl_command_queue>(device->queue));
        it->in = compute::buffer(it->context, task->in_bytes[0] > 0 ? task->in_bytes[0] : 1);
        it->out = compute::buffer(it->context, task->out_bytes[0] > 0 ? task->out_bytes[0] : 1);
        *state = it.release();
    });
}

const char *write_input(void *state, int, size_t first_byte, size_t bytes, const void *from) {
    boost_task &it = *static_cast<boost_task *>(state);
    return guarded([&] { it.queue.enqueue_write_buffer(it.in, first_byte, bytes, from); });
}

const char *read_output(void *state, int output, size_t first_byte, size_t bytes, void *to) {
    boost_task &it = *static_cast<boost_task *>(state);
    if (output == 1) {
        memcpy(to, &it.count, bytes);
        return nullptr;
    }
    return guarded([&] { it.queue.enqueue_read_buffer(it.out, first_byte, bytes, to); });
}

const char *poison(void *state) {
    boost_task &it = *static_cast<boost_task *>(state);
    return guarded([&] {
        const std::vector<unsigned char> poison(1 << 20, 0xa5);
        for (size_t first = 0; first < it.task.out_bytes[0]; first += poison.size()) {
            const size_t rest = it.task.out_bytes[0] - first;
            it.queue.enqueue_write_buffer(
                it.out, first, rest < poison.size() ? rest : poison.size(), poison.data());
        }
        it.count = UINT64_MAX;
    });
}

void run_once(boost_task &it, peer_seconds *seconds) {
    work_function *work = work_of(&it.task);
    it.device.space(it.device.space_self);
    const compute::event before = it.queue.enqueue_marker();
    work(it);
    const compute::event after = it.queue.enqueue_marker();
    it.queue.finish();
    seconds->device =
        1e-9 * static_cast<double>(after.get_profiling_info<cl_ulong>(CL_PROFILING_COMMAND_END) -
                                   before.get_profiling_info<cl_ulong>(CL_PROFILING_COMMAND_END));
    const auto began = std::chrono::steady_clock::now();
    work(it);
    it.queue.finish();
    seconds->wall = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
}

const char *run(void *state, peer_seconds *seconds) {
    return guarded([&] { run_once(*static_cast<boost_task *>(state), seconds); });
}

void destroy(void *state) {
    delete static_cast<boost_task *>(state);
}

#define TEXT_OF(number) #number
#define TEXT(number) TEXT_OF(number)

const peer_library boost_compute = {
    "Boost.Compute", TEXT(BOOST_COMPUTE_VERSION_MAJOR) "." TEXT(BOOST_COMPUTE_VERSION_MINOR),
    false,           nullptr,
    knows,           create,
    write_input,     read_output,
    poison,          run,
    destroy};
const peer_library *const libraries[] = {&boost_compute, nullptr};

} // namespace

extern "C" const peer_library *const *peer_libraries(void) {
    return libraries;
}
