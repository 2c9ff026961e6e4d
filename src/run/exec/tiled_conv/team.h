// Some threads that work on one block of tiles: all, or one by itself.
#pragma once

#include <omp.h>

#include "run/exec/tiled_conv/vectors.h"

namespace plimsoll {
namespace {

struct Team {
  int64_t member, members;
  Share of(int64_t count) const { return share(count, member, members); }
  void wait() const {
    if (members > 1) {
#pragma omp barrier
    }
  }
};

// work.run() on each of some threads, whatever OpenMP was told.
template <class Work>
void run_in_parallel(int threads, Work work) {
#pragma omp parallel num_threads(threads)
  work.run();
}

}  // namespace
}  // namespace plimsoll
