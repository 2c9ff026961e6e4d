// Pictures in another size and in other colours. Planes of numbers, row major.
#pragma once

#include <span>

#include "base/units.h"

namespace plimsoll {

struct PlaneSize {
  int64_t height = 0, width = 0;
  bool operator==(const PlaneSize&) const = default;
};

// What resize_planes works in: numbers.
int64_t resize_scratch(PlaneSize from, PlaneSize to, int64_t channels);

// Bilinear; where a picture becomes smaller every pixel of it counts (a triangle as wide as the step), so that fine
// patterns do not turn into coarse ones. `from` is read as planes, or pixel by pixel (channels side by side).
enum class PixelOrder { planes, interleaved };
template <class Number>
void resize_planes(std::span<const Number> from, PlaneSize from_size, int64_t channels, PixelOrder order,
                   std::span<float> into, PlaneSize to, std::span<float> scratch);

// 1 to 3 channels: the same in each. 3 to 1: the brightness of ITU-R BT.601, as JPEG and Pillow have it.
void recolour(std::span<const float> from, int64_t from_channels, std::span<float> into, int64_t channels);

}  // namespace plimsoll
