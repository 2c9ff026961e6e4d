#include "model/ops/pool.h"

#include <fmt/format.h>

#include <limits>

#include "model/ir/for_type.h"

namespace plimsoll {

double lowest_of(DType type) {
  double lowest = 0;
  for_type(type, [&](auto zero) { lowest = double(std::numeric_limits<decltype(zero)>::lowest()); });
  return lowest;
}

Result<Window> pool_window(const OpCall& call) {
  auto kernel = call.attributes.integers("kernel_shape");
  if (kernel.empty()) return user_error("kernel_shape is missing");
  return read_window(call.attributes, call.shape(0), std::move(kernel));
}

Result<std::vector<TensorType>> infer_pool(const OpCall& call) {
  PLIM_ASSIGN(Window window, pool_window(call));
  const bool ceil_mode = call.attributes.integer("ceil_mode", 0) != 0;
  PLIM_ASSIGN(std::vector<int64_t> sizes, window_output(window, call.shape(0), ceil_mode));
  Shape shape{call.shape(0)[0], call.shape(0)[1]};
  for (const int64_t size : sizes) shape.push_back(size);
  return std::vector{TensorType{call.dtype(0), shape}};
}

Cost cost_pool(const OpCall& call) {
  Count flops = call.outputs[0].elements();
  for (const int64_t size : call.attributes.integers("kernel_shape")) flops = flops * size;
  return {{}, as<Flops>(flops)};
}

Result<std::vector<TensorType>> infer_global_pool(const OpCall& call) {
  const Shape& x = call.shape(0);
  if (x.rank() < 2) return user_error(fmt::format("the input has the shape {}, expected batch, channels …", x.text()));
  Shape shape{x[0], x[1]};
  for (int axis = 2; axis < x.rank(); ++axis) shape.push_back(1);
  return std::vector{TensorType{call.dtype(0), shape}};
}

Cost cost_global_pool(const OpCall& call) { return {{}, as<Flops>(call.type(0).elements())}; }

std::vector<OpExample> global_pool_examples() {
  return {{"image", {}, {{{DType::f32, {2, 3, 4, 5}}}}}, {"1-D", {}, {{{DType::f32, {2, 3, 7}}}}}};
}

}  // namespace plimsoll
