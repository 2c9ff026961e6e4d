#include "plan/memory/framework_allocator.h"

#include <algorithm>

#include "plan/memory/size_rules.h"

namespace plimsoll {
namespace {

constexpr int64_t kMiB = int64_t{1} << 20;

// PyTorch's CUDACachingAllocator.
constexpr int64_t kSegmentRounding = 512;
constexpr int64_t kSmallRequest = kMiB;
constexpr int64_t kSmallSegment = 2 * kMiB;
constexpr int64_t kMiddleRequest = 10 * kMiB;
constexpr int64_t kMiddleSegment = 20 * kMiB;
constexpr int64_t kLargeRounding = 2 * kMiB;

// TensorFlow's BFC allocator: a piece goes out whole unless half of it, or this much, would be wasted.
constexpr int64_t kRegionRounding = 256;
constexpr int64_t kRegionWaste = 128 * kMiB;

// Beyond this the books are closed: sums of two such numbers still fit in 64 bits.
constexpr int64_t kTooMuch = int64_t{1} << 61;

}  // namespace

int64_t FrameworkAllocator::rounded(int64_t bytes) const {
  const int64_t unit = kind_ == AllocatorKind::segments ? kSegmentRounding : kRegionRounding;
  return rounded_up(Bytes(std::max<int64_t>(bytes, 1)), unit).value();
}

bool FrameworkAllocator::is_small(int64_t size) const {
  return kind_ == AllocatorKind::segments && size <= kSmallRequest;
}

// What a request that no free block can hold adds to held().
int64_t FrameworkAllocator::growth(int64_t size) const {
  if (kind_ == AllocatorKind::region) {
    const bool extends = last_ >= 0 && blocks_[size_t(last_)].free;
    return extends ? size - blocks_[size_t(last_)].size : size;
  }
  if (is_small(size)) return kSmallSegment;
  return size < kMiddleRequest ? kMiddleSegment : rounded_up(Bytes(size), kLargeRounding).value();
}

bool FrameworkAllocator::worth_splitting(const Block& block, int64_t size) const {
  const int64_t rest = block.size - size;
  if (kind_ == AllocatorKind::region) return rest > 0 && (block.size >= 2 * size || rest >= kRegionWaste);
  return block.small ? rest >= kSegmentRounding : rest > kSmallRequest;
}

void FrameworkAllocator::list(int32_t block) {
  at(block).free = true;
  pool(at(block).small).add({at(block).size, block});
}

void FrameworkAllocator::remove_from_free(int32_t block) {
  at(block).free = false;
  pool(at(block).small).remove({at(block).size, block});
}

int32_t FrameworkAllocator::grow(int64_t size) {
  const int64_t more = growth(size);
  held_ += Bytes(more);
  if (kind_ == AllocatorKind::region && last_ >= 0 && at(last_).free) {
    remove_from_free(last_);
    at(last_).size += more;
    return last_;
  }
  const int32_t block = int32_t(blocks_.size());
  blocks_.push_back({more, -1, -1, false, is_small(size)});
  if (kind_ == AllocatorKind::region) {
    at(block).before = last_;
    if (last_ >= 0) at(last_).after = block;
    last_ = block;
  }
  return block;
}

// The rest becomes a free block after it.
void FrameworkAllocator::split(int32_t block, int64_t size) {
  const int32_t rest = int32_t(blocks_.size());
  blocks_.push_back({at(block).size - size, block, at(block).after, false, at(block).small});
  if (at(block).after >= 0) at(at(block).after).before = rest;
  at(block).after = rest;
  at(block).size = size;
  if (last_ == block) last_ = rest;
  list(rest);
}

Bytes FrameworkAllocator::held_with(Bytes bytes) const {
  if (held_.overflowed() || bytes.value() > kTooMuch) return Bytes(Bytes::kOverflow);
  const int64_t size = rounded(bytes.value());
  return pool(is_small(size)).holds(size) ? held_ : held_ + Bytes(growth(size));
}

int32_t FrameworkAllocator::take(Bytes bytes) {
  if (bytes.value() > kTooMuch || held_.value() > kTooMuch) {
    held_ = in_use_ = Bytes(Bytes::kOverflow);
    return -1;
  }
  const int64_t size = rounded(bytes.value());
  const auto found = pool(is_small(size)).smallest_of(size);
  const int32_t block = found ? *found : grow(size);
  if (found) remove_from_free(block);
  if (worth_splitting(at(block), size)) split(block, size);
  in_use_ += Bytes(at(block).size);
  return block;
}

// `next` becomes part of `block`.
void FrameworkAllocator::join(int32_t block, int32_t next) {
  at(block).size += at(next).size;
  at(block).after = at(next).after;
  if (at(next).after >= 0) at(at(next).after).before = block;
  if (last_ == next) last_ = block;
}

void FrameworkAllocator::give_back(int32_t block) {
  if (block < 0 || held_.overflowed()) return;
  in_use_ = in_use_ - Bytes(at(block).size);
  if (const int32_t next = at(block).after; next >= 0 && at(next).free) {
    remove_from_free(next);
    join(block, next);
  }
  if (const int32_t before = at(block).before; before >= 0 && at(before).free) {
    remove_from_free(before);
    join(before, block);
    block = before;
  }
  list(block);
}

}  // namespace plimsoll
