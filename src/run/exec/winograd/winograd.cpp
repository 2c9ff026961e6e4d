#include "run/exec/winograd/winograd.h"

#include "run/exec/winograd/loops_table.h"

namespace plimsoll {
namespace {

const WinogradLoops* loops() {
#if defined(__x86_64__)
  return tiled_conv_block() == 16 ? &winograd_avx512() : &winograd_avx2();
#else
  return nullptr;
#endif
}

}  // namespace

int64_t winograd_space(const WinogradConv& conv) { return loops()->space(conv); }
int64_t winograd_gradient_space(const WinogradConv& conv) { return loops()->gradient_space(conv); }

void winograd(const WinogradConv& conv, const float* x, const float* weights, ChannelShift shift, float* y,
              float* work) {
  loops()->convolve(conv, x, weights, shift, y, work);
}

void winograd_gradient(const WinogradConv& conv, const float* x, const float* dy, float* dweights, float* work) {
  loops()->gradient(conv, x, dy, dweights, work);
}

}  // namespace plimsoll
