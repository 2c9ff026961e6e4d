#include "model/ir/evaluate_graph.h"

#include <fmt/format.h>

#include <cstring>

#include "base/text.h"
#include "model/ir/evaluate.h"

namespace plimsoll {
namespace {

constexpr int64_t kMostRounds = 1'000'000;

using Results = Result<std::vector<TensorPtr>>;

Results run_graph(const Graph& graph, const std::vector<TensorPtr>& inputs);

bool bool_of(const TensorPtr& tensor) {
  const auto numbers = tensor ? tensor->integers() : std::vector<int64_t>{};
  return !numbers.empty() && numbers[0] != 0;
}

Results run_branch(const Node& node, const std::vector<TensorPtr>& inputs) {
  const auto branch = node.attributes.graph(bool_of(inputs.at(0)) ? "then_branch" : "else_branch");
  if (!branch) return user_error("has no branch to take");
  return run_graph(*branch, {inputs.begin() + 1, inputs.end()});
}

// One tensor of all rounds' results, on a new first axis.
TensorPtr stack(const std::vector<TensorPtr>& rounds) {
  if (rounds.empty()) return nullptr;
  std::vector<int64_t> dims = rounds[0]->type.shape.dims();
  dims.insert(dims.begin(), int64_t(rounds.size()));
  auto all = std::make_shared<Tensor>(TensorType{rounds[0]->type.dtype, Shape(std::move(dims))});
  for (size_t i = 0; i < rounds.size(); ++i) {
    if (rounds[i]->type != rounds[0]->type) return nullptr;
    std::memcpy(all->bytes.data() + i * rounds[0]->bytes.size(), rounds[i]->bytes.data(), rounds[i]->bytes.size());
  }
  return all;
}

Results run_loop(const Node& node, const std::vector<TensorPtr>& inputs) {
  const auto body = node.attributes.graph("body");
  const size_t captures = size_t(node.attributes.integer("captures", 0));
  if (!body || inputs.size() < 2 + captures) return user_error("has no body or too few inputs");
  const int64_t limit = inputs[0] && !inputs[0]->integers().empty() ? inputs[0]->integers()[0] : kMostRounds;
  bool go_on = !inputs[1] || bool_of(inputs[1]);
  std::vector<TensorPtr> carried(inputs.begin() + 2, inputs.end() - int64_t(captures));
  const size_t count = carried.size();
  std::vector<std::vector<TensorPtr>> collected(node.outputs.size() - std::min(node.outputs.size(), count));
  for (int64_t round = 0; round < std::min(limit, kMostRounds) && go_on; ++round) {
    auto condition = std::make_shared<Tensor>(TensorType{DType::boolean, {}});
    *condition->as<bool>() = true;
    std::vector<TensorPtr> arguments = {std::make_shared<Tensor>(integer_scalar(round)), std::move(condition)};
    arguments.insert(arguments.end(), carried.begin(), carried.end());
    arguments.insert(arguments.end(), inputs.end() - int64_t(captures), inputs.end());
    PLIM_ASSIGN(const auto results, run_graph(*body, arguments));
    if (results.size() < 1 + count + collected.size()) return user_error("its body has too few outputs");
    go_on = bool_of(results[0]);
    std::copy(results.begin() + 1, results.begin() + 1 + int64_t(count), carried.begin());
    for (size_t i = 0; i < collected.size(); ++i) collected[i].push_back(results[1 + count + i]);
  }
  for (const auto& rounds : collected) carried.push_back(stack(rounds));
  return carried;
}

Results run_node(const Node& node, const std::vector<TensorPtr>& inputs) {
  if (!node.op) return undetermined(fmt::format("{} is not known", printable(node.op_name, 80)));
  if (node.op->control == Control::branch) return run_branch(node, inputs);
  if (node.op->control == Control::loop) return run_loop(node, inputs);
  if (node.op->control != Control::none) return undetermined("control flow that is not evaluated");
  std::vector<const Tensor*> tensors;
  for (const auto& input : inputs) tensors.push_back(input.get());
  PLIM_ASSIGN(auto outputs, evaluate(*node.op, node.attributes, tensors, node.outputs.size()));
  if (!outputs) return undetermined(fmt::format("{} has no reference maths for these types", node.op_name));
  std::vector<TensorPtr> results;
  for (auto& output : *outputs) results.push_back(std::make_shared<Tensor>(std::move(output)));
  return results;
}

Results run_graph(const Graph& graph, const std::vector<TensorPtr>& inputs) {
  if (inputs.size() != graph.inputs.size())
    return user_error(fmt::format("takes {} inputs, {} are given", graph.inputs.size(), inputs.size()));
  std::vector<TensorPtr> values(graph.values.size());
  for (size_t i = 0; i < values.size(); ++i) values[i] = graph.values[i].data;
  for (size_t i = 0; i < inputs.size(); ++i) values[size_t(graph.inputs[i].index)] = inputs[i];
  for (const auto& node : graph.nodes) {
    std::vector<TensorPtr> arguments;
    for (const ValueId id : node.inputs) {
      if (id.present() && !values[size_t(id.index)])
        return undetermined(fmt::format("the contents of {} are not known", in_quotes(graph.value(id).name)));
      arguments.push_back(id.present() ? values[size_t(id.index)] : nullptr);
    }
    auto results = run_node(node, arguments);
    if (!results.ok()) return std::move(results).error().in("node " + in_quotes(node.name));
    for (size_t i = 0; i < std::min(results->size(), node.outputs.size()); ++i)
      if (node.outputs[i].present()) values[size_t(node.outputs[i].index)] = (*results)[i];
  }
  std::vector<TensorPtr> outputs;
  for (const ValueId id : graph.outputs) outputs.push_back(values[size_t(id.index)]);
  return outputs;
}

}  // namespace

Result<std::vector<Tensor>> evaluate_graph(const Graph& graph, const std::vector<TensorPtr>& inputs) {
  PLIM_ASSIGN(const auto results, run_graph(graph, inputs));
  std::vector<Tensor> outputs;
  for (const auto& result : results) {
    if (!result) return undetermined("an output has no contents");
    outputs.push_back(*result);
  }
  return outputs;
}

}  // namespace plimsoll
