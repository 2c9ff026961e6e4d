// loop: runs a subgraph for a number of rounds or while a condition holds. bind() understands it: a Program has the
// body, as one that repeats or written out. What is left of a loop that is written out is what it collects: the results
// of its rounds, one below the other along a new first axis. Those are the rules here.
#include <fmt/format.h>

#include <cstring>

#include "model/ops/all_ops.h"
#include "model/ops/element_moves.h"
#include "model/ops/example.h"
#include "model/ops/gradient.h"

namespace plimsoll {
namespace {

Result<std::vector<TensorType>> infer_rounds(const OpCall& call) {
  PLIM_TRY(check_same_dtype(call, 1, call.input_count()));
  std::vector<int64_t> sizes{int64_t(call.input_count())};
  for (size_t i = 0; i < call.input_count(); ++i)
    if (!call.has(i) || call.shape(i) != call.shape(0))
      return user_error(fmt::format("round {} gives another shape than the first one", i));
  if (call.input_count() == 0) return user_error("collects nothing");
  sizes.insert(sizes.end(), call.shape(0).begin(), call.shape(0).end());
  return std::vector{TensorType{call.dtype(0), Shape(std::move(sizes))}};
}

bool reference_rounds(const OpCall&, std::span<const TensorView> in, std::span<const TensorView> out) {
  if (out[0].size() == 0) return true;
  const size_t bytes = size_t(in[0].size()) * element_size(in[0].dtype());
  for (size_t i = 0; i < in.size(); ++i) std::memcpy(out[0].data + i * bytes, in[i].data, bytes);
  return true;
}

void gradient_rounds(Backward& backward) {
  const size_t rounds = backward.call().input_count();
  const auto parts = backward.emit(op_named("split"), {backward.gradient()},
                                   {{"axis", int64_t{0}}, {"split", std::vector<int64_t>(rounds, 1)}}, rounds);
  for (size_t i = 0; i < rounds; ++i)
    if (backward.wants(i))
      backward.set(i, backward.emit(op_named("reshape"), {parts[i]},
                                    {{"shape", sizes_of(backward.call().shape(i))}, {"allowzero", int64_t{1}}}));
}

std::vector<OpExample> examples_rounds() { return {{"four rounds", {}, std::vector(4, example::f32({2, 3}))}}; }

}  // namespace

const Op& loop_op() {
  static const Op op{.name = "loop",
                     .onnx = {"Loop"},
                     .roles = "ccx",
                     .required_inputs = 0,
                     .infer = infer_rounds,
                     .reference = reference_rounds,
                     .gradient = gradient_rounds,
                     .examples = examples_rounds,
                     .control = Control::loop};
  return op;
}

}  // namespace plimsoll
