#include "model/ops/batch_norm_pieces.h"

#include <cstring>

#include "model/ir/evaluate.h"
#include "model/ops/all_ops.h"
#include "model/ops/batch_norm_training.h"
#include "model/ops/doubles.h"
#include "model/ops/elementwise.h"
#include "model/ops/example.h"
#include "model/ops/gradient.h"

namespace plimsoll {
namespace {

using Types = std::vector<const TensorType*>;
using Views = std::span<const TensorView>;

const Attributes& along_channels() {
  static const Attributes attributes{{"axis", int64_t{1}}};
  return attributes;
}

Result<std::vector<TensorType>> infer_as(const Op& op, const Attributes& attributes, Types inputs, size_t outputs) {
  std::vector<const Tensor*> unknown(inputs.size(), nullptr);
  return infer(op, OpCall(attributes, std::move(inputs), std::move(unknown), outputs));
}

template <const Op& (*norm)()>
Result<std::vector<TensorType>> infer_norm(const OpCall& call) {
  Types pieces;
  for (size_t k = 0; k < norm_pieces_of(call.input_count()); ++k) {
    if (!call.has(norm_piece(k))) return user_error("a piece is missing");
    pieces.push_back(&call.type(norm_piece(k)));
  }
  PLIM_ASSIGN(const auto whole, infer_as(op_named("concat"), along_channels(), pieces, 1));
  return infer_as(norm(), call.attributes, {whole.data(), &call.type(1), &call.type(2), &call.type(3), &call.type(4)},
                  call.output_count());
}

Result<std::vector<TensorType>> infer_grad(const OpCall& call) {
  if (call.input_count() % 2 == 0) return user_error("a piece without what its gradient is added to");
  std::vector<TensorType> outputs{call.type(1), call.type(1)};
  Types pieces;
  for (size_t at = norm_grad_piece(0); at < call.input_count(); at += 2) {
    if (!call.has(at)) return user_error("a piece is missing");
    if (call.has(at + 1) && call.type(at + 1) != call.type(at)) return user_error("a sum is not of its piece's type");
    pieces.push_back(&call.type(at));
    outputs.push_back(call.type(at));
  }
  PLIM_ASSIGN(const auto whole, infer_as(op_named("concat"), along_channels(), pieces, 1));
  TensorType dy = call.type(0);
  const int64_t first = call.attributes.integer("first", 0);
  const bool inside = dy.shape.rank() >= 2 && first >= 0 && first <= dy.shape[1] - whole[0].shape[1];
  if (inside) dy.shape[1] = whole[0].shape[1];
  if (whole[0] != dy) return user_error("the gradient is not of the type of all pieces together");
  return outputs;
}

Tensor copy_of(const TensorView& view) {
  Tensor tensor(*view.type);
  std::memcpy(tensor.bytes.data(), view.data, tensor.bytes.size());
  return tensor;
}

// The outputs of another operation on these tensors; empty tensors stand for absent ones.
std::optional<std::vector<Tensor>> by(const Op& op, const Attributes& attributes, const std::vector<Tensor>& inputs,
                                      size_t outputs) {
  std::vector<const Tensor*> pointers;
  for (const Tensor& tensor : inputs) pointers.push_back(tensor.bytes.empty() ? nullptr : &tensor);
  auto result = evaluate(op, attributes, pointers, outputs);
  return result.ok() ? std::move(*result) : std::nullopt;
}

void write(const TensorView& to, const Tensor& tensor) {
  if (to.present()) std::memcpy(to.data, tensor.bytes.data(), tensor.bytes.size());
}

template <const Op& (*norm)()>
bool reference_norm(const OpCall& call, Views in, Views out) {
  if (!all_numbers(in, out)) return false;
  std::vector<Tensor> pieces;
  for (size_t k = 0; k < norm_pieces_of(in.size()); ++k) pieces.push_back(copy_of(in[norm_piece(k)]));
  auto whole = by(op_named("concat"), along_channels(), pieces, 1);
  if (!whole) return false;
  std::vector<Tensor> inputs{std::move((*whole)[0])};
  for (size_t i = 1; i < 5; ++i) inputs.push_back(copy_of(in[i]));
  const auto results = by(norm(), call.attributes, inputs, out.size());
  if (!results) return false;
  for (size_t i = 0; i < out.size(); ++i) write(out[i], (*results)[i]);
  return true;
}

bool reference_grad(const OpCall& call, Views in, Views out) {
  if (!all_numbers(in, out)) return false;
  std::vector<Tensor> pieces;
  std::vector<int64_t> channels;
  for (size_t at = norm_grad_piece(0); at < in.size(); at += 2) {
    pieces.push_back(copy_of(in[at]));
    channels.push_back(in[at].shape()[1]);
  }
  auto whole = by(op_named("concat"), along_channels(), pieces, 1);
  if (!whole) return false;
  const int64_t first = call.attributes.integer("first", 0), all = (*whole)[0].type.shape[1];
  using example::Ints;
  const Attributes ours{{"starts", Ints{first}}, {"ends", Ints{first + all}}, {"axes", Ints{1}}};
  auto dy = by(op_named("slice"), ours, {copy_of(in[0])}, 1);
  if (!dy) return false;
  std::vector<Tensor> inputs{std::move((*dy)[0]), std::move((*whole)[0]), copy_of(in[1]), copy_of(in[2]),
                             copy_of(in[3])};
  if (in[4].present()) inputs.push_back(copy_of(in[4]));
  const auto gradients = by(batch_norm_grad(), call.attributes, inputs, 3);
  if (!gradients) return false;
  const auto cut = by(op_named("split"), with(along_channels(), "split", channels), {(*gradients)[0]}, channels.size());
  if (!cut) return false;
  write(out[0], (*gradients)[1]);
  write(out[1], (*gradients)[2]);
  for (size_t k = 0; k < channels.size(); ++k) {
    auto dx = (*cut)[k].doubles();
    const auto sum = read_doubles(in, norm_grad_piece(k) + 1);
    for (size_t i = 0; i < sum.size(); ++i) dx[i] += sum[i];
    write_doubles(out, 2 + k, dx);
  }
  return true;
}

Cost cost_grad(const OpCall& call) {
  Cost cost;
  for (size_t k = 2; k < call.outputs.size(); ++k) cost.flops += as<Flops>(call.outputs[k].elements() * 10);
  return cost;
}

void gradient_train(Backward& backward) {
  if (!backward.gradient().present()) return;
  std::vector<ValueId> inputs{backward.gradient(), backward.input(1), backward.output(3), backward.output(4), {}};
  const size_t pieces = norm_pieces_of(backward.call().input_count());
  for (size_t k = 0; k < pieces; ++k) {
    inputs.push_back(backward.input(norm_piece(k)));
    inputs.push_back({});
  }
  const auto gradients = backward.emit(batch_norm_pieces_grad(), inputs, {}, 2 + pieces);
  for (size_t k = 0; k < pieces; ++k)
    if (backward.wants(norm_piece(k))) backward.set(norm_piece(k), gradients[2 + k]);
  for (size_t i = 1; i < 3; ++i)
    if (backward.wants(i)) backward.set(i, gradients[i - 1]);
}

std::vector<OpExample> examples(size_t outputs) {
  using example::f32;
  const auto of = [&](Shape first, Shape second, Shape third) {
    const TensorType channel = f32({first[1] + second[1] + third[1]}).type;
    return std::vector<OpExample::Input>{{f32(first)}, {channel},   {channel}, {channel},
                                         {channel},    f32(second), f32(third)};
  };
  return {{"images", {}, of({2, 3, 4, 5}, {2, 1, 4, 5}, {2, 4, 4, 5}), outputs},
          {"whole blocks", {}, of({3, 16, 3, 3}, {3, 32, 3, 3}, {3, 16, 3, 3}), outputs},
          {"vectors", {{"epsilon", 1e-3}}, of({4, 3}, {4, 2}, {4, 3}), outputs}};
}

std::vector<OpExample> examples_train() { return examples(5); }
std::vector<OpExample> examples_stored() { return examples(1); }

const Op& stored_norm() { return op_named("batch_norm"); }

}  // namespace

const Op& batch_norm_pieces() {
  static const Op op{.name = "batch_norm_pieces",
                     .kind = OpKind::batch_norm,
                     .starts = "010",
                     .before_activation = true,
                     .onnx = {},
                     .roles = "xwwbbx",
                     .required_inputs = 5,
                     .infer = infer_norm<stored_norm>,
                     .cost = elementwise_cost<2>,
                     .reference = reference_norm<stored_norm>,
                     .examples = examples_stored,
                     .training = batch_norm_pieces_train};
  return op;
}

const Op& batch_norm_pieces_train() {
  static const Op op{.name = "batch_norm_pieces_train",
                     .kind = OpKind::batch_norm,
                     .starts = "010",
                     .before_activation = true,
                     .onnx = {},
                     .roles = "xwwbbx",
                     .required_inputs = 5,
                     .infer = infer_norm<batch_norm_train>,
                     .cost = elementwise_cost<8>,
                     .reference = reference_norm<batch_norm_train>,
                     .gradient = gradient_train,
                     .examples = examples_train,
                     .updates = {{1, 3}, {2, 4}}};
  return op;
}

const Op& batch_norm_pieces_grad() {
  static const Op op{.name = "batch_norm_pieces_grad",
                     .kind = OpKind::batch_norm,
                     .onnx = {},
                     .roles = "xwxxwx",
                     .required_inputs = 4,
                     .infer = infer_grad,
                     .cost = cost_grad,
                     .reference = reference_grad};
  return op;
}

}  // namespace plimsoll
