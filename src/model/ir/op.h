// Op: all there is to know about one kind of operation. Each lives in a file of its own
// under model/ops and is one line in all_ops.cpp.
//
// Every function is pure: it may be called from any thread, and a hostile model reaches it,
// so a shape rule answers with an Error (never a check) when inputs or attributes are wrong.
#pragma once

#include <algorithm>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/units.h"
#include "model/ir/attributes.h"
#include "model/ir/tensor.h"

namespace plimsoll {

// One use of an operation: its attributes, the types of its inputs, the contents of those
// inputs that are known before the run (shapes, axes …), and how many outputs are asked for.
class OpCall {
 public:
  OpCall(const Attributes& attributes, std::vector<const TensorType*> inputs, std::vector<const Tensor*> constants,
         size_t output_count)
      : attributes(attributes),
        inputs_(std::move(inputs)),
        constants_(std::move(constants)),
        output_count_(output_count) {}

  const Attributes& attributes;

  size_t input_count() const { return inputs_.size(); }  // trailing absent inputs included
  size_t output_count() const { return output_count_; }
  bool has(size_t i) const { return i < inputs_.size() && inputs_[i] != nullptr; }
  const TensorType& type(size_t i) const { return *inputs_.at(i); }
  const Shape& shape(size_t i) const { return type(i).shape; }
  DType dtype(size_t i) const { return type(i).dtype; }

  // The contents of input i, nullptr when they are not known before the run.
  const Tensor* constant(size_t i) const { return i < constants_.size() ? constants_[i] : nullptr; }

  // Integers that ONNX gave as an attribute in early opsets and as input i later (axes, pads,
  // shape …). nullopt when neither is there; an Error when the input is not known before the run.
  Result<std::optional<std::vector<int64_t>>> integers(std::string_view attribute, size_t i) const;

  // The output types, once the shape rule has run: for cost rules and reference maths.
  std::vector<TensorType> outputs;

