#include "run/data/resize.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "base/check.h"

namespace plimsoll {
namespace {

// The weights with which old places make up new place `i` of an axis: [first, last) of them.
struct Taps {
  int64_t first, last;
  double centre, reach;

  Taps(int64_t i, int64_t from, int64_t to) {
    const double step = double(from) / double(to);
    reach = std::max(step, 1.0);
    centre = (double(i) + 0.5) * step - 0.5;
    first = std::max<int64_t>(0, int64_t(std::ceil(centre - reach)));
    last = std::min(from, int64_t(std::floor(centre + reach)) + 1);
  }
  double weight(int64_t place) const { return std::max(0.0, 1 - std::abs(double(place) - centre) / reach); }
  double sum() const {
    double all = 0;
    for (int64_t place = first; place < last; ++place) all += weight(place);
    return all;
  }
};

}  // namespace

int64_t resize_scratch(PlaneSize from, PlaneSize to, int64_t channels) { return channels * to.height * from.width; }

// Rows first, while they lie as they came: they are contiguous, and fewer are left for the columns.
template <class Number>
void resize_planes(std::span<const Number> from, PlaneSize from_size, int64_t channels, PixelOrder order,
                   std::span<float> into, PlaneSize to, std::span<float> scratch) {
  PLIM_CHECK(int64_t(scratch.size()) >= resize_scratch(from_size, to, channels), "too little scratch memory");
  const bool planes = order == PixelOrder::planes;
  const int64_t row_length = from_size.width * (planes ? 1 : channels);
  for (int64_t p = 0; p < (planes ? channels : 1); ++p)
    for (int64_t y = 0; y < to.height; ++y) {
      const Taps taps(y, from_size.height, to.height);
      const double sum = taps.sum();
      float* out = &scratch[size_t((p * to.height + y) * row_length)];
      std::fill(out, out + row_length, 0.0F);
      for (int64_t place = taps.first; place < taps.last; ++place) {
        const auto weight = float(taps.weight(place) / sum);
        const Number* in = &from[size_t((p * from_size.height + place) * row_length)];
        for (int64_t i = 0; i < row_length; ++i) out[i] += weight * float(in[i]);
      }
    }
  const int64_t step = planes ? 1 : channels, plane = planes ? to.height * row_length : 1;
  for (int64_t x = 0; x < to.width; ++x) {
    const Taps taps(x, from_size.width, to.width);
    const double sum = taps.sum();
    for (int64_t c = 0; c < channels; ++c)
      for (int64_t y = 0; y < to.height; ++y) {
        float all = 0;
        const float* in = &scratch[size_t(c * plane + y * row_length)];
        for (int64_t place = taps.first; place < taps.last; ++place)
          all += float(taps.weight(place) / sum) * in[place * step];
        into[size_t((c * to.height + y) * to.width + x)] = all;
      }
  }
}

template void resize_planes(std::span<const float>, PlaneSize, int64_t, PixelOrder, std::span<float>, PlaneSize,
                            std::span<float>);
template void resize_planes(std::span<const uint8_t>, PlaneSize, int64_t, PixelOrder, std::span<float>, PlaneSize,
                            std::span<float>);

void recolour(std::span<const float> from, int64_t from_channels, std::span<float> into, int64_t channels) {
  const size_t pixels = from.size() / size_t(from_channels);
  if (from_channels == 1) {
    for (int64_t c = 0; c < channels; ++c) std::copy_n(from.begin(), pixels, into.begin() + c * int64_t(pixels));
    return;
  }
  PLIM_CHECK(from_channels == 3 && channels == 1, "colours that cannot be turned into each other");
  for (size_t i = 0; i < pixels; ++i)
    into[i] = 0.299F * from[i] + 0.587F * from[pixels + i] + 0.114F * from[2 * pixels + i];
}

}  // namespace plimsoll
