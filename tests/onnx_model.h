// A small ONNX model put together in a test.
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "model/onnx/import.h"
#include "onnx/onnx.pb.h"

namespace plimsoll {

using Names = std::vector<std::string>;
using Dims = std::vector<std::variant<int, std::string>>;  // an empty string: a size left open

inline void fill_value(onnx::ValueInfoProto& value, const std::string& name, const Dims& dims, int type) {
  value.set_name(name);
  auto* tensor = value.mutable_type()->mutable_tensor_type();
  tensor->set_elem_type(type);
  auto* shape = tensor->mutable_shape();
  for (const auto& dim : dims) {
    auto* added = shape->add_dim();
    if (const int* size = std::get_if<int>(&dim)) added->set_dim_value(*size);
    else if (!std::get<std::string>(dim).empty()) added->set_dim_param(std::get<std::string>(dim));
  }
}

// Adds to any GraphProto, the model's or a subgraph.
struct GraphMaker {
  onnx::GraphProto& graph;

  onnx::ValueInfoProto& input(const std::string& name, const Dims& dims, int type = onnx::TensorProto::FLOAT) {
    auto& value = *graph.add_input();
    fill_value(value, name, dims, type);
    return value;
  }
  void output(const std::string& name) { graph.add_output()->set_name(name); }

  // Zeros, as raw_data.
  onnx::TensorProto& weight(const std::string& name, const std::vector<int64_t>& dims) {
    auto& tensor = *graph.add_initializer();
    tensor.set_name(name);
    tensor.set_data_type(onnx::TensorProto::FLOAT);
    int64_t count = 1;
    for (const int64_t dim : dims) {
      tensor.add_dims(dim);
      count *= dim;
    }
    tensor.set_raw_data(std::string(size_t(count) * 4, '\0'));
    return tensor;
  }
  onnx::TensorProto& integers(const std::string& name, const std::vector<int64_t>& numbers) {
    auto& tensor = *graph.add_initializer();
    tensor.set_name(name);
    tensor.set_data_type(onnx::TensorProto::INT64);
    tensor.add_dims(int64_t(numbers.size()));
    for (const int64_t number : numbers) tensor.add_int64_data(number);
    return tensor;
  }
  onnx::NodeProto& node(const std::string& op, const Names& inputs, const Names& outputs,
                        const std::string& name = "") {
    auto& added = *graph.add_node();
    added.set_op_type(op);
    added.set_name(name);
    for (const auto& input : inputs) added.add_input(input);
    for (const auto& output : outputs) added.add_output(output);
    return added;
  }
};

struct ModelHolder {  // a base, so that it is there before GraphMaker refers to it
  onnx::ModelProto proto;
};

struct OnnxModel : ModelHolder, GraphMaker {
  explicit OnnxModel(int64_t opset = 13) : GraphMaker{*proto.mutable_graph()} {
    proto.set_ir_version(8);
    if (opset > 0) proto.add_opset_import()->set_version(opset);
    graph.set_name("net");
  }
  OnnxModel(const OnnxModel&) = delete;

  std::string bytes() const { return proto.SerializeAsString(); }
  Result<Graph> import() const { return import_onnx_bytes(bytes()); }
};

inline void set_integer(onnx::NodeProto& node, const std::string& name, int64_t value) {
  auto* attribute = node.add_attribute();
  attribute->set_name(name);
  attribute->set_type(onnx::AttributeProto::INT);
  attribute->set_i(value);
}

inline void set_integers(onnx::NodeProto& node, const std::string& name, const std::vector<int64_t>& values) {
  auto* attribute = node.add_attribute();
  attribute->set_name(name);
  attribute->set_type(onnx::AttributeProto::INTS);
  for (const int64_t value : values) attribute->add_ints(value);
}

inline onnx::GraphProto& set_graph(onnx::NodeProto& node, const std::string& name) {
  auto* attribute = node.add_attribute();
  attribute->set_name(name);
  attribute->set_type(onnx::AttributeProto::GRAPH);
  return *attribute->mutable_g();
}

// A length-delimited field by hand: its tag (below field 16), the length, the body.
inline std::string prefixed(char tag, const std::string& body) {
  std::string out(1, tag);
  size_t size = body.size();
  for (; size >= 0x80; size >>= 7) out.push_back(char(size | 0x80));
  out.push_back(char(size));
  return out + body;
}

// Conv → Relu → Flatten → Gemm: x is batch × 3 × 8 × 8, y is batch × 10.
inline void add_small_network(OnnxModel& model) {
  model.input("x", {"batch", 3, 8, 8});
  model.weight("conv.weight", {4, 3, 3, 3});
  model.weight("conv.bias", {4});
  model.weight("fc.weight", {10, 144});
  model.weight("fc.bias", {10});
  model.node("Conv", {"x", "conv.weight", "conv.bias"}, {"c"}, "conv");
  model.node("Relu", {"c"}, {"r"}, "relu");
  model.node("Flatten", {"r"}, {"f"}, "flatten");
  set_integer(model.node("Gemm", {"f", "fc.weight", "fc.bias"}, {"y"}, "fc"), "transB", 1);
  model.output("y");
}

}  // namespace plimsoll
