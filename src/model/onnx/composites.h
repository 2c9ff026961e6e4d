// Composite operations: what the standard itself, or onnxruntime's optimizer, defines by a graph of simpler ones
// (Attention, MultiHeadAttention, SkipSimplifiedLayerNormalization …). They are written out, so that everything after
// this weighs, trains and runs them as their parts. A new one is a function and a line in composites.cpp.
#pragma once

#include <optional>
#include <string_view>
#include <unordered_map>

#include "base/result.h"
#include "model/onnx/composite_writer.h"
#include "model/onnx/import.h"

namespace plimsoll {

// What a graph states about its values: types of inputs, of initializers, and whatever the exporter wrote down.
class StatedTypes {
 public:
  explicit StatedTypes(const onnx::GraphProto& graph);

  std::optional<int> rank(std::string_view value) const;
  std::optional<int64_t> size(std::string_view value, int axis) const;  // of an axis that is a plain number
  std::optional<int> data_type(std::string_view value) const;           // TensorProto's number
  int usual_type() const { return usual_type_; }                        // of most of the floating initializers

 private:
  struct Stated {
    int data_type = 0;
    const onnx::TensorShapeProto* shape = nullptr;
    const onnx::TensorProto* tensor = nullptr;
  };

  std::unordered_map<std::string_view, Stated> known_;
  int usual_type_ = onnx::TensorProto::FLOAT;
};

// Writes one composite's nodes. False: this use of it cannot be written out; it stays what it is.
using CompositeRule = bool (*)(CompositeWriter&, const StatedTypes&);

// Replaces every composite, in subgraphs too. The result has at most limits.nodes nodes.
Status expand_composites(onnx::GraphProto& graph, const ImportLimits& limits);

// In attention_nodes.cpp.
bool write_attention(CompositeWriter& writer, const StatedTypes& types);
bool write_multi_head_attention(CompositeWriter& writer, const StatedTypes& types);
bool write_group_query_attention(CompositeWriter& writer, const StatedTypes& types);
bool write_rotary_embedding(CompositeWriter& writer, const StatedTypes& types);

}  // namespace plimsoll
