#include "run/exec/fft/fft.h"

#include <algorithm>

#include "base/check.h"
#include "run/exec/fft/fft_loops.h"

namespace plimsoll {
namespace {

// Multiplications; transforms and the traffic of transformed numbers count as so many for each number, measured on an
// AVX-512 machine.
double work_of(const TiledConv& conv, int64_t size) {
  const auto along = [&](int64_t outputs, int64_t kernel) { return (outputs + size - kernel) / (size - kernel + 1); };
  const double tiles = double(conv.batch * along(conv.out_height, conv.kernel_height)) *
                       double(along(conv.out_width, conv.kernel_width));
  const double ins = double(conv.in_channels), outs = double(conv.out_channels), n = double(size);
  const double of_tile = 2 * n, of_kernel = std::min(12 * n, 300.0);
  return n * n * (2 * tiles * ins * outs + of_tile * tiles * (ins + outs) + of_kernel * ins * outs);
}

}  // namespace

const FftLoops& fft_loops() {
  PLIM_CHECK(tiled_conv_block() != 0, "FFT on a machine that has no kernels for it");
#if defined(__x86_64__)
  return tiled_conv_block() == 16 ? fft_avx512() : fft_avx2();
#else
  static constexpr FftLoops kNone{};
  return kNone;
#endif
}

int fft_size(const TiledConv& conv) {
  int best = 0;
  for (const int size : {8, 16, 32}) {
    if (std::max(conv.kernel_height, conv.kernel_width) >= size) continue;
    if (best == 0 || work_of(conv, size) < work_of(conv, best)) best = size;
  }
  return best;
}

double fft_gain(const TiledConv& conv, int size) {
  const double places = double(conv.batch * conv.out_height) * double(conv.out_width);
  const double taps = double(conv.kernel_height * conv.kernel_width);
  return places * taps * double(conv.in_channels) * double(conv.out_channels) / work_of(conv, size);
}

}  // namespace plimsoll
