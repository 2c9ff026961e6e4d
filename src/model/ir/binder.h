// Binder: the work behind bind(). Private to bind.cpp (values, nodes, costs), bind_fold.cpp (folding),
// bind_batch.cpp (files that were written for one batch), bind_control.cpp (If, Loop, Scan), bind_unrolled.cpp (short
// loops) and bind_sequence.cpp (lists of tensors).
//
// Walks a graph and its subgraphs in order and appends to one Program. A subgraph's inputs are
// values of the program like any other; what it captures keeps its id, so that a parameter read
// from inside is not a second parameter.
#pragma once

#include <map>
#include <set>
#include <unordered_map>

#include "model/ir/bind.h"
#include "model/ir/work_limit.h"

namespace plimsoll {

using ValueMap = std::vector<ValueId>;  // a graph's value → the program's

// The program's value behind output i of a subgraph.
Result<ValueId> output_of(const Graph& graph, const ValueMap& map, size_t i);

// How often each value of a graph is read by its nodes, being an output counting as once.
std::vector<int64_t> reads_of(const Graph& graph);

// One bool, where it is known.
std::optional<bool> bool_of(const Tensor* tensor);

class Binder {
 public:
  Binder(const Graph& graph, const BindOptions& options) : graph_(graph), options_(options) {}

  Result<Program> run();

  // Whether the file has its batch as a plain number, and another is wanted.
  bool asks_another_batch() const;
  // Runs at that other batch. `written` has run at the file's own and gave `program`; both are borrowed.
  Result<Program> run_like(const Binder& written, const Program& program_as_written);

 private:
  // Where a node stands: its graph, that graph's values, how often it runs, how deep it is nested.
  struct Place {
    const Graph& graph;
    ValueMap& map;
    Count repeat{1};
    int depth = 0;
    int64_t number = 0;               // tells two walks through the same graph apart
    std::vector<int64_t> reads = {};  // of each of the graph's values
  };

  // A folded tensor, and how often it is still to be read where it was made.
  struct FoldedValue {
    int64_t place = 0;
    int64_t left = 0;
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
  Status bind_nodes(Place place);
  Status bind_node(const Node& node, const Place& place);
  Status bind_call(const Node& node, Operation operation, const Place& place);
  OpCall bounded_call(const Operation& operation) const;
  bool may_fold(const Operation& operation, const OpCall& call) const;
  bool try_fold(const Node& node, const Operation& operation, const OpCall& call, const Place& place);
  void release_read(const Operation& operation, const Place& place);
  std::optional<TensorType> hint(const Graph& graph, ValueId id) const;
  void set_types(const Node& node, const Place& place, const std::vector<TensorType>& types);
  bool reads_bounded(const Operation& operation) const;
  OpCall complete_call(const Operation& operation) const;
  void convert_formats();
  Status add_costs();

  // In bind_batch.cpp. Nothing happens unless run_like() was called.
  void follow_batch(const Node& node, Operation& operation, const Place& place);
  const TensorType* written_type(ValueId in_graph) const;
  std::optional<int> batch_axis(ValueId in_graph, ValueId bound) const;
  void rewrite_target(const Node& node, Operation& operation);
  Status check_batch() const;
  int64_t steps_of(ValueId bound, int64_t size) const;

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
  Status charge_sequence(int64_t items);
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
  const Binder* written_ = nullptr;                    // run_like()
  const Program* written_program_ = nullptr;
  int64_t written_batch_ = 0;
  std::unordered_map<int32_t, int64_t> batch_steps_;
  bool one_picture_ = false;                        // the input has no batch axis
  static constexpr int64_t kFoldWork = 64'000'000;  // units of WorkLimit, for folding in all
  const WorkLimit* work_ = nullptr;                 // in force while run() lasts
  std::unordered_map<int32_t, FoldedValue> folded_;
  int64_t held_ = 0;                     // bytes of folded tensors
  int64_t places_ = 0;                   // walks through graphs that have begun
  int64_t unroll_budget_ = 20'000;       // nodes of loop bodies written out
  int64_t sequence_budget_ = 4'000'000;  // items of all lists together, each time one is copied
};

}  // namespace plimsoll
