// Some threads that work on one block of tiles: all, or one by itself.
#pragma once

#include "run/exec/threads/threads.h"
#include "run/exec/tiled_conv/vectors.h"

namespace plimsoll {
namespace {

struct Team {
  int64_t member, members;
  Share of(int64_t count) const { return share(count, member, members); }
  void wait() const {
    if (members > 1) wait_for_team();
  }
};

// work.run() on each of some threads, whatever use_threads() was told.
template <class Work>
void run_in_parallel(int threads, Work work) {
  auto run = [&] { work.run(); };
  in_region_of(threads, run);
}

}  // namespace
}  // namespace plimsoll
