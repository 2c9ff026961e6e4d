// FreeBlocks: the free blocks of an allocator by size, and of equal sizes by number: what best fit looks through.
//
// Mostly there are few, and a sorted row is quicker than a tree. A network of very many layers leaves very many, so the
// row is cut into pieces: adding and removing move one piece, and never all that follows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace plimsoll {

class FreeBlocks {
 public:
  struct Block {
    int64_t size = 0;
    int32_t number = 0;

    auto operator<=>(const Block&) const = default;
  };

  void add(Block block);
  void remove(Block block);  // one that was added
  // The number of the smallest that holds so much.
  std::optional<int32_t> smallest_of(int64_t size) const;
  bool holds(int64_t size) const { return !pieces_.empty() && pieces_.back().back().size >= size; }

 private:
  using Piece = std::vector<Block>;
  size_t piece_of(Block block) const;

  std::vector<Piece> pieces_;  // none is empty
};

}  // namespace plimsoll
