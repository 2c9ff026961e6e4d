#include "plan/memory/free_blocks.h"

#include <algorithm>

#include "base/check.h"

namespace plimsoll {
namespace {

constexpr size_t kMostInPiece = 512;

}  // namespace

// The first piece that ends with this block or after it; as many as there are when none does.
size_t FreeBlocks::piece_of(Block block) const {
  const auto found = std::lower_bound(pieces_.begin(), pieces_.end(), block,
                                      [](const Piece& piece, const Block& wanted) { return piece.back() < wanted; });
  return size_t(found - pieces_.begin());
}

void FreeBlocks::add(Block block) {
  if (pieces_.empty()) pieces_.emplace_back();
  const size_t index = pieces_.size() == 1 ? 0 : std::min(piece_of(block), pieces_.size() - 1);
  Piece& piece = pieces_[index];
  piece.insert(std::lower_bound(piece.begin(), piece.end(), block), block);
  if (piece.size() <= kMostInPiece) return;
  const auto half = piece.begin() + kMostInPiece / 2;
  Piece upper(half, piece.end());
  piece.erase(half, piece.end());
  pieces_.insert(pieces_.begin() + int64_t(index) + 1, std::move(upper));
}

void FreeBlocks::remove(Block block) {
  const size_t index = piece_of(block);
  PLIM_CHECK(index < pieces_.size(), "a block that is not free is taken out of the free ones");
  Piece& piece = pieces_[index];
  piece.erase(std::lower_bound(piece.begin(), piece.end(), block));
  if (piece.empty()) pieces_.erase(pieces_.begin() + int64_t(index));
}

std::optional<int32_t> FreeBlocks::smallest_of(int64_t size) const {
  const Block least{size, -1};
  const size_t index = piece_of(least);
  if (index == pieces_.size()) return std::nullopt;
  return std::lower_bound(pieces_[index].begin(), pieces_[index].end(), least)->number;
}

}  // namespace plimsoll
