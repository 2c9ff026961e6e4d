#include "run/exec/fft/fft.h"

#include <algorithm>

#include "run/exec/fft/loops_table.h"

namespace plimsoll {
namespace {

const FftLoops* loops() {
#if defined(__x86_64__)
  return tiled_conv_block() == 16 ? &fft_avx512() : &fft_avx2();
#else
  return nullptr;
#endif
}

// Multiplications, transforms included.
double work_of(const TiledConv& conv, int64_t size) {
  const auto tiles_along = [&](int64_t outputs, int64_t kernel) {
    return (outputs + size - kernel) / (size - kernel + 1);
  };
  const double tiles = double(conv.batch) * double(tiles_along(conv.out_height, conv.kernel_height)) *
                       double(tiles_along(conv.out_width, conv.kernel_width));
  const double ins = double(conv.in_channels), outs = double(conv.out_channels), points = 1.5 * double(size * size);
  constexpr double kTransform = 30;  // of one point, measured as multiplications
  return points * (tiles * ins * outs + kTransform * (tiles * (ins + outs) + ins * outs));
}

}  // namespace

int fft_size(const TiledConv& conv) {
  int best = 0;
  for (const int size : {8, 16, 32}) {
    if (std::max(conv.kernel_height, conv.kernel_width) >= size) continue;
    if (best == 0 || work_of(conv, size) < work_of(conv, best)) best = size;
  }
  return best;
}

int64_t fft_space(const FftConv& conv) { return loops()->space(conv); }
int64_t fft_gradient_space(const FftConv& conv) { return loops()->gradient_space(conv); }

void fft(const FftConv& conv, const float* x, const float* weights, ChannelShift shift, float* y, float* work) {
  loops()->convolve(conv, x, weights, shift, y, work);
}

void fft_gradient(const FftConv& conv, const float* x, const float* dy, float* dweights, float* work) {
  loops()->gradient(conv, x, dy, dweights, work);
}

}  // namespace plimsoll
