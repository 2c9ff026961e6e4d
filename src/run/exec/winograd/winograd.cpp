#include "run/exec/winograd/winograd.h"

#include <oneapi/dnnl/dnnl.hpp>

#include "run/exec/winograd/loops_table.h"

namespace plimsoll {
namespace {

// What oneDNN runs on, so that blocks of channels are the same: it may have been told to use less than there is.
const WinogradLoops* loops() {
#if defined(__x86_64__)
  const auto isa = dnnl::get_effective_cpu_isa();
  if (isa >= dnnl::cpu_isa::avx512_core && isa != dnnl::cpu_isa::all) return &winograd_avx512();
  if (isa >= dnnl::cpu_isa::avx2) return &winograd_avx2();
#endif
  return nullptr;
}

}  // namespace

int64_t winograd_block() { return loops() ? loops()->block : 0; }
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
