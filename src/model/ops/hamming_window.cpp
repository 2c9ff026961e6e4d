// hamming_window: a raised cosine on a step, as ONNX rounds it, for cutting signals into frames.
#include "model/ops/cosine_window.h"

namespace plimsoll {
namespace {

constexpr CosineWindow kWindow{25.0 / 46, 21.0 / 46, 0};

}  // namespace

const Op& hamming_window_op() {
  static const Op op = cosine_window_op<kWindow>("hamming_window", "HammingWindow");
  return op;
}

}  // namespace plimsoll
