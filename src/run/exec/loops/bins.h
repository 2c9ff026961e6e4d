// Pooling of row-major planes to a stated size, as model/ops/adaptive_pool.h cuts them: bins may overlap, none is
// empty. A plane as one bin is global pooling.
#pragma once

#include <array>
#include <cstdint>

namespace plimsoll {

struct Bins {
  int64_t planes = 0;
  std::array<int64_t, 3> in{1, 1, 1}, out{1, 1, 1};  // sizes; fewer axes have ones in front

  int64_t inside() const { return in[0] * in[1] * in[2]; }
  int64_t outside() const { return out[0] * out[1] * out[2]; }
};

void average_bins(const Bins& bins, const float* x, float* y);
void average_bins_back(const Bins& bins, const float* dy, float* dx);

// The largest of each bin and its place in the plane, the first of equals. Place: uint16_t, int32_t or int64_t; places
// may be nullptr.
template <class Place>
void max_bins(const Bins& bins, const float* x, float* y, Place* places);
// Every gradient to the place it came from.
template <class Place>
void max_bins_back(const Bins& bins, const float* dy, const Place* places, float* dx);

}  // namespace plimsoll
