// CompositeWriter: writes the nodes that one composite operation of a file stands for, in its place.
//
// Inner values get names under the composite's first output, which no other node produces. It borrows the node that it
// replaces and the list that it writes to.
#pragma once

#include <string>
#include <vector>

#include "onnx/onnx.pb.h"

namespace plimsoll {

using NodeProtos = google::protobuf::RepeatedPtrField<onnx::NodeProto>;

struct NodeAttribute {
  std::string name;
  std::vector<int64_t> integers;  // one: an INT, unless `list`
  bool list = false;
};

class CompositeWriter {
 public:
  CompositeWriter(const onnx::NodeProto& node, NodeProtos& out);

  const onnx::NodeProto& node() const { return node_; }
  bool has_input(int i) const { return i < node_.input_size() && !node_.input(i).empty(); }
  bool has_output(int i) const { return i < node_.output_size() && !node_.output(i).empty(); }
  std::string input(int i) const { return has_input(i) ? node_.input(i) : std::string(); }
  int64_t integer(std::string_view attribute, int64_t otherwise) const;
  float number(std::string_view attribute, float otherwise) const;

  // Adds a node; its one output. `op`: "Add", or "com.microsoft:FusedMatMul".
  std::string add(const std::string& op, std::vector<std::string> inputs, std::vector<NodeAttribute> attributes = {});
  // The same with a number of outputs.
  std::vector<std::string> add_many(const std::string& op, std::vector<std::string> inputs, int outputs,
                                    std::vector<NodeAttribute> attributes = {});
  // The last node that was added, to set what the calls above cannot.
  onnx::NodeProto& last() { return *out_.Mutable(out_.size() - 1); }
  void set_number(const std::string& attribute, float number);

  std::string integers(const std::vector<int64_t>& numbers);  // a constant vector
  std::string constant(float number);                         // a constant scalar

  // Output i of the composite is this value.
  void finish(int i, const std::string& value);

 private:
  const onnx::NodeProto& node_;
  NodeProtos& out_;
  std::string prefix_;
  int written_ = 0;
};

}  // namespace plimsoll
