// Graph: what a network is. Nodes in an order in which each follows what it reads, values
// with names, shapes still symbolic in the batch; no hardware, no threads, no weights read.
//
// Ids are indices and stay valid: nothing is ever removed from a Graph, passes build new ones.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/ir/attributes.h"
#include "model/ir/op.h"

namespace plimsoll {

struct ValueId {
  int32_t index = -1;  // -1: an optional input or output that is absent
  bool present() const { return index >= 0; }
  auto operator<=>(const ValueId&) const = default;
};

enum class Role : uint8_t {
  input,       // a sample, labels: comes with every batch
  parameter,   // learnable, stored
  buffer,      // stored, not learned: batch-norm statistics
  constant,    // part of the program: shapes, axes, literals
  activation,  // computed by a node
  gradient,    // of a parameter, complete: kept until the update
  state,       // kept from step to step by the optimizer
};

struct Value {
  std::string name;
  Role role = Role::activation;
  DType dtype = DType::f32;
  // Always there but for activations, where it is only a hint that stands in when the
  // producer's shape rule cannot tell (ONNX value_info).
  std::optional<SymbolicShape> shape;
  TensorPtr data;  // contents, where they are known and small
};

struct Node {
  const Op* op = nullptr;  // nullptr: an operation we do not know; it is listed, never counted as 0
  std::string op_name;     // "conv", or the foreign name: "com.example:Foo"
  std::string name;        // "layer1.0.conv1"
  std::vector<ValueId> inputs;
  std::vector<ValueId> outputs;
  Attributes attributes;
};

class Graph {
 public:
  std::string name;
  std::vector<Value> values;
  std::vector<Node> nodes;
  std::vector<ValueId> inputs;
  std::vector<ValueId> outputs;
  std::string batch_symbol = "N";  // the name of the batch dimension; empty when the batch is fixed
  std::vector<std::string> notes;  // what a reader should know: warnings of the importer

  Value& value(ValueId id) { return values.at(size_t(id.index)); }
  const Value& value(ValueId id) const { return values.at(size_t(id.index)); }

  ValueId add(Value value) {
    values.push_back(std::move(value));
    return {int32_t(values.size()) - 1};
  }
};

// Every id in range, every value produced once and before it is read, roles and producers in
// agreement. For tests and after passes: a broken Graph is a bug of ours, not a user's.
Status validate(const Graph& graph);

}  // namespace plimsoll
