#include "model/ir/evaluate.h"

#include "model/ir/for_type.h"

namespace plimsoll {
namespace {

bool computable(const TensorType& type) {
  return for_type(type.dtype, [](auto) {});
}

}  // namespace

Result<std::optional<std::vector<Tensor>>> evaluate(const Op& op, const Attributes& attributes,
                                                    const std::vector<const Tensor*>& inputs, size_t output_count) {
  std::vector<const TensorType*> types;
  std::vector<TensorView> input_views;
  types.reserve(inputs.size());
  input_views.reserve(inputs.size());
  for (const Tensor* input : inputs) {
    types.push_back(input ? &input->type : nullptr);
    // Reference maths only reads through input views; one kind of view serves both directions.
    input_views.push_back(input ? TensorView(input->type, const_cast<std::byte*>(input->bytes.data())) : TensorView());
    if (input && !computable(input->type)) return std::optional<std::vector<Tensor>>();
  }
  OpCall call(attributes, types, inputs, output_count);
  PLIM_ASSIGN(call.outputs, infer(op, call));
  if (!op.reference) return std::optional<std::vector<Tensor>>();
  std::vector<Tensor> outputs;
  outputs.reserve(call.outputs.size());
  for (const auto& type : call.outputs) {
    if (!computable(type)) return std::optional<std::vector<Tensor>>();
    outputs.emplace_back(type);
  }
  std::vector<TensorView> output_views;
  for (auto& output : outputs) output_views.emplace_back(output);
  // Nothing to compute, and no loop over the other sizes of an empty tensor, which may be huge.
  const auto empty = [](const Tensor& output) { return output.size() == 0; };
  if (std::all_of(outputs.begin(), outputs.end(), empty)) return std::optional(std::move(outputs));
  if (!op.reference(call, input_views, output_views)) return std::optional<std::vector<Tensor>>();
  return std::optional(std::move(outputs));
}

Count reference_work(const Op& op, const OpCall& call) {
  Count elements(1);
  int rank = 1;
  for (size_t i = 0; i < call.input_count(); ++i)
    if (call.has(i)) elements += call.type(i).elements();
  for (const auto& type : call.outputs) {
    elements += type.elements();
    rank = std::max(rank, type.shape.rank());
  }
  const Cost cost = op.cost ? op.cost(call) : Cost{};
  return elements * (1 + rank / 8) + Count(cost.flops.value());
}

}  // namespace plimsoll
