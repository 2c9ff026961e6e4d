// The discrete Fourier transform of one signal, for dft and stft.
#pragma once

#include <complex>
#include <vector>

#include "base/units.h"

namespace plimsoll {

using Signal = std::vector<std::complex<double>>;

constexpr int64_t kMostFourierWork = 1 << 24;  // reference maths is the plain sum, so it declines more

// The first `bins` of the transform; the inverse is divided by the length.
Signal fourier(const Signal& x, int64_t bins, bool inverse);

// The gradient of a signal from that of all its bins (zeros where bins were left out).
Signal fourier_back(const Signal& bins, bool inverse);

// A fast transform of this length: 5 n log2 n operations, log2 rounded up.
Count fourier_flops(int64_t length);

}  // namespace plimsoll
