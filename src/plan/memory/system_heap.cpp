#include "plan/memory/system_heap.h"

#include <algorithm>

namespace plimsoll {
namespace {

constexpr int64_t kAlign = 64;  // as PyTorch asks for it
constexpr int64_t kMostMappedFrom = int64_t{32} << 20;
constexpr int64_t kLargest = int64_t{1} << 60;

}  // namespace

int32_t SystemHeap::take(Bytes bytes) {
  const int64_t size = std::min(kLargest, (bytes.value() + kAlign - 1) / kAlign * kAlign);
  Block block{0, size, false};
  const auto found = by_size_.lower_bound({size, 0});
  if (found != by_size_.end()) {
    const auto piece = free_.find(found->second);
    const int64_t at = piece->first, held = piece->second;
    remove_free(piece);
    if (held > size) add_free(at + size, held - size);
    block.at = at;
  } else if (size >= mapped_from_) {
    block.mapped = true;
    mapped_ += size;
    fresh_ += size;
  } else {
    // A free piece at the end is part of what is taken.
    int64_t at = end_;
    if (!free_.empty() && free_.rbegin()->first + free_.rbegin()->second == end_) {
      at = free_.rbegin()->first;
      remove_free(std::prev(free_.end()));
    }
    fresh_ += at + size - end_;
    end_ = at + size;
    block.at = at;
  }
  most_ = std::max(most_, end_ + mapped_);
  blocks_.push_back(block);
  return int32_t(blocks_.size()) - 1;
}

void SystemHeap::give_back(int32_t block) {
  if (block < 0) return;
  const Block gone = blocks_[size_t(block)];
  if (gone.mapped) {
    mapped_ -= gone.size;
    if (gone.size <= kMostMappedFrom) mapped_from_ = std::max(mapped_from_, gone.size);
    return;
  }
  add_free(gone.at, gone.size);
  trim();
}

// Neighbours join.
void SystemHeap::add_free(int64_t at, int64_t size) {
  const auto after = free_.lower_bound(at);
  if (after != free_.end() && at + size == after->first) {
    size += after->second;
    remove_free(after);
  }
  const auto next = free_.lower_bound(at);
  if (next != free_.begin()) {
    const auto before = std::prev(next);
    if (before->first + before->second == at) {
      at = before->first;
      size += before->second;
      remove_free(before);
    }
  }
  free_.emplace(at, size);
  by_size_.emplace(size, at);
}

void SystemHeap::remove_free(std::map<int64_t, int64_t>::iterator piece) {
  by_size_.erase({piece->second, piece->first});
  free_.erase(piece);
}

void SystemHeap::trim() {
  if (free_.empty()) return;
  const auto last = std::prev(free_.end());
  if (last->first + last->second != end_ || last->second < 2 * mapped_from_) return;
  end_ = last->first;
  remove_free(last);
}

}  // namespace plimsoll
