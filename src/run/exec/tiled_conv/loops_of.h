// The table of loops of the instruction set that the including file is compiled for.
#pragma once

#include "run/exec/tiled_conv/tiled_gradient.h"

namespace plimsoll {
namespace {

// Choose::with(conv, f) is f of the Domain that the Conv wants.
template <class Conv, class Choose>
struct LoopsOf {
  static int64_t space(const Conv& conv) {
    return Choose::with(conv, [&](auto domain) { return Convolution<decltype(domain)>::space(conv, domain); });
  }
  static int64_t gradient_space(const Conv& conv) {
    return Choose::with(conv, [&](auto domain) { return Gradient<decltype(domain)>::space(conv, domain); });
  }
  static void convolve(const Conv& conv, const float* x, const float* weights, ChannelShift shift, float* y,
                       float* work) {
    Choose::with(conv, [&](auto domain) {
      run_in_parallel(conv.threads, Convolution<decltype(domain)>(conv, domain, x, weights, shift, y, work));
    });
  }
  static void gradient(const Conv& conv, const float* x, const float* dy, float* dweights, float* work) {
    Choose::with(conv, [&](auto domain) {
      run_in_parallel(conv.threads, Gradient<decltype(domain)>(conv, domain, x, dy, dweights, work));
    });
  }
  static constexpr TiledLoops<Conv> kTable{kLanes, space, gradient_space, convolve, gradient};
};

}  // namespace
}  // namespace plimsoll
