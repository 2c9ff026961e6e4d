// Binder: the work behind bind(). Private to bind.cpp (values, nodes, folding, costs), bind_control.cpp
// (If, Loop, Scan), bind_unrolled.cpp (short loops) and bind_sequence.cpp (lists of tensors).
//
// Walks a graph and its subgraphs in order and appends to one Program. A subgraph's inputs are
// values of the program like any other; what it captures keeps its id, so that a parameter read
// from inside is not a second parameter.
#pragma once

#include <map>
#include <set>

#include "model/ir/bind.h"

namespace plimsoll {

using ValueMap = std::vector<ValueId>;  // a graph's value → the program's

// The program's value behind output i of a subgraph.
Result<ValueId> output_of(const Graph& graph, const ValueMap& map, size_t i);

// One bool, where it is known.
std::optional<bool> truth(const Tensor* tensor);

class Binder {
 public:
  Binder(const Graph& graph, const BindOptions& options) : graph_(graph), options_(options) {}

  Result<Program> run();

 private:
  // Where a node stands: its graph, that graph's values, how often it runs, how deep it is nested.
  struct Place {
    const Graph& graph;
    ValueMap& map;
    Count repeat{1};
    int depth = 0;
  };

  struct Branch {
    const Graph* graph = nullptr;
    ValueMap map;
    size_t first = 0, last = 0;  // its operations: [first, last)
    Flops flops;
  };

  // What a Loop or Scan reads: head (rounds and condition of a Loop), carried, sequences, captures.
  struct LoopLayout {
    size_t head = 0, carried = 0, sequences = 0, captures = 0;
    bool is_scan() const { return head == 0; }
  };

  Status bind_inputs();
  bool takes_one_picture() const;
  Result<Shape> input_shape(const Value& value, bool first) const;
  Result<ValueMap> declare(const Graph& graph);
  Status bind_nodes(const Place& place);
  Status bind_node(const Node& node, const Place& place);
  Status bind_call(const Node& node, Operation operation, const Place& place);
  bool try_fold(const Operation& operation, const OpCall& call);
  std::optional<TensorType> hint(const Graph& graph, ValueId id) const;
  void set_types(const Node& node, const Place& place, const std::vector<TensorType>& types);
  bool reads_bounded(const Operation& operation) const;
  OpCall complete_call(const Operation& operation) const;
  void convert_formats();
  Status add_costs();

  Status bind_branch(const Node& node, const Operation& call, const Place& place);
  Result<Branch> bind_one_branch(const Graph& graph, const std::vector<ValueId>& captures, bool known,
                                 const Place& place);
  void drop_branch(const Branch& branch);
  Status bind_loop(const Node& node, const Operation& call, const Place& place);
  Result<LoopLayout> loop_layout(const Node& node, const Operation& call) const;
  Result<std::optional<int64_t>> loop_rounds(const Node& node, const Operation& call, const LoopLayout& layout) const;
  std::vector<ValueId> loop_arguments(const Node& node, const Operation& call, const LoopLayout& layout);
  bool never_ends_early(const Operation& call, const LoopLayout& layout, ValueId condition) const;
  Status bind_loop_outputs(const Node& node, const Graph& body, const ValueMap& inner, const LoopLayout& layout,
                           std::optional<int64_t> rounds, const Place& place);
  Result<ValueMap> bind_body(const Graph& body, const std::vector<ValueId>& arguments, Count repeat, int depth);

  Result<bool> unroll(const Node& node, const Operation& call, const LoopLayout& layout, int64_t rounds,
                      const Place& place);
  ValueId add_collected(const std::vector<ValueId>& rounds, const Node& node, size_t output, const Place& place);

  Status bind_sequence(const Node& node, Operation call, const Place& place);
  Status set_sequence(const Node& node, const Place& place, std::vector<ValueId> items);
  Status bind_unknown_sequence(const Node& node, Operation call, const Place& place);
  Status bind_concat_from_sequence(const Node& node, Operation call, const std::vector<ValueId>& items,
                                   const Place& place);
  Status bind_split_to_sequence(const Node& node, Operation call, const Place& place);

  ValueId add(ProgramValue value);
  ValueId add_constant(const std::string& name, Tensor tensor);
  ProgramValue& value(ValueId id) { return program_.values.at(size_t(id.index)); }
  const Tensor* constant_of(ValueId id) const;  // nullptr when absent or not known

  const Graph& graph_;
  const BindOptions& options_;
  Program program_;
  Bindings bindings_;
  ValueMap top_map_;
  std::set<ValueId> bounded_;                          // values whose size is only known as the largest it can be
  std::map<ValueId, std::vector<ValueId>> sequences_;  // lists of tensors whose items are known
  bool one_picture_ = false;                           // the input has no batch axis
  int64_t fold_budget_ = 0;
  int64_t unroll_budget_ = 20'000;       // nodes of loop bodies written out
  int64_t sequence_budget_ = 1'000'000;  // items of all lists together
};

}  // namespace plimsoll
