// How our own loops are spread over threads and instruction sets. Work is always cut in the same way for the same
// number of threads, so that results are bit-identical from run to run.
#pragma once

#include <algorithm>
#include <cstdint>

#include "run/exec/threads/threads.h"

// A function that is compiled for several instruction sets; the best is taken when the program starts. Loops inside ask
// for vectors with `#pragma omp simd`; threads are the caller's business, since what they run is not cloned. Levels of
// the instruction set, not names of processors: "arch=haswell" is taken on a Haswell and on nothing newer.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(__SANITIZE_THREAD__)
#define PLIM_CLONES __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define PLIM_CLONES  // under ThreadSanitizer too: what chooses a clone would run before the sanitizer is there
#endif

// A piece of such a function: compiled with it, for each instruction set.
#define PLIM_INLINE __attribute__((always_inline))

namespace plimsoll {

inline constexpr int64_t kWorthThreads = 1 << 14;  // numbers; below, waking threads costs more than it gains

// f(piece, pieces) for each piece, one a thread.
template <class F>
void parallel_pieces(int64_t threads, F&& f) {
  if (threads <= 1) return f(0, 1);
  auto work = [&] { f(int64_t{thread_number()}, threads); };
  in_region_of(int(threads), work);
}

// How many threads work on so many numbers is worth.
inline int64_t threads_worth(int64_t numbers) { return numbers >= kWorthThreads && !in_region() ? most_threads() : 1; }

// f(from, to) for ranges that together are [0, count); `numbers` is how much work all are together.
template <class F>
void parallel_ranges(int64_t count, int64_t numbers, F&& f) {
  parallel_pieces(threads_worth(numbers), [&](int64_t piece, int64_t pieces) {
    const int64_t share = ((count + pieces - 1) / pieces + 15) / 16 * 16;
    const int64_t from = std::min(count, piece * share), to = std::min(count, from + share);
    if (from < to) f(from, to);
  });
}
template <class F>
void parallel_ranges(int64_t count, F&& f) {
  parallel_ranges(count, count, f);
}

// f(item) for each item in [0, count); `numbers` is how much work all are together.
template <class F>
void parallel_items(int64_t count, int64_t numbers, F&& f) {
  parallel_pieces(threads_worth(numbers), [&](int64_t piece, int64_t pieces) {
    const int64_t each = count / pieces, more = count % pieces;
    const int64_t from = piece * each + std::min(piece, more), to = from + each + (piece < more ? 1 : 0);
    for (int64_t i = from; i < to; ++i) f(i);
  });
}

}  // namespace plimsoll