 private:
  std::vector<const TensorType*> inputs_;
  std::vector<const Tensor*> constants_;
  size_t output_count_;
};

struct Cost {
  Macs macs;    // of convolutions and matrix products only
  Flops flops;  // every arithmetic operation, a multiply-add being two
};

// Where an output lives, when nothing else needs the input.
enum class Storage {
  own,       // in memory of its own
  view,      // in its input's memory, unchanged: reshape, flatten, identity
  in_place,  // over its input, even in training, because its gradient needs only its output: relu, dropout
};

// A small use of the operation that tests run. Axis 0 of each input of role 'x' is the batch.
struct OpExample {
  struct Input {
    TensorType type;
    TensorPtr constant = nullptr;  // contents that the shape rule needs
  };
  std::string what;
  Attributes attributes;
  std::vector<Input> inputs;
  size_t outputs = 1;
  bool linear_in_batch = true;  // twice the batch: twice the flops
  bool trained = true;          // false: the gradient rule declines this use
};

// Control flow, and lists of tensors, are understood by bind(), not by rules of their own.
enum class Control { none, branch, loop, scan, sequence };

// The types of all outputs the op has, at least the output_count() that are asked for. May rely on
// required_inputs being there with types that passed check_type(). What only a run can tell is an
// undetermined() error.
using ShapeRule = Result<std::vector<TensorType>> (*)(const OpCall&);
using CostRule = Cost (*)(const OpCall&);
using BytesRule = Bytes (*)(const OpCall&);
// Writes every element of every present output. Returns false, having written nothing, for
// number types it has no maths for.
using Reference = bool (*)(const OpCall&, std::span<const TensorView> inputs, std::span<const TensorView> outputs);

// Writes the backward pass of one operation (backward.h). The forward values that it reads are the ones
// that have to be kept; all others die early.
class Backward;
using GradientRule = void (*)(Backward&);

// An output that is the new contents of an input, in the same memory: running statistics, parameters.
struct InputUpdate {
  size_t output, input;
};

// What kind of work an operation does. Its time, its row in a profile and the kernels it is offered follow from this.
enum class OpKind : uint8_t {
  other,    // what has no kind of its own: number by number where `elementwise` says so
  element,  // number by number
  nothing,  // hands its input on: a dropout outside training
  convolution,
  conv_grad_data,
  conv_grad_weights,
  conv_transpose,
  product,  // of matrices
  attention,
  fused_attention,  // as other frameworks compute it, in one kernel: scores are never written
  fused_attention_grad,
  batch_norm,
  norm,  // every other normalisation
  softmax,
  pool,
  softmax_loss,  // a loss that takes the softmax of its scores itself
  loss,
  movement,   // copies numbers elsewhere: concat, slice, transpose
  reduction,  // sums and the like along axes, over tensors or over workers
  reorder,    // into the memory layout that a kernel reads
  update,     // of a parameter, by an optimizer
};

// Which activation an operation is. Those with a name of their own may go into the operation before them (Op::takes).
enum class ActivationKind : uint8_t {
  none,
  relu,
  clip,
  hard_swish,
  silu,
  rectifier,  // any other that lets large numbers through, as relu does
  bounded,    // sigmoid, tanh
};

inline bool is_rectifier(ActivationKind kind) {
  return kind != ActivationKind::none && kind != ActivationKind::bounded;
}

// What the numbers that an operation writes say about classes.
enum class ClassScores : uint8_t { any, probability, probabilities, log_probabilities };

struct Op {
  std::string_view name;  // "conv"
  OpKind kind = OpKind::other;
  ActivationKind activation = ActivationKind::none;
  ActivationKind slope_of = ActivationKind::none;  // the activation whose gradient this computes
  std::vector<ActivationKind> takes = {};          // activations that may be fused into it
  // How a parameter starts that is read as each input, the last letter repeating: k kernel of a convolution,
  // t of a transposed one, m matrix, g gates of a recurrent layer, a added (a vector of zeros), f factor (a vector of
  // ones), q a quarter, 0, 1, s small random numbers. See run/train/start_rule.h.
  std::string_view starts = "s";
  bool before_activation = false;  // may stand between a product and its activation: norms, sums, views
  ClassScores scores = ClassScores::any;
  std::vector<std::string_view> onnx = {};  // ONNX's names: "Conv", or "com.microsoft:Gelu" outside the default domain
  // What each input is, the last letter repeating: x data, w weight (a parameter even when it is
  // stored as a Constant node), v weight that may be a literal (then a Constant node), b buffer (stored, not learned),
  // c setting (a shape, an axis, a bound), t target (data of the batch that no gradient flows to).
  std::string_view roles = "x";
  size_t required_inputs = 1;
  ShapeRule infer = nullptr;
  CostRule cost = nullptr;          // nullptr: no arithmetic
  Reference reference = nullptr;    // nullptr: only weighed, never run by us
  GradientRule gradient = nullptr;  // nullptr: no gradient is known; no_gradient: nothing flows back
  std::vector<OpExample> (*examples)() = nullptr;
  Storage storage = Storage::own;
  // Output 0 may be written over an input of its type that nobody reads any more: each of its numbers
  // follows from the numbers at its own place.
  bool elementwise = false;
  // An input that is added to output 0 at its own place, which may therefore be written over it, too.
  std::optional<size_t> summand = std::nullopt;
  std::vector<InputUpdate> updates = {};
  const Op& (*training)() = nullptr;  // takes its place in a training step: same inputs, same first outputs
  BytesRule moved = nullptr;          // nullptr: reads every input and writes every output once
  TensorPtr (*from_types)(const OpCall&) = nullptr;  // the output's contents, where types tell: shape, size
  bool strided_view = false;    // where tensors have strides it is a view: no kernel runs, nothing is copied
  bool data_dependent = false;  // output sizes depend on the data: the shape rule gives the largest
  bool random = false;          // never folded
  Control control = Control::none;

  char role(size_t input) const { return roles.empty() ? 'x' : roles[std::min(input, roles.size() - 1)]; }
  char start(size_t input) const { return starts.empty() ? 's' : starts[std::min(input, starts.size() - 1)]; }
};

// The bytes an operation reads and writes; 0 for a view.
Bytes bytes_moved(const Op& op, const OpCall& call);

// What every rule may rely on: sizes of at least 0 that can be multiplied without overflow, even
// where one of them is 0, and that leave room to add.
Status check_type(const TensorType& type);

// Checks what every rule may rely on (the number of inputs, non-negative sizes without overflow),
// runs the op's shape rule and checks its answer in the same way.
Result<std::vector<TensorType>> infer(const Op& op, const OpCall& call);

}  // namespace plimsoll
