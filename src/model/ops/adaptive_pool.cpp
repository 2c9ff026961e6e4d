#include "model/ops/adaptive_pool.h"

#include <fmt/format.h>

namespace plimsoll {
namespace {

constexpr int64_t kLargest = int64_t{1} << 31;  // of a size: keeps the bins' products in 64 bits

}  // namespace

Result<std::vector<TensorType>> infer_adaptive_pool(const OpCall& call) {
  const Shape& x = call.shape(0);
  const auto wanted = call.attributes.integers("output_size");
  if (wanted.empty() || x.rank() != int(wanted.size()) + 2)
    return user_error(fmt::format("output_size has {} numbers, expected one for each spatial size of the input {}",
                                  wanted.size(), x.text()));
  Shape shape{x[0], x[1]};
  for (size_t a = 0; a < wanted.size(); ++a) {
    const int64_t have = x[int(a) + 2];
    if (wanted[a] < 1 || wanted[a] > kLargest || have < 1 || have > kLargest)
      return user_error(fmt::format("output_size {} of the input {}, expected sizes from 1 to {}",
                                    fmt::join(wanted, "x"), x.text(), kLargest));
    shape.push_back(wanted[a]);
  }
  return std::vector{TensorType{call.dtype(0), shape}};
}

Cost cost_adaptive_pool(const OpCall& call) {
  const Shape &x = call.shape(0), &y = call.outputs[0].shape;
  Count flops = y.elements();
  for (int axis = 2; axis < x.rank(); ++axis) flops = flops * ((x[axis] + y[axis] - 1) / y[axis]);
  return {{}, as<Flops>(flops)};
}

std::vector<OpExample> adaptive_pool_examples() {
  using Ints = std::vector<int64_t>;
  return {{"image", {{"output_size", Ints{3, 2}}}, {{{DType::f32, {2, 3, 7, 6}}}}},
          {"larger than the input", {{"output_size", Ints{5}}}, {{{DType::f32, {2, 3, 3}}}}}};
}

}  // namespace plimsoll
