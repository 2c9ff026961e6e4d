// PackedMean: the mean of all workers' numbers, in place, with 16 bits of each on the wire.
//
// The numbers are cut into as many parts as there are workers. Each worker packs its numbers and sends part i to worker
// i; that one adds up what came in f32, in the order of the ranks, so that nothing is rounded on the way through them,
// packs the mean and sends it to all. So a number is rounded twice, however many workers there are, and all have the
// same bits: each part of the mean is made by one worker, and it too takes the 16 bits that it sent. On the wire is
// what a ring of 16 bits sends.
#pragma once

#include <vector>

#include "base/dtype.h"
#include "run/dist/communicator.h"

namespace plimsoll {

// Squared lengths of what rounding changed: in what this rank sent, and in its part of the mean.
struct Rounded {
  double sent = 0, mean = 0;
};

class PackedMean {
 public:
  // `most`: numbers that travel at a time.
  PackedMean(DType format, size_t most, int workers);

  static Bytes memory(size_t most, int workers);

  // Collective; the pieces are of the same lengths on all ranks.
  Rounded take(Communicator& all, const std::vector<std::span<float>>& pieces);

 private:
  Rounded take_together(Communicator& all, const std::vector<std::span<float>>& pieces, size_t count);
  double add_up(int workers, size_t part);

  DType format_;
  size_t most_;
  std::vector<uint16_t> mine_, theirs_;
};

}  // namespace plimsoll
