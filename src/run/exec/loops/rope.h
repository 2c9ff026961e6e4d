// Rotary positions: pairs of numbers of each head, turned by the angles of their token.
#pragma once

#include <cstdint>

namespace plimsoll {

struct RopeShape {
  int64_t batch, sequence, heads, head;
  int64_t half;      // pairs of a head that are turned; the rest stays
  bool heads_first;  // (batch, heads, sequence, head) in place of (batch, sequence, heads · head)
  bool interleaved;  // a pair stands side by side, in place of half a turned part apart
  float direction;   // -1: back
  int64_t tokens() const { return batch * sequence; }
};

// cosines and sines: `half` for each of the tables' rows; rows: of each token, (batch · sequence), or nullptr for the
// token's place in the sequence, or in the batch where the tables have as many rows. y may lie over x.
struct RopeTables {
  const float *cosines, *sines;
  int64_t rows;
  const int64_t* row_of;
};

void rope(const RopeShape& shape, const RopeTables& tables, const float* x, float* y);

}  // namespace plimsoll
