// Placer: puts blocks into an arena one after the other. In which order is for pack.cpp to try out.
//
// A block goes to the end of a gap below the ceiling where it touches others, the floor or the ceiling for the
// longest time: gaps stay whole, what lives long gathers at the two sides, and what comes and goes has the middle.
// Where no gap holds it, it goes to the lowest place, which ends above the ceiling.
#pragma once

#include <vector>

#include "plan/memory/occupancy.h"
#include "plan/memory/pack.h"

namespace plimsoll {

struct Placement {
  int64_t arena = 0;             // bytes
  std::vector<int64_t> offsets;  // of each block that was placed, 0 of the others
  size_t placed = 0;
  size_t looked = 0;  // runs of taken bytes that were met on the way: what placing takes its time for
};

class Placer {
 public:
  // Sizes are multiples of kAlignment, and their sum can be held.
  explicit Placer(std::vector<Block> blocks);

  const std::vector<Block>& blocks() const { return blocks_; }

  // The blocks in this order; ends early with the block that makes the arena as large as `too_large`.
  Placement place(const std::vector<int32_t>& order, int64_t ceiling, int64_t too_large);

 private:
  int64_t lowest(int64_t size) const;
  int64_t touching(int64_t size, int64_t life, int64_t ceiling) const;

  std::vector<Block> blocks_;
  Occupancy occupancy_;
  std::vector<Occupancy::Taken> taken_;  // while the block that is being placed is alive
};

}  // namespace plimsoll
