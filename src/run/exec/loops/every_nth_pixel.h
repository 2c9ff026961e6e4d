// Every n-th pixel of pictures, taken out or put back.
#pragma once

#include <cstdint>

namespace plimsoll {

// Pictures one after the other, `numbers` at each pixel.
struct PixelStride {
  int64_t pictures = 0, height = 0, width = 0, thin_height = 0, thin_width = 0, row_stride = 1, column_stride = 1,
          numbers = 1;
};

void take_every_nth(const PixelStride& thinning, const float* whole, float* thin);

// 0 at all other pixels.
void put_every_nth(const PixelStride& thinning, const float* thin, float* whole);

}  // namespace plimsoll
