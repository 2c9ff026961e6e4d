// Program: a Graph bound to a batch, so that every size is a number. The one list that
// weighing, planning and running all read. See bind.h for how it is made.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/ir/graph.h"

namespace plimsoll {

struct ProgramValue {
  std::string name;
  Role role = Role::activation;
  std::optional<TensorType> type;  // nullopt: downstream of an operation we do not know
  TensorPtr constant;              // contents, where they follow from the graph alone
  ValueId storage = {};            // lives in that value's memory (a view, or written over it); absent: its own
};

// How sure we are of an operation's cost.
enum class Certainty {
  exact,
  at_most,    // sizes depend on the data: the largest was taken
  unbounded,  // a loop whose number of rounds is not known: one round was taken
  unknown,    // an operation, or a shape, that we do not know: nothing was counted
};

// The part of a training step that an operation belongs to; an inference is all forward.
enum class Phase : uint8_t { forward, loss, backward, update };

struct Operation {
  const Op* op = nullptr;  // nullptr: unknown, see op_name
  std::string op_name;     // the op's, or a stranger's: "com.example:Foo"
  std::string name;
  std::vector<ValueId> inputs;  // ids into Program::values
  std::vector<ValueId> outputs;
  Attributes attributes;
  Cost cost;  // of one run
  Bytes moved;
  Count repeat{1};  // runs per step, more than 1 inside a loop
  Certainty certainty = Certainty::exact;
  Phase phase = Phase::forward;
  const Op* then = nullptr;  // fused: an element-wise operation on output 0 in the same pass over memory
  std::string fused;         // "+add+relu": what else it does, for people; `op_name` stays what it is

  std::string label() const { return op_name + fused; }  // "conv+add+relu"
};

// A batch norm that went into the weights of the convolution before it. `weights` and `bias` are the convolution's, as
// FoldedWeights reads them; the others are the network's own tensors, which the Program no longer stores.
struct FoldedNorm {
  ValueId weights, bias;
  ValueId conv_bias;  // absent: it had none
  ValueId scale, shift, mean, variance;
  double epsilon = 1e-5;
};

struct Program {
  std::string name;
  std::vector<ProgramValue> values;
  std::vector<Operation> operations;  // in order; what the graph alone determines is folded away
  std::vector<ValueId> inputs;
  std::vector<ValueId> outputs;
  int64_t batch = 1;          // of one pass: of a micro-batch where there are several
  int64_t micro_batches = 1;  // passes whose gradients are added up before the update
  ValueId loss;               // absent in an inference
  std::vector<FoldedNorm> folded;
  std::vector<std::string> notes;

  const ProgramValue& value(ValueId id) const { return values.at(size_t(id.index)); }
  ProgramValue& value(ValueId id) { return values.at(size_t(id.index)); }

  ValueId add(ProgramValue value) {
    values.push_back(std::move(value));
    return {int32_t(values.size()) - 1};
  }
};

// The call of an operation as its rules see it. Borrows from the program.
OpCall call_of(const Program& program, const Operation& operation);

}  // namespace plimsoll
