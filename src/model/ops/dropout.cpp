// dropout: at inference the input itself, with a mask of ones on request. In training each number is
// zeroed with probability `ratio` and the rest scaled up; that is an engine's business, not this one's.
// Cost: 1 an element (the scale).
#include "model/ops/doubles.h"
#include "model/ops/dropout_training.h"
#include "model/ops/elementwise.h"

namespace plimsoll {
namespace {

Result<std::vector<TensorType>> infer_dropout(const OpCall& call) {
  std::vector<TensorType> outputs{call.type(0)};
  if (call.output_count() > 1) outputs.push_back({DType::boolean, call.shape(0)});
  return outputs;
}

bool reference_dropout(const OpCall& call, std::span<const TensorView> in, std::span<const TensorView> out) {
  if (!all_numbers(in, out)) return false;
  const bool training = read_double(in, 2, 0) != 0;
  if (training && read_double(in, 1, call.attributes.number("ratio", 0.5)) != 0) return false;
  write_doubles(out, 0, read_doubles(in[0]));
  if (out.size() > 1) write_doubles(out, 1, std::vector<double>(size_t(in[0].size()), 1.0));
  return true;
}

// Of what it is at inference. (In training dropout_train stands here.)
void gradient_dropout(Backward& backward) { backward.set(0, backward.gradient()); }

std::vector<OpExample> examples_dropout() {
  return {{"image", {{"ratio", 0.5}}, {{{DType::f32, {2, 3, 4}}}}},
          {"with mask", {}, {{{DType::f32, {2, 7}}}, {{DType::f32, {}}}}, 2}};
}

}  // namespace

const Op& dropout_op() {
  static const Op op{.name = "dropout",
                     .kind = OpKind::nothing,
                     .before_activation = true,
                     .onnx = {"Dropout"},
                     .roles = "xc",
                     .infer = infer_dropout,
                     .cost = elementwise_cost<1>,
                     .reference = reference_dropout,
                     .gradient = gradient_dropout,
                     .examples = examples_dropout,
                     .storage = Storage::in_place,
                     .elementwise = true,
                     .training = dropout_train};
  return op;
}

}  // namespace plimsoll
