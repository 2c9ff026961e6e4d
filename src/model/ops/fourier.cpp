#include "model/ops/fourier.h"

#include <bit>
#include <numbers>

namespace plimsoll {

Signal fourier(const Signal& x, int64_t bins, bool inverse) {
  const auto length = int64_t(x.size());
  const double turn = (inverse ? 2 : -2) * std::numbers::pi / double(length);
  Signal y(size_t(bins), 0);
  for (int64_t k = 0; k < bins; ++k) {
    for (int64_t n = 0; n < length; ++n) y[size_t(k)] += x[size_t(n)] * std::polar(1.0, turn * double(k * n % length));
    if (inverse) y[size_t(k)] /= double(length);
  }
  return y;
}

Signal fourier_back(const Signal& bins, bool inverse) {
  const auto length = int64_t(bins.size());
  Signal signal = fourier(bins, length, !inverse);
  const double factor = inverse ? 1 / double(length) : double(length);  // what the two directions divide by
  for (auto& number : signal) number *= factor;
  return signal;
}

Count fourier_flops(int64_t length) {
  const int rounds = length > 1 ? std::bit_width(uint64_t(length - 1)) : 0;
  return Count(length) * 5 * rounds;
}

}  // namespace plimsoll
