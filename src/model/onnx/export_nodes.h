// NodeWriter: a Graph's nodes as ONNX's, of opset 17. Our operations have ONNX's names and attributes, so most are a
// lookup; those that opset 17 lacks are written as several nodes (export_rules.cpp), and what cannot be written is an
// Error that names the operation. Settings move between attributes and inputs as opset 17 has them.
#pragma once

#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "model/ir/graph.h"
#include "model/ir/program.h"
#include "onnx/onnx.pb.h"

namespace plimsoll {

inline constexpr int64_t kExportOpset = 17;

class NodeWriter {
 public:
  // Appends to `proto`. `bound` is the graph bound to some batch, for operations whose form depends on sizes.
  NodeWriter(const Graph& graph, const Program& bound, onnx::GraphProto& proto);

  Status write(const Node& node);
  void write_constant(const std::string& name, const Tensor& tensor);

  const std::string& name_of(ValueId id) const { return names_[size_t(id.index)]; }
  std::string input(const Node& node, size_t i) const { return has(node, i) ? name_of(node.inputs[i]) : ""; }
  std::string output(const Node& node) const { return name_of(node.outputs.at(0)); }
  static bool has(const Node& node, size_t i) { return i < node.inputs.size() && node.inputs[i].present(); }
  Result<Shape> shape_of(ValueId id) const;
  // The contents of an input that is stored in the graph; nullptr: not known before a run.
  TensorPtr contents_of(const Node& node, size_t i) const;

  // A name that nothing else has, starting with that of the node's output.
  std::string fresh(const Node& node, const std::string& what);
  onnx::NodeProto& add(const std::string& op, const std::vector<std::string>& inputs, const std::string& output);
  std::string number(const Node& node, const std::string& what, double value);
  std::string integers(const Node& node, const std::string& what, const std::vector<int64_t>& values);

  // The operation by its own ONNX name, its first output under another name if one is given.
  Status write_plain(const Node& node, const std::string& first_output = {});

 private:
  Status move_settings(const Node& node, onnx::NodeProto& written);
  void set_input(onnx::NodeProto& node, int index, const std::string& name);

  const Graph& graph_;
  onnx::GraphProto& proto_;
  std::vector<std::string> names_;  // of each value
  std::set<std::string> taken_;
  std::unordered_map<std::string, const ProgramValue*> bound_;
};

// Writes one operation as several nodes; nullptr: it is written by its own name.
using ExportRule = Status (*)(NodeWriter&, const Node&);
ExportRule export_rule(const Node& node);

}  // namespace plimsoll
