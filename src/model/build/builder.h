// Builder: writes a Graph layer by layer, the way a network is described on paper. Each call
// adds a node with its parameters and returns its output; shapes are known at once (for a batch
// of one), so a layer takes its input's channels from its input.
//
// Mistakes that a user can cause (an --input too small for the network) are kept, calls after
// the first one do nothing, and finish() returns it: no layer needs to check.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "model/ir/graph.h"

namespace plimsoll {

using Sizes = std::vector<int64_t>;

struct ConvOptions {
  Sizes kernel;   // {3, 3}
  Sizes stride;   // empty: 1 each; the same for the others
  Sizes padding;  // per axis, on both sides; empty: 0
  Sizes dilation;
  int64_t groups = 1;
  bool bias = true;
};

struct PoolOptions {
  Sizes kernel;
  Sizes stride;  // empty: the kernel's size, as torch
  Sizes padding;
  bool ceil = false;
  bool count_padding = true;  // average pooling divides by the whole window, as torch
};

class Builder {
 public:
  // The network's name and its one input: batch × `sample`, of `type`.
  Builder(std::string name, const Shape& sample, DType type = DType::f32);

  ValueId input() const { return input_; }
  // A further input, batch × `sample`: what a decoder reads beside its encoder, a picture beside text.
  ValueId add_input(const std::string& name, const Shape& sample, DType type = DType::f32);
  const Shape& shape(ValueId value) const;  // with a batch of 1
  int64_t channels(ValueId value) const;    // size of axis 1

  // Names of layers inside get the prefix: enter("layer1"), conv("0.conv1") is "layer1.0.conv1".
  // Leaves when the guard goes. An empty name adds nothing.
  class [[nodiscard]] Scope {
   public:
    Scope(Builder& builder, const std::string& name);
    ~Scope();
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;

   private:
    Builder& builder_;
    size_t length_;
  };
  Scope enter(const std::string& name) { return Scope(*this, name); }

  // While the guard stands, parameters are those of the layer `owner`: what is asked for a second time under the same
  // name inside of it is the same tensor. Names of layers stay their own.
  class [[nodiscard]] Sharing {
   public:
    Sharing(Builder& builder, std::string owner);
    ~Sharing();
    Sharing(const Sharing&) = delete;
    Sharing& operator=(const Sharing&) = delete;

   private:
    Builder& builder_;
  };
  Sharing share(std::string owner) { return {*this, std::move(owner)}; }

  ValueId conv(const std::string& name, ValueId x, int64_t kernels, const ConvOptions& options);
  ValueId linear(const std::string& name, ValueId x, int64_t outputs,
                 bool bias = true);  // over the last axis, any rank
  ValueId batch_norm(const std::string& name, ValueId x, double epsilon = 1e-5, double momentum = 0.9);
  ValueId layer_norm(const std::string& name, ValueId x, double epsilon = 1e-5);  // over the last axis
  ValueId max_pool(const std::string& name, ValueId x, const PoolOptions& options);
  ValueId average_pool(const std::string& name, ValueId x, const PoolOptions& options);
  ValueId adaptive_average_pool(const std::string& name, ValueId x, const Sizes& output);
  ValueId global_average_pool(const std::string& name, ValueId x);
  ValueId embedding(const std::string& name, ValueId indices, int64_t entries, int64_t width);
  ValueId dropout(const std::string& name, ValueId x, double ratio);
  ValueId relu(const std::string& name, ValueId x) { return apply(name, "relu", {x}); }
  ValueId add(const std::string& name, ValueId a, ValueId b) { return apply(name, "add", {a, b}); }
  ValueId concat(const std::string& name, const std::vector<ValueId>& parts, int64_t axis = 1);
  ValueId flatten(const std::string& name, ValueId x, int64_t axis = 1);
  ValueId reshape(const std::string& name, ValueId x, const Sizes& shape);  // 0 keeps, -1 takes the rest
  ValueId transpose(const std::string& name, ValueId x, const Sizes& order);

  // Any op of all_ops with one output, or with several.
  ValueId apply(const std::string& name, std::string_view op, std::vector<ValueId> inputs, Attributes attributes = {});
  std::vector<ValueId> apply_many(const std::string& name, std::string_view op, std::vector<ValueId> inputs,
                                  Attributes attributes, size_t outputs);

  // A stored tensor of its own; one that no node reads still counts (heads used only in training).
  ValueId parameter(const std::string& name, const Shape& shape);
  ValueId buffer(const std::string& name, const Shape& shape);
  ValueId constant(const std::string& name, Tensor tensor);

  // A stored tensor under another name: weights that two layers share are counted once.
  ValueId alias(const std::string& name, ValueId stored) { return apply(name, "identity", {stored}); }
  void note(std::string text) { graph_.notes.push_back(std::move(text)); }

  // Keeps a mistake, unless there is one already.
  void fail(Error error);
  bool failed() const { return error_.has_value(); }

  Result<Graph> finish(ValueId output);

 private:
  std::string full(const std::string& name) const { return prefix_ + name; }
  ValueId stored(const std::string& name, Role role, const Shape& shape);
  std::vector<TensorPtr> fold(const Op& op, const OpCall& call, const std::vector<TensorType>& types) const;

  Graph graph_;
  std::vector<TensorType> types_;  // for a batch of 1, one a value
  std::vector<TensorPtr> known_;   // contents for a batch of 1, where known
  ValueId input_;
  std::string prefix_;
  std::optional<std::string> owner_;  // of shared parameters, and where names inside of it begin
  size_t shared_from_ = 0;
  std::map<std::string, ValueId> shared_;
  std::optional<Error> error_;
};

}  // namespace plimsoll
