// Random numbers by counting: the number at a place follows from seed, step, node, sample and place alone, so it
// is the same whatever the number of workers and threads.
#pragma once

#include <cstdint>

namespace plimsoll {

// A bijection that scatters its input over all 64 bits (the finaliser of SplitMix64).
inline uint64_t scatter_bits(uint64_t x) {
  x += 0x9e3779b97f4a7c15ULL;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
  return x ^ (x >> 31);
}

struct RandomKey {
  uint64_t seed = 0, step = 0, node = 0, first_sample = 0;

  // Evenly in [0, 1). `sample` counts from first_sample.
  double uniform(uint64_t sample, uint64_t place) const {
    uint64_t bits = scatter_bits(seed);
    bits = scatter_bits(bits ^ step);
    bits = scatter_bits(bits ^ node);
    bits = scatter_bits(bits ^ (first_sample + sample));
    return double(scatter_bits(bits ^ place) >> 11) * 0x1.0p-53;
  }
};

}  // namespace plimsoll
