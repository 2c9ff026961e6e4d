// blackman_window: a sum of two cosines, for cutting signals into frames.
#include "model/ops/cosine_window.h"

namespace plimsoll {
namespace {

constexpr CosineWindow kWindow{0.42, 0.5, 0.08};

}  // namespace

const Op& blackman_window_op() {
  static const Op op = cosine_window_op<kWindow>("blackman_window", "BlackmanWindow");
  return op;
}

}  // namespace plimsoll
