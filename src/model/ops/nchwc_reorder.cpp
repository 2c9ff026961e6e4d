// nchwc_reorder: onnxruntime's way into and out of channels in blocks (nchwc_conv.cpp). `channels`: how many of them
// there really are, on the way out.
#include <fmt/format.h>

#include "model/ops/example.h"
#include "model/ops/only_weighed.h"

namespace plimsoll {
namespace {

Result<std::vector<TensorType>> infer_nchwc_reorder(const OpCall& call) {
  TensorType type = call.type(0);
  const int64_t channels = call.attributes.integer("channels", 0);
  if (call.attributes.integer("channels_last", 0) != 0)
    return undetermined("blocks of channels with channels last are not understood");
  if (channels == 0) return std::vector{type};
  if (type.shape.rank() < 2 || channels < 0 || channels > type.shape[1])
    return user_error(fmt::format("{} channels of {} are asked for", channels, type.shape.text()));
  type.shape[1] = channels;
  return std::vector{type};
}

std::vector<OpExample> examples_nchwc_reorder() {
  return {{"out", {{"channels", int64_t{5}}}, {example::f32({2, 8, 4, 4})}, 1, true, false}};
}

}  // namespace

const Op& nchwc_reorder_op() {
  static const Op op{.name = "nchwc_reorder",
                     .kind = OpKind::reorder,
                     .onnx = {"com.microsoft.nchwc:ReorderInput", "com.microsoft.nchwc:ReorderOutput"},
                     .infer = infer_nchwc_reorder,
                     .gradient = decline_only_weighed,
                     .examples = examples_nchwc_reorder};
  return op;
}

}  // namespace plimsoll
