// hann_window: a raised cosine, for cutting signals into frames.
#include "model/ops/cosine_window.h"

namespace plimsoll {
namespace {

constexpr CosineWindow kWindow{0.5, 0.5, 0};

}  // namespace

const Op& hann_window_op() {
  static const Op op = cosine_window_op<kWindow>("hann_window", "HannWindow");
  return op;
}

}  // namespace plimsoll
