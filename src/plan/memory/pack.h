// pack: puts blocks of memory that are alive at different times into one arena, so that no two blocks that are
// alive at the same time overlap and the arena is small.
//
// The smallest arena is hard to find (it is NP-hard), but it is never below the largest sum of bytes alive at one
// time. pack() places the blocks in a few good orders and learns from those that found no room below that bound; it
// stops as soon as the arena is close to it, and asks for less the longer it lasts. Time grows as n log n in
// practice. The same blocks always give the same offsets.
#pragma once

#include <span>
#include <vector>

#include "base/units.h"

namespace plimsoll {

inline constexpr int64_t kAlignment = 64;  // of every offset, in bytes: a cache line, the widest vector

struct Block {
  Bytes size;
  int32_t first = 0;  // the operations during which it is alive, both included; first ≤ last, from 0
  int32_t last = 0;
};

struct Packing {
  std::vector<Bytes> offsets;  // of each block
  Bytes arena;
  Bytes bound;  // the largest sum of bytes alive at one time, each rounded up to kAlignment
};

// Blocks whose sizes add up to more than a 64-bit count holds are not packed: arena is overflowed().
Packing pack(std::span<const Block> blocks);

}  // namespace plimsoll
