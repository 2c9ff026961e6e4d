// depth_to_space: channels become pixels, blocksize × blocksize of them to each pixel (sub-pixel
// convolution); "DCR" has the block outermost in the channels, "CRD" innermost.
#include <fmt/format.h>

#include "base/text.h"
#include "model/ops/element_moves.h"
#include "model/ops/example.h"
#include "model/ops/gradient.h"

namespace plimsoll {
namespace {

constexpr int64_t kLargestBlock = int64_t{1} << 20;

Result<std::vector<TensorType>> infer_depth_to_space(const OpCall& call) {
  const Shape& from = call.shape(0);
  const int64_t block = call.attributes.integer("blocksize", 0);
  const std::string mode = call.attributes.text("mode", "DCR");
  if (mode != "DCR" && mode != "CRD")
    return user_error(fmt::format("mode is {}, expected DCR or CRD", in_quotes(mode)));
  if (from.rank() != 4 || block < 1 || block > kLargestBlock || from[1] % (block * block) != 0)
    return user_error(
        fmt::format("{} does not unfold by blocksize {}: expected rank 4 and channels a multiple of its "
                    "square",
                    from.text(), block));
  const Shape shape{from[0], from[1] / (block * block), (Count(from[2]) * block).value(),
                    (Count(from[3]) * block).value()};
  return std::vector{TensorType{call.dtype(0), shape}};
}

bool reference_depth_to_space(const OpCall& call, std::span<const TensorView> in, std::span<const TensorView> out) {
  const int64_t block = call.attributes.integer("blocksize", 0);
  const bool block_first = call.attributes.text("mode", "DCR") == "DCR";
  const int64_t channels = out[0].shape()[1];
  const auto strides = in[0].shape().strides();
  const size_t size = element_size(in[0].dtype());
  for_each_index(out[0].shape(), [&](int64_t to, const std::vector<int64_t>& at) {
    const int64_t place = at[2] % block * block + at[3] % block;  // inside the block
    const int64_t channel = block_first ? place * channels + at[1] : at[1] * block * block + place;
    const int64_t from =
        at[0] * strides[0] + channel * strides[1] + at[2] / block * strides[2] + at[3] / block * strides[3];
    copy_element(in[0], from, out[0], to, size);
  });
  return true;
}

std::vector<OpExample> examples_depth_to_space() {
  return {{"DCR", {{"blocksize", int64_t{2}}}, {example::f32({2, 8, 2, 3})}},
          {"CRD", {{"blocksize", int64_t{2}}, {"mode", std::string("CRD")}}, {example::f32({2, 8, 2, 3})}}};
}

}  // namespace

const Op& depth_to_space_op() {
  static const Op op{.name = "depth_to_space",
                     .onnx = {"DepthToSpace"},
                     .infer = infer_depth_to_space,
                     .reference = reference_depth_to_space,
                     .gradient = movement_gradient<depth_to_space_op>,
                     .examples = examples_depth_to_space};
  return op;
}

}  // namespace plimsoll
