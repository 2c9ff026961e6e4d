// A Graph written in a few lines, for tests of what reads graphs.
#pragma once

#include "model/ir/bind.h"
#include "model/ops/all_ops.h"

namespace plimsoll {

struct SmallGraph {
  Graph graph;

  SmallGraph() { graph.name = "net"; }

  ValueId input(const std::string& name, SymbolicShape shape, DType type = DType::f32) {
    graph.inputs.push_back(graph.add({name, Role::input, type, std::move(shape), nullptr}));
    return graph.inputs.back();
  }
  ValueId parameter(const std::string& name, const Shape& shape) {
    return graph.add({name, Role::parameter, DType::f32, fixed(shape), nullptr});
  }
  ValueId constant(const std::string& name, Tensor tensor) {
    const auto data = std::make_shared<const Tensor>(std::move(tensor));
    return graph.add({name, Role::constant, data->type.dtype, fixed(data->type.shape), data});
  }
  ValueId boolean(const std::string& name, bool value) {
    Tensor tensor({DType::boolean, {}});
    *tensor.as<bool>() = value;
    return constant(name, tensor);
  }
  // A node named as its output; ops that all_ops does not have are unknown operations.
  ValueId node(const std::string& name, const std::string& op, std::vector<ValueId> inputs,
               Attributes attributes = {}) {
    const ValueId output = graph.add({name, Role::activation, DType::f32, std::nullopt, nullptr});
    graph.nodes.push_back({find_op(op), op, name, std::move(inputs), {output}, std::move(attributes)});
    return output;
  }
  std::shared_ptr<const Graph> finish(std::vector<ValueId> outputs) {
    graph.outputs = std::move(outputs);
    return std::make_shared<const Graph>(graph);
  }
};

inline const ProgramValue* value_named(const Program& program, std::string_view name) {
  for (const auto& value : program.values)
    if (value.name == name) return &value;
  return nullptr;
}

inline const Operation* operation_named(const Program& program, std::string_view name) {
  for (const auto& operation : program.operations)
    if (operation.name == name) return &operation;
  return nullptr;
}

}  // namespace plimsoll
