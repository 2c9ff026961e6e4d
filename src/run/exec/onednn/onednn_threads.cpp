#include "run/exec/onednn/onednn_threads.h"

#include <omp.h>
#include <oneapi/dnnl/dnnl.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <string_view>

#include "run/exec/threads/imported_functions.h"
#include "run/exec/threads/threads.h"

namespace plimsoll {
namespace {

std::atomic<uint64_t> moved_regions = 0;

// What gcc makes of "#pragma omp parallel": 0 threads stands for as many as there may be, 1 for a false "if".
void onednn_parallel(void (*work)(void*), void* data, unsigned threads, unsigned) {
  moved_regions.fetch_add(1, std::memory_order_relaxed);
  run_region(threads > 0 ? int(threads) : most_threads(), work, data);
}

int onednn_in_parallel() { return in_region(); }

template <class Function>
void* function_address(Function* function) {
  return reinterpret_cast<void*>(function);
}

// All that Debian's oneDNN asks of OpenMP. Some of it from us and some from OpenMP would not go together, so a oneDNN
// that asks for anything else stays with OpenMP.
bool move_to_our_threads() {
  const std::array<Replacement, 6> replacements{{{"GOMP_parallel", function_address(onednn_parallel)},
                                                 {"GOMP_barrier", function_address(wait_for_team)},
                                                 {"omp_get_max_threads", function_address(most_threads)},
                                                 {"omp_get_num_threads", function_address(team_size)},
                                                 {"omp_get_thread_num", function_address(thread_number)},
                                                 {"omp_in_parallel", function_address(onednn_in_parallel)}}};
  dnnl_version();  // its imports are there once it is loaded, which may be at its first call (tell/cli/late_library.h)
  const auto of_openmp = [](std::string_view name) { return name.starts_with("GOMP_") || name.starts_with("omp_"); };
  return replace_imports("/libdnnl.so", replacements, of_openmp);
}

}  // namespace

bool onednn_is_on_our_threads() {
  static const bool moved = move_to_our_threads();
  return moved;
}

void use_onednn_threads(int threads) {
  use_threads(threads);
  if (!onednn_is_on_our_threads()) omp_set_num_threads(threads);
}

uint64_t onednn_regions() { return moved_regions.load(std::memory_order_relaxed); }

}  // namespace plimsoll
