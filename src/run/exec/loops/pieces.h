// A tensor and the pieces it is joined from or cut into along one axis: runs of `sizes` numbers, one of each piece in
// turn, `rows` times. Plain copies, whatever the numbers are; every thread has an equal share of the whole.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace plimsoll {

struct Pieces {
  int64_t rows = 0;
  std::vector<int64_t> sizes;  // numbers that each piece has in a row
  size_t number = 4;           // bytes of one

  int64_t row() const;  // numbers of all pieces in a row
};

// A piece that already lies where it belongs is left alone.
void join_pieces(const Pieces& pieces, const std::byte* const* parts, std::byte* whole);

// A piece that is nullptr is left out.
void cut_pieces(const Pieces& pieces, const std::byte* whole, std::byte* const* parts);

}  // namespace plimsoll
