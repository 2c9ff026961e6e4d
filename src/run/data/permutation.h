// Permutation: the order of an epoch's samples, by seed and epoch. It takes no memory, and any place of it can be asked
// for directly: a run that is resumed in the middle goes on where it was.
#pragma once

#include <cstdint>

namespace plimsoll {

class Permutation {
 public:
  Permutation(int64_t size, uint64_t seed, int64_t epoch);
  int64_t at(int64_t place) const;  // 0 to size - 1, each once

 private:
  uint64_t once(uint64_t value) const;

  uint64_t size_, key_;
  int half_bits_ = 1;
};

}  // namespace plimsoll
