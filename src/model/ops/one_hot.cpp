// one_hot: every index becomes a row of `depth` numbers, the "on" value at its place and the "off"
// value elsewhere. An index outside the row leaves it off, as ONNX says.
#include <fmt/format.h>

#include "model/ir/backward.h"
#include "model/ir/for_type.h"
#include "model/ops/element_moves.h"
#include "model/ops/example.h"

namespace plimsoll {
namespace {

constexpr double kDeepest = 4503599627370496.0;  // 2^52: a double counts exactly up to here

// The new axis counts in the output, which has one axis more.
Result<int> axis_of(const OpCall& call) {
  return normalise_axis(call.attributes.integer("axis", -1), call.shape(0).rank() + 1);
}

Result<std::vector<TensorType>> infer_one_hot(const OpCall& call) {
  PLIM_ASSIGN(const int axis, axis_of(call));
  if (call.type(1).elements() != Count(1))
    return user_error(fmt::format("depth has the shape {}, expected one number", call.shape(1).text()));
  if (call.type(2).elements() != Count(2))
    return user_error(fmt::format("values have the shape {}, expected off and on", call.shape(2).text()));
  if (!call.constant(1)) return undetermined("the depth is not known before the run");
  const auto numbers = call.constant(1)->doubles();
  if (numbers.empty()) return undetermined("a depth of this number type is not read");
  if (!(numbers[0] >= 1 && numbers[0] <= kDeepest))
    return user_error(fmt::format("depth is {}, expected at least 1 and no overflow", numbers[0]));
  std::vector<int64_t> dims = call.shape(0).dims();
  dims.insert(dims.begin() + axis, int64_t(numbers[0]));
  return std::vector{TensorType{call.dtype(2), Shape(std::move(dims))}};
}

bool reference_one_hot(const OpCall& call, std::span<const TensorView> in, std::span<const TensorView> out) {
  if (out[0].size() == 0) return true;
  const auto axis = size_t(*axis_of(call));
  const int64_t depth = out[0].shape()[int(axis)];
  const size_t size = element_size(in[2].dtype());
  const int64_t inner = out[0].shape().elements(int(axis) + 1, out[0].shape().rank()).value();
  return for_number(in[0].dtype(), [&](auto zero) {
    using T = decltype(zero);
    const T* indices = in[0].as<T>();
    for (int64_t to = 0; to < out[0].size(); ++to) {
      const int64_t outer = to / (depth * inner), place = to / inner % depth;
      double index = double(indices[outer * inner + to % inner]);
      if (index < 0) index += double(depth);
      copy_element(in[2], index == double(place) ? 1 : 0, out[0], to, size);
    }
  });
}

std::vector<OpExample> examples_one_hot() {
  const auto depth = [] { return example::known(integer_scalar(4)); };
  const auto values = [] { return example::known(float_tensor({2}, {0, 1})); };
  return {{"last axis", {}, {example::i64({2, 3}), depth(), values()}},
          {"middle axis", {{"axis", int64_t{1}}}, {example::i64({2, 3}), depth(), values()}}};
}

}  // namespace

const Op& one_hot_op() {
  static const Op op{.name = "one_hot",
                     .onnx = {"OneHot"},
                     .roles = "xcc",
                     .required_inputs = 3,
                     .infer = infer_one_hot,
                     .reference = reference_one_hot,
                     .gradient = no_gradient,
                     .examples = examples_one_hot};
  return op;
}

}  // namespace plimsoll
