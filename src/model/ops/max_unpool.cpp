// max_unpool: puts numbers back to where max_pool found them (input 1, its Indices), zeros elsewhere.
// A stated output_shape (input 2) may be larger than what the window gives; the indices still count in
// the latter. No arithmetic. An index outside the output is left out.
#include <fmt/format.h>

#include "model/ops/doubles.h"
#include "model/ops/example.h"
#include "model/ops/gradient.h"
#include "model/ops/pool.h"

namespace plimsoll {
namespace {

// What the pooling window was slid over.
Result<Shape> pooled_shape(const OpCall& call) {
  const Shape& x = call.shape(0);
  PLIM_ASSIGN(Window window, pool_window(call));
  Shape shape{x[0], x[1]};
  for (size_t a = 0; a < window.kernel.size(); ++a) {
    const int64_t size = x[int(a) + 2];
    const Count reach = Count(window.stride[a]) * std::max<int64_t>(0, size - 1) + Count(window.kernel[a]);
    const int64_t left = reach.overflowed() ? 0 : reach.value() - window.pad_begin[a] - window.pad_end[a];
    if (left < 1) return user_error(fmt::format("input {} and its window leave an output of {}", x.text(), left));
    shape.push_back(left);
  }
  return shape;
}

Result<std::vector<TensorType>> infer_max_unpool(const OpCall& call) {
  if (call.shape(1) != call.shape(0))
    return user_error(fmt::format("indices have the shape {}, expected that of the input, {}", call.shape(1).text(),
                                  call.shape(0).text()));
  PLIM_ASSIGN(Shape shape, pooled_shape(call));
  PLIM_ASSIGN(auto stated, call.integers("output_shape", 2));
  if (!stated) return std::vector{TensorType{call.dtype(0), shape}};
  if (int(stated->size()) != shape.rank())
    return user_error(fmt::format("output_shape has {} numbers, expected {}", stated->size(), shape.rank()));
  return std::vector{TensorType{call.dtype(0), Shape(*stated)}};
}

bool reference_max_unpool(const OpCall& call, std::span<const TensorView> in, std::span<const TensorView> out) {
  if (!all_numbers(in, out)) return false;
  const Shape from = *pooled_shape(call);
  const Shape& to = out[0].shape();
  const auto x = read_doubles(in[0]), indices = read_doubles(in[1]);
  const auto count = double(from.elements().value());
  std::vector<double> y(size_t(out[0].size()));
  for (size_t i = 0; i < x.size(); ++i) {
    if (!(indices[i] >= 0 && indices[i] < count)) continue;
    auto rest = int64_t(indices[i]);
    int64_t offset = 0, stride = 1;
    bool inside = true;
    for (int axis = from.rank() - 1; axis >= 0; --axis) {
      inside = inside && rest % from[axis] < to[axis];
      if (!inside) break;
      offset += rest % from[axis] * stride;
      stride *= to[axis];
      rest /= from[axis];
    }
    if (inside) y[size_t(offset)] = x[i];
  }
  write_doubles(out, 0, y);
  return true;
}

std::vector<OpExample> examples_max_unpool() {
  using example::f32, example::i64, example::Ints;
  const Attributes window{{"kernel_shape", Ints{2, 2}}, {"strides", Ints{2, 2}}};
  return {{"2-D", window, {f32({2, 3, 2, 2}), i64({2, 3, 2, 2})}},
          {"to a stated shape", window, {f32({1, 1, 2, 2}), i64({1, 1, 2, 2}), example::ints({1, 1, 5, 5})}}};
}

}  // namespace

const Op& max_unpool_op() {
  static const Op op{.name = "max_unpool",
                     .kind = OpKind::pool,
                     .onnx = {"MaxUnpool"},
                     .roles = "xxc",
                     .required_inputs = 2,
                     .infer = infer_max_unpool,
                     .reference = reference_max_unpool,
                     .gradient = movement_gradient<max_unpool_op>,
                     .examples = examples_max_unpool};
  return op;
}

}  // namespace plimsoll
