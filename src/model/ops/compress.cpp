// compress: the entries along an axis (or of the flattened tensor) whose condition is true. How
// many is up to the data.
#include <fmt/format.h>

#include "model/ops/element_moves.h"
#include "model/ops/example.h"
#include "model/ops/gradient.h"

namespace plimsoll {

const Op& compress_op();

namespace {

struct Layout {
  int64_t outer, entries, inner;
};

Result<Layout> layout_of(const OpCall& call) {
  const Shape& from = call.shape(0);
  if (!call.attributes.has("axis")) return Layout{1, from.elements().value(), 1};
  PLIM_ASSIGN(const int axis, normalise_axis(call.attributes.integer("axis", 0), from.rank()));
  return Layout{from.elements(0, axis).value(), from[axis], from.elements(axis + 1, from.rank()).value()};
}

Result<std::vector<TensorType>> infer_compress(const OpCall& call) {
  PLIM_ASSIGN(const Layout layout, layout_of(call));
  if (call.shape(1).rank() != 1 || call.dtype(1) != DType::boolean)
    return user_error(
        fmt::format("the condition is {} {}, expected a vector of bool", name_of(call.dtype(1)), call.shape(1).text()));
  int64_t count = std::min(layout.entries, call.shape(1)[0]);
  if (const Tensor* condition = call.constant(1)) {
    const auto* kept = condition->as<bool>();
    count = std::count(kept, kept + count, true);
  }
  Shape shape{count};
  if (call.attributes.has("axis")) {
    shape = call.shape(0);
    shape[*normalise_axis(call.attributes.integer("axis", 0), shape.rank())] = count;
  }
  return std::vector{TensorType{call.dtype(0), shape}};
}

bool reference_compress(const OpCall& call, std::span<const TensorView> in, std::span<const TensorView> out) {
  if (out[0].size() == 0) return true;
  const Layout layout = *layout_of(call);
  const size_t block = size_t(layout.inner) * element_size(in[0].dtype());
  std::byte* to = out[0].data;
  for (int64_t i = 0; i < layout.outer; ++i)
    for (int64_t entry = 0; entry < std::min(layout.entries, in[1].size()); ++entry) {
      if (!in[1].as<bool>()[entry]) continue;
      std::memcpy(to, in[0].data + size_t(i * layout.entries + entry) * block, block);
      to += block;
    }
  return true;
}

void gradient_compress(Backward& backward) {
  if (!backward.call().constant(1)) return backward.fail("what is kept depends on the data");
  movement_gradient<compress_op>(backward);
}

std::vector<OpExample> examples_compress() {
  Tensor condition({DType::boolean, Shape{3}});
  condition.as<bool>()[1] = condition.as<bool>()[2] = true;
  return {{"along an axis", {{"axis", int64_t{1}}}, {example::f32({2, 3, 2}), example::known(condition)}},
          {"flattened", {}, {example::f32({2, 3}), {{DType::boolean, Shape{5}}}}}};
}

}  // namespace

const Op& compress_op() {
  static const Op op{.name = "compress",
                     .onnx = {"Compress"},
                     .required_inputs = 2,
                     .infer = infer_compress,
                     .reference = reference_compress,
                     .gradient = gradient_compress,
                     .examples = examples_compress,
                     .data_dependent = true};
  return op;
}

}  // namespace plimsoll
