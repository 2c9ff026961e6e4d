// GraphBuilder: one GraphProto → one Graph, with its subgraphs. Functions are inlined by now.
//
// A builder lives as long as its graph is built; the builders of subgraphs point at the one around
// them to find the values they capture. It borrows the protos, the TensorFiles and the
// FreeNames.
#pragma once

#include <memory>
#include <optional>
#include <set>
#include <string_view>
#include <unordered_map>

#include "model/onnx/order.h"
#include "model/onnx/roles.h"
#include "model/onnx/tensors.h"
#include "model/onnx/tied_weights.h"

namespace plimsoll {

class GraphBuilder {
 public:
  GraphBuilder(const onnx::GraphProto& proto, TensorFiles& files, FreeNames& free_names, GraphBuilder* around = nullptr)
      : proto_(proto), files_(files), free_names_(free_names), around_(around) {}

  // Builds everything but what depends on the graph around this one.
  Status build();

  // The values that a subgraph takes from outside, by their ids there, in the order of first use.
  const std::vector<ValueId>& captured() const { return captured_; }

  // The graph, its inputs being its own and then `captures` (ids of the graph around this one).
  Graph finish(const std::vector<ValueId>& captures, std::vector<UsedAs>* capture_uses);

  // Parameters (or constants) of the network itself, not of subgraphs, with the tensors that they are stored in.
  std::vector<StoredParameter> stored_as(Role role) const;

  int64_t unused() const { return unused_; }  // initializers that nothing reads
  const std::string& first_unused() const { return first_unused_; }

 private:
  // A tensor in the file: an initializer, a Constant node, or what an Identity makes of one.
  struct Stored {
    StoredKind kind;
    const onnx::TensorProto* tensor = nullptr;  // nullptr: sparse, or given as an attribute's number
    TensorPtr literal;                          // the number, when it is an attribute's
    ValueId id;                                 // once something reads it
    bool copied = false;                        // read by an Identity
  };

  Status read_inputs();
  Status read_stored();
  Status store(std::string_view name, Stored stored);
  Status read_constant(const onnx::NodeProto& node);
  Result<Stored> constant_of(const onnx::AttributeProto& attribute);
  void read_hints();
  Status check_names(const Producers& producers) const;
  Status add_nodes();
  Status add_node(const onnx::NodeProto& node, int index);
  Status add_outputs(const onnx::NodeProto& proto, Node& node);
  Status add_subgraphs(const onnx::NodeProto& proto, Node& node);
  bool is_stored_identity(const onnx::NodeProto& node);
  std::optional<ValueId> find(std::string_view name);
  ValueId capture(std::string_view name, ValueId outside);
  Status read_outputs();
  Status set_roles();
  std::set<ValueId> scales_without_shift() const;  // of norms
  bool is_setting(std::string_view name, const Stored& stored);
  void count_unused();

  const onnx::GraphProto& proto_;
  TensorFiles& files_;
  FreeNames& free_names_;
  GraphBuilder* around_;
  Graph graph_;
  std::unordered_map<std::string_view, ValueId> values_;
  std::unordered_map<std::string_view, Stored> stored_;
  std::unordered_map<std::string_view, const onnx::ValueInfoProto*> hints_;
  std::vector<ValueId> captured_;
  std::unordered_map<int32_t, ValueId> capture_ids_;  // outside → here
  CaptureUses capture_uses_;
  std::vector<UsedAs> uses_;
  int64_t unused_ = 0;
  std::string first_unused_;
};

}  // namespace plimsoll
