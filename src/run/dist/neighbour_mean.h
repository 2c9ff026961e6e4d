// NeighbourMean: the mean of what the workers of one host hold, in place, each reading the others' memory. Worker k
// adds up part k of it, in the order of the ranks, and the others take that part from there. Every number comes from
// memory once and goes back once, and its squares are found on the way; through messages it is copied twice more.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "base/units.h"
#include "run/dist/communicator.h"

namespace plimsoll {

// Whether all workers are on one host and may read each other's memory: a container or the system may forbid it.
// Collective.
bool are_neighbours(Communicator& all);

class NeighbourMean {
 public:
  // `places`: what means are taken of, as many and as large on every worker; the memory stays where it is. Of are_
  // neighbours() only. Borrows the communicator. Collective.
  NeighbourMean(Communicator& all, const std::vector<std::span<float>>& places);

  // The mean over the workers of what they hold at this place. Adds squared lengths to `squares`, of the parts that
  // this worker added up: first of what each worker brought, by rank, then of the mean. Collective: all hold their
  // numbers when it begins, and may still be read by others when it is back, until all have come to the next call.
  void take(size_t place, std::span<double> squares);

  static Bytes memory();  // of its own

 private:
  void add_up(size_t place, size_t begin, size_t end, std::span<double> squares);
  void read(int from, size_t place, size_t at, std::span<float> to);
  std::pair<size_t, size_t> part(int rank, size_t begin, size_t end) const;

  Communicator& all_;
  std::vector<std::span<float>> places_;
  std::vector<pid_t> processes_;                  // by rank
  std::vector<std::vector<uint64_t>> addresses_;  // by rank and place
  std::vector<float> sum_, read_;
};

}  // namespace plimsoll
