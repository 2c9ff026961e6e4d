// GraphMaker: a Graph that grows node by node, with the numbers that each value has in double precision. A node is
// only added where its shape rule agrees and its results are few, finite and not large; so whatever is built on it has
// something to compute with.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "model/ir/graph.h"
#include "model/ir/weights.h"
#include "tests/fuzz/random_graphs/dice.h"

namespace plimsoll {

using Ints = std::vector<int64_t>;
using Ids = std::vector<ValueId>;

// Where the numbers of a fresh tensor lie.
enum class Numbers { both_signs, positive, above_one };

class GraphMaker {
 public:
  explicit GraphMaker(Dice& dice) : dice(dice) { graph_.batch_symbol.clear(); }

  Dice& dice;

  ValueId input(const Shape& shape);
  ValueId parameter(const Shape& shape, Numbers numbers = Numbers::both_signs);
  ValueId buffer(const Shape& shape, Numbers numbers);
  ValueId constant(Tensor tensor);
  ValueId ints(const Ints& numbers) { return constant(integer_tensor(numbers)); }

  // nullopt, and nothing added, where the node cannot stand.
  std::optional<Ids> apply(std::string_view op, const Ids& inputs, const Attributes& attributes, size_t outputs);
  std::optional<ValueId> apply(std::string_view op, const Ids& inputs, const Attributes& attributes = {});
  // A node whose numbers are those of its input, in a format that reference maths does not compute with.
  ValueId cast_unseen(ValueId x, DType to, int64_t onnx_type);

  // x with another shape: its numbers in order, repeated or cut off at the end.
  std::optional<ValueId> fit(ValueId x, Shape shape);
  // A computed value to join with, an earlier one or `other` itself.
  ValueId earlier(ValueId other);

  Shape shape(ValueId id) const { return types_.at(size_t(id.index)).shape; }  // a copy: the list grows
  DType dtype(ValueId id) const { return types_.at(size_t(id.index)).dtype; }
  const Graph& graph() const { return graph_; }
  Graph& graph() { return graph_; }
  const std::map<std::string, Tensor>& stored() const { return stored_; }  // parameters and buffers, f32
  const Tensor& numbers(ValueId id) const { return numbers_.at(size_t(id.index)); }

 private:
  ValueId add(Value value, TensorType type, Tensor numbers);
  ValueId add_stored(Role role, const Shape& shape, Numbers numbers);
  Tensor fresh(const Shape& shape, Numbers numbers);
  ValueId add_node(std::string_view op, const Ids& inputs, const Attributes& attributes,
                   const std::vector<TensorType>& types, std::vector<Tensor> numbers);

  Graph graph_;
  std::vector<TensorType> types_;  // of each value, as the network has it
  std::vector<Tensor> numbers_;    // of each value, floating ones in f64
  std::map<std::string, Tensor> stored_;
};

}  // namespace plimsoll
