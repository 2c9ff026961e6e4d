// space_to_depth: blocks of blocksize × blocksize pixels become channels, the block outermost.
#include <fmt/format.h>

#include "model/ops/element_moves.h"
#include "model/ops/example.h"
#include "model/ops/gradient.h"

namespace plimsoll {
namespace {

constexpr int64_t kLargestBlock = int64_t{1} << 20;

Result<std::vector<TensorType>> infer_space_to_depth(const OpCall& call) {
  const Shape& from = call.shape(0);
  const int64_t block = call.attributes.integer("blocksize", 0);
  if (from.rank() != 4 || block < 1 || block > kLargestBlock || from[2] % block != 0 || from[3] % block != 0)
    return user_error(fmt::format(
        "{} does not fold by blocksize {}: expected rank 4 and height and width multiples of it", from.text(), block));
  const Shape shape{from[0], (Count(from[1]) * (block * block)).value(), from[2] / block, from[3] / block};
  return std::vector{TensorType{call.dtype(0), shape}};
}

bool reference_space_to_depth(const OpCall& call, std::span<const TensorView> in, std::span<const TensorView> out) {
  const int64_t block = call.attributes.integer("blocksize", 0);
  const int64_t channels = in[0].shape()[1];
  const auto strides = in[0].shape().strides();
  const size_t size = element_size(in[0].dtype());
  for_each_index(out[0].shape(), [&](int64_t to, const std::vector<int64_t>& at) {
    const int64_t place = at[1] / channels;  // inside the block
    const int64_t from = at[0] * strides[0] + at[1] % channels * strides[1] +
                         (at[2] * block + place / block) * strides[2] + (at[3] * block + place % block) * strides[3];
    copy_element(in[0], from, out[0], to, size);
  });
  return true;
}

std::vector<OpExample> examples_space_to_depth() {
  return {{"2 × 2", {{"blocksize", int64_t{2}}}, {example::f32({2, 3, 4, 6})}}};
}

}  // namespace

const Op& space_to_depth_op() {
  static const Op op{.name = "space_to_depth",
                     .onnx = {"SpaceToDepth"},
                     .infer = infer_space_to_depth,
                     .reference = reference_space_to_depth,
                     .gradient = movement_gradient<space_to_depth_op>,
                     .examples = examples_space_to_depth};
  return op;
}

}  // namespace plimsoll
