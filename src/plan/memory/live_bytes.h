// How many bytes are alive at each moment, from blocks that each have a size and a first and last moment (both
// included): storages of a step, blocks of an arena.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/units.h"

namespace plimsoll {

// Of the moments 0 … times - 1, in which all blocks lie; nullopt where the sum of all blocks leaves the range of a
// count, and so might a sum of some.
template <class Blocks>
std::optional<std::vector<int64_t>> live_bytes(Blocks&& blocks, size_t times) {
  std::vector<int64_t> bytes(times + 1, 0);
  Bytes all;
  for (const auto& block : blocks) {
    all += block.size;
    if (all.overflowed()) return std::nullopt;
    bytes[size_t(block.first)] += block.size.value();
    bytes[size_t(block.last) + 1] -= block.size.value();
  }
  int64_t sum = 0;
  for (int64_t& now : bytes) now = sum += now;
  bytes.pop_back();
  return bytes;
}

// How many moments blocks lie in: one at least.
template <class Blocks>
size_t moments_of(const Blocks& blocks) {
  int32_t last = 0;
  for (const auto& block : blocks) last = block.last > last ? block.last : last;
  return size_t(last) + 1;
}

}  // namespace plimsoll
