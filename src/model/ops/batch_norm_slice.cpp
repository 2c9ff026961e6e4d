#include "model/ops/batch_norm_slice.h"

#include <fmt/format.h>

#include "model/ir/evaluate.h"
#include "model/ops/batch_norm_training.h"
#include "model/ops/doubles.h"
#include "model/ops/example.h"

namespace plimsoll {
namespace {

Result<std::vector<TensorType>> infer_slice(const OpCall& call) {
  std::vector<const TensorType*> norm;
  for (size_t i = 0; i < 5; ++i) norm.push_back(&call.type(i));
  PLIM_ASSIGN(auto outputs,
              infer(batch_norm_train(), OpCall(call.attributes, norm, std::vector<const Tensor*>(5, nullptr), 5)));
  const int64_t channels = call.attributes.integer("channels", 0), first = call.attributes.integer("first", 0);
  Shape& whole = outputs[0].shape;
  if (first < 0 || first > channels || whole[1] > channels - first)
    return user_error(fmt::format("channels {} to {} of {}", first, first + whole[1], channels));
  whole[1] = channels;
  if (call.has(5) && call.type(5) != outputs[0]) return user_error("the whole so far is not of the whole's type");
  return outputs;
}

// As many operations as the norm has, on x alone.
Cost cost_slice(const OpCall& call) { return {{}, as<Flops>(call.type(0).elements() * 8)}; }

// The whole is not read, and the slice is as large as x.
Bytes moved_slice(const OpCall& call) { return call.type(0).bytes() * 2 + call.type(1).bytes() * 8; }

bool reference_slice(const OpCall& call, std::span<const TensorView> in, std::span<const TensorView> out) {
  if (!all_numbers(in, out)) return false;
  std::vector<Tensor> inputs;
  std::vector<const Tensor*> pointers;
  for (size_t i = 0; i < 5; ++i) {
    inputs.emplace_back(*in[i].type);
    std::copy_n(in[i].data, inputs.back().bytes.size(), inputs.back().bytes.data());
  }
  for (const Tensor& tensor : inputs) pointers.push_back(&tensor);
  const auto results = evaluate(batch_norm_train(), call.attributes, pointers, 5);
  if (!results.ok() || !results->has_value()) return false;
  auto whole = read_doubles(in, 5);
  whole.resize(size_t(out[0].size()));
  const auto y = (**results)[0].doubles();
  const Shape& x = in[0].shape();
  const int64_t plane = x.elements(2, x.rank()).value(), run = x[1] * plane;
  const int64_t start = call.attributes.integer("first", 0) * plane, step = out[0].shape()[1] * plane;
  for (int64_t n = 0; n < x[0]; ++n) std::copy_n(y.begin() + n * run, run, whole.begin() + n * step + start);
  write_doubles(out, 0, whole);
  for (size_t i = 1; i < out.size(); ++i) write_doubles(out, i, (**results)[i].doubles());
  return true;
}

std::vector<OpExample> examples_slice() {
  const auto of = [](Shape x, int64_t channels) {
    const auto of_channel = example::f32({x[1]});
    Shape whole = x;
    whole[1] = channels;
    return std::vector{example::f32(x), of_channel, of_channel, of_channel, of_channel, example::f32(whole)};
  };
  const auto at = [](int64_t first, int64_t channels, int64_t grain) {
    return Attributes{{"first", first}, {"channels", channels}, {"grain", grain}};
  };
  return {{"images", at(2, 7, 1), of({2, 3, 4, 5}, 7), 5},
          {"whole blocks", at(16, 48, 16), of({3, 16, 3, 3}, 48), 5},
          {"vectors", at(0, 4, 1), of({4, 3}, 4), 5}};
}

}  // namespace

const Op& batch_norm_slice_train() {
  static const Op op{.name = "batch_norm_slice_train",
                     .kind = OpKind::batch_norm,
                     .starts = "010",
                     .before_activation = true,
                     .onnx = {},
                     .roles = "xwwbbx",
                     .required_inputs = 5,
                     .infer = infer_slice,
                     .cost = cost_slice,
                     .reference = reference_slice,
                     .examples = examples_slice,
                     .updates = {{0, 5}, {1, 3}, {2, 4}},
                     .moved = moved_slice};
  return op;
}

}  // namespace plimsoll
