#include "run/data/permutation.h"

#include <utility>

#include "model/ops/counter_random.h"

namespace plimsoll {
namespace {

constexpr int kRounds = 8;

}  // namespace

Permutation::Permutation(int64_t size, uint64_t seed, int64_t epoch)
    : size_(uint64_t(size)), key_(scatter_bits(scatter_bits(seed) ^ uint64_t(epoch))) {
  while ((uint64_t{1} << (2 * half_bits_)) < size_) ++half_bits_;
}

// A Feistel network: a bijection of the numbers of 2 * half_bits_ bits, whatever its rounds compute.
uint64_t Permutation::once(uint64_t value) const {
  const uint64_t mask = (uint64_t{1} << half_bits_) - 1;
  uint64_t left = value >> half_bits_, right = value & mask;
  for (uint64_t round = 0; round < kRounds; ++round)
    left = std::exchange(right, left ^ (scatter_bits(scatter_bits(key_ + round) ^ right) & mask));
  return left << half_bits_ | right;
}

// Numbers beyond the size are sent on until they come back inside: still a bijection, of the size's numbers alone.
int64_t Permutation::at(int64_t place) const {
  uint64_t value = uint64_t(place);
  do value = once(value);
  while (value >= size_);
  return int64_t(value);
}

}  // namespace plimsoll
