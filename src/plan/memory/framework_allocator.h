// FrameworkAllocator: what a framework's own allocator would hold after a series of requests. It takes no memory
// itself; it only keeps the books.
//
// PyTorch asks the driver for segments and never gives them back: small requests share segments of 2 MiB, middle
// ones of 20 MiB, large ones have their own. A free piece serves a later request that it can hold, but pieces of
// two segments never join, so more is held than is in use. TensorFlow takes one region up front and cuts it.
#pragma once

#include <cstdint>
#include <vector>

#include "base/units.h"
#include "plan/memory/free_blocks.h"

namespace plimsoll {

enum class AllocatorKind { segments, region };

class FrameworkAllocator {
 public:
  explicit FrameworkAllocator(AllocatorKind kind) : kind_(kind) {}

  // A block of at least this size, best fit first. What cannot be counted in 64 bits makes held() overflow.
  int32_t take(Bytes bytes);
  void give_back(int32_t block);

  // What would be held after take(bytes).
  Bytes held_with(Bytes bytes) const;

  Bytes held() const { return held_; }      // from the driver; of a region, up to the highest byte ever used
  Bytes in_use() const { return in_use_; }  // in blocks that were not given back

 private:
  struct Block {
    int64_t size = 0;
    int32_t before = -1, after = -1;  // neighbours in the same segment
    bool free = false;
    bool small = false;
  };
  using Pool = FreeBlocks;

  int64_t rounded(int64_t bytes) const;
  bool is_small(int64_t size) const;
  int64_t growth(int64_t size) const;
  bool worth_splitting(const Block& block, int64_t size) const;
  int32_t grow(int64_t size);
  void split(int32_t block, int64_t size);
  void join(int32_t block, int32_t next);
  Pool& pool(bool small) { return small ? small_ : large_; }
  const Pool& pool(bool small) const { return small ? small_ : large_; }
  Block& at(int32_t block) { return blocks_[size_t(block)]; }
  void list(int32_t block);
  void remove_from_free(int32_t block);

  AllocatorKind kind_;
  std::vector<Block> blocks_;
  Pool small_, large_;
  int32_t last_ = -1;  // the block at a region's end
  Bytes held_, in_use_;
};

}  // namespace plimsoll
