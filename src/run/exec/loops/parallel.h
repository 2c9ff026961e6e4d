// How our own loops are spread over threads and instruction sets. Work is always cut in the same way for the same
// number of threads, so that results are bit-identical from run to run.
#pragma once

#include <omp.h>

#include <algorithm>
#include <cstdint>

// A function that is compiled for several instruction sets; the best is taken when the program starts. Loops inside ask
// for vectors with `#pragma omp simd`; threads are the caller's business, since outlined parallel regions are not
// cloned. Levels of the instruction set, not names of processors: "arch=haswell" is taken on a Haswell and on nothing
// newer.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
#define PLIM_CLONES __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define PLIM_CLONES
#endif

// A piece of such a function: compiled with it, for each instruction set.
#define PLIM_INLINE __attribute__((always_inline))

namespace plimsoll {

inline constexpr int64_t kWorthThreads = 1 << 14;  // numbers; below, waking threads costs more than it gains

// f(from, to) for one range a thread, together [0, count).
template <class F>
void parallel_ranges(int64_t count, F&& f) {
#pragma omp parallel if (count >= kWorthThreads)
  {
    const int64_t threads = omp_get_num_threads(), thread = omp_get_thread_num();
    const int64_t share = ((count + threads - 1) / threads + 15) / 16 * 16;
    const int64_t from = std::min(count, thread * share), to = std::min(count, from + share);
    if (from < to) f(from, to);
  }
}

// f(item) for each item in [0, count); `numbers` is how much work all are together.
template <class F>
void parallel_items(int64_t count, int64_t numbers, F&& f) {
#pragma omp parallel for schedule(static) if (numbers >= kWorthThreads)
  for (int64_t i = 0; i < count; ++i) f(i);
}

}  // namespace plimsoll
