// reverse_sequence: turns the first so many steps of each sequence in a batch around.
#include <fmt/format.h>

#include "model/ops/element_moves.h"
#include "model/ops/example.h"
#include "model/ops/gradient.h"

namespace plimsoll {
namespace {

struct Axes {
  int batch, time;
};

Axes axes_of(const OpCall& call) {
  const bool batch_first = call.attributes.integer("batch_axis", 1) == 0;
  return {batch_first ? 0 : 1, batch_first ? 1 : 0};
}

Result<std::vector<TensorType>> infer_reverse_sequence(const OpCall& call) {
  const Shape& from = call.shape(0);
  const int64_t batch = call.attributes.integer("batch_axis", 1), time = call.attributes.integer("time_axis", 0);
  if (from.rank() < 2 || batch < 0 || batch > 1 || time != 1 - batch)
    return user_error(
        fmt::format("batch_axis {} and time_axis {} of {}: expected 0 and 1 or 1 and 0", batch, time, from.text()));
  PLIM_TRY(check_indices(call, 1));
  if (call.shape(1) != Shape{from[int(batch)]})
    return user_error(fmt::format("sequence_lens has the shape {}, expected {} for {}", call.shape(1).text(),
                                  from[int(batch)], from.text()));
  return std::vector{call.type(0)};
}

bool reference_reverse_sequence(const OpCall& call, std::span<const TensorView> in, std::span<const TensorView> out) {
  if (in[0].size() == 0) return true;
  const Axes axes = axes_of(call);
  const Shape& shape = in[0].shape();
  const auto strides = shape.strides();
  const auto lengths = integers_of(in[1]);
  const size_t size = element_size(in[0].dtype()), block = size_t(shape.elements(2, shape.rank()).value()) * size;
  for (int64_t b = 0; b < shape[axes.batch]; ++b) {
    const int64_t length = std::clamp<int64_t>(lengths[size_t(b)], 0, shape[axes.time]);
    for (int64_t t = 0; t < shape[axes.time]; ++t) {
      const auto at = [&](int64_t step) {
        return size_t(b * strides[size_t(axes.batch)] + step * strides[size_t(axes.time)]) * size;
      };
      std::memcpy(out[0].data + at(t), in[0].data + at(t < length ? length - 1 - t : t), block);
    }
  }
  return true;
}

std::vector<OpExample> examples_reverse_sequence() {
  return {{"time first", {}, {example::f32({4, 2, 3}), example::ints({3, 4})}, 1, false},
          {"batch first",
           {{"batch_axis", int64_t{0}}, {"time_axis", int64_t{1}}},
           {example::f32({2, 4}), example::i64({2})}}};
}

}  // namespace

const Op& reverse_sequence_op() {
  static const Op op{.name = "reverse_sequence",
                     .onnx = {"ReverseSequence"},
                     .required_inputs = 2,
                     .infer = infer_reverse_sequence,
                     .reference = reference_reverse_sequence,
                     .gradient = movement_gradient<reverse_sequence_op>,
                     .examples = examples_reverse_sequence};
  return op;
}

}  // namespace plimsoll
