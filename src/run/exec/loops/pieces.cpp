#include "run/exec/loops/pieces.h"

#include <cstring>

#include "run/exec/loops/parallel.h"

namespace plimsoll {
namespace {

// f(piece, its byte, the whole's byte, count of bytes) for all runs of the whole that lie in [from, to).
template <class F>
void for_runs(const Pieces& pieces, int64_t from, int64_t to, F&& f) {
  const int64_t width = pieces.row();
  int64_t row = from / width, start = row * width;
  for (; start < to; ++row, start += width) {
    int64_t at = start;
    for (size_t k = 0; k < pieces.sizes.size() && at < to; at += pieces.sizes[k++]) {
      const int64_t first = std::max(at, from), last = std::min(at + pieces.sizes[k], to);
      if (first >= last) continue;
      f(k, size_t(row * pieces.sizes[k] + first - at) * pieces.number, size_t(first) * pieces.number,
        size_t(last - first) * pieces.number);
    }
  }
}

}  // namespace

int64_t Pieces::row() const {
  int64_t sum = 0;
  for (const int64_t size : sizes) sum += size;
  return sum;
}

// A piece is in place when its first row is: rows of pieces are nearer to one another than those of the whole, unless
// there is but one.
void join_pieces(const Pieces& pieces, const std::byte* const* parts, std::byte* whole) {
  bool moves = false;
  const std::byte* at = whole;
  for (size_t k = 0; k < pieces.sizes.size(); at += pieces.sizes[k++] * int64_t(pieces.number))
    moves = moves || parts[k] != at;
  if (!moves) return;
  parallel_ranges(pieces.rows * pieces.row(), [&](int64_t from, int64_t to) {
    for_runs(pieces, from, to, [&](size_t k, size_t of_piece, size_t of_whole, size_t bytes) {
      if (whole + of_whole != parts[k] + of_piece) std::memcpy(whole + of_whole, parts[k] + of_piece, bytes);
    });
  });
}

void cut_pieces(const Pieces& pieces, const std::byte* whole, std::byte* const* parts) {
  parallel_ranges(pieces.rows * pieces.row(), [&](int64_t from, int64_t to) {
    for_runs(pieces, from, to, [&](size_t k, size_t of_piece, size_t of_whole, size_t bytes) {
      if (parts[k]) std::memcpy(parts[k] + of_piece, whole + of_whole, bytes);
    });
  });
}

}  // namespace plimsoll
