#include "plan/memory/placer.h"

#include <algorithm>

namespace plimsoll {
namespace {

constexpr size_t kMostLooked = 20'000'000;  // runs met; blocks that come later are stacked on top of all others

int32_t times(const std::vector<Block>& blocks) {
  int32_t end = 1;
  for (const auto& block : blocks) end = std::max(end, block.last + 1);
  return end;
}

}  // namespace

Placer::Placer(std::vector<Block> blocks) : blocks_(std::move(blocks)), occupancy_(times(blocks_)) {}

Placement Placer::place(const std::vector<int32_t>& order, int64_t ceiling, int64_t too_large) {
  Placement result{.offsets = std::vector<int64_t>(blocks_.size(), 0)};
  occupancy_.clear();
  for (const int32_t i : order) {
    const Block& block = blocks_[size_t(i)];
    const int64_t size = block.size.value();
    int64_t at = result.arena;
    if (result.looked <= kMostLooked) {
      occupancy_.taken(block.first, block.last, size, taken_);
      result.looked += taken_.size();
      at = touching(size, block.last - block.first + 1, ceiling);
      if (at < 0) at = lowest(size);
      occupancy_.take(block.first, block.last, {at, at + size});
    }
    result.offsets[size_t(i)] = at;
    result.arena = std::max(result.arena, at + size);
    ++result.placed;
    if (result.arena >= too_large) break;
  }
  return result;
}

int64_t Placer::lowest(int64_t size) const {
  int64_t end = 0;
  for (const auto& run : taken_) {
    if (run.begin - end >= size) break;
    end = std::max(end, run.end);
  }
  return end;
}

// The end of a gap under the ceiling that the block touches longest; -1: there is no such gap.
int64_t Placer::touching(int64_t size, int64_t life, int64_t ceiling) const {
  int64_t best = -1, longest = -1;
  const auto consider = [&](int64_t begin, int64_t end, int64_t below, int64_t above) {
    if (end - begin < size) return;
    const bool exact = end - begin == size;
    if (below + (exact ? above : 0) > longest) {
      longest = below + (exact ? above : 0);
      best = begin;
    }
    if (above > longest) {
      longest = above;
      best = end - size;
    }
  };
  int64_t end = 0, below = life;
  for (size_t i = 0; i < taken_.size();) {
    const int64_t begin = taken_[i].begin;
    if (begin >= ceiling) break;
    int64_t above = 0;
    for (size_t j = i; j < taken_.size() && taken_[j].begin == begin; ++j) above += taken_[j].time;
    if (begin > end) consider(end, begin, std::min(below, life), std::min(above, life));
    for (; i < taken_.size() && taken_[i].begin == begin; ++i) {
      if (taken_[i].end == end) below += taken_[i].time;
      if (taken_[i].end <= end) continue;
      end = taken_[i].end;
      below = taken_[i].time;
    }
  }
  if (end < ceiling) consider(end, ceiling, std::min(below, life), life);
  return best;
}

}  // namespace plimsoll
