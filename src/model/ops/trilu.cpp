// trilu: the upper or lower triangle of each matrix, from the k-th diagonal on; 0 elsewhere.
#include <fmt/format.h>

#include "model/ops/element_moves.h"
#include "model/ops/example.h"
#include "model/ops/gradient.h"

namespace plimsoll {

const Op& trilu_op();

namespace {

Result<std::vector<TensorType>> infer_trilu(const OpCall& call) {
  if (call.shape(0).rank() < 2) return user_error(fmt::format("expected matrices, found {}", call.shape(0).text()));
  if (call.has(1) && call.type(1).elements() != Count(1))
    return user_error(fmt::format("k has the shape {}, expected one number", call.shape(1).text()));
  if (call.has(1)) PLIM_TRY(check_indices(call, 1));
  return std::vector{call.type(0)};
}

bool reference_trilu(const OpCall& call, std::span<const TensorView> in, std::span<const TensorView> out) {
  const Shape& shape = in[0].shape();
  const int64_t rows = shape[shape.rank() - 2], columns = shape[shape.rank() - 1];
  const bool upper = call.attributes.integer("upper", 1) != 0;
  int64_t k = 0;
  if (in.size() > 1 && in[1].present())
    for (const int64_t given : integers_of(in[1])) k = std::clamp(given, -rows - 1, columns + 1);
  const size_t size = element_size(in[0].dtype());
  for (int64_t i = 0; i < out[0].size(); ++i) {
    const int64_t row = i / columns % rows, column = i % columns;
    const bool kept = upper ? column >= row + k : column <= row + k;
    if (kept) copy_element(in[0], i, out[0], i, size);
    else std::memset(out[0].data + size_t(i) * size, 0, size);
  }
  return true;
}

void gradient_trilu(Backward& backward) {
  if (backward.wants(0))
    backward.set(0, backward.emit(trilu_op(), {backward.gradient(), backward.input(1)}, backward.attributes()));
}

std::vector<OpExample> examples_trilu() {
  return {{"upper", {}, {example::f32({2, 3, 4})}},
          {"lower", {{"upper", int64_t{0}}}, {example::f32({2, 3, 3}), example::known(integer_scalar(-1))}}};
}

}  // namespace

const Op& trilu_op() {
  static const Op op{.name = "trilu",
                     .onnx = {"Trilu"},
                     .roles = "xc",
                     .infer = infer_trilu,
                     .reference = reference_trilu,
                     .gradient = gradient_trilu,
                     .examples = examples_trilu,
                     .elementwise = true};
  return op;
}

}  // namespace plimsoll
