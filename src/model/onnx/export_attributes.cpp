#include "model/onnx/export_attributes.h"

#include <algorithm>

#include "base/check.h"
#include "model/ops/onnx_types.h"

namespace plimsoll {
namespace {

using onnx::AttributeProto;

struct Filler {
  AttributeProto& proto;

  void operator()(int64_t value) const {
    proto.set_type(AttributeProto::INT);
    proto.set_i(value);
  }
  void operator()(double value) const {
    proto.set_type(AttributeProto::FLOAT);
    proto.set_f(float(value));
  }
  void operator()(const std::string& value) const {
    proto.set_type(AttributeProto::STRING);
    proto.set_s(value);
  }
  void operator()(const std::vector<int64_t>& values) const {
    proto.set_type(AttributeProto::INTS);
    for (const int64_t value : values) proto.add_ints(value);
  }
  void operator()(const std::vector<double>& values) const {
    proto.set_type(AttributeProto::FLOATS);
    for (const double value : values) proto.add_floats(float(value));
  }
  void operator()(const std::vector<std::string>& values) const {
    proto.set_type(AttributeProto::STRINGS);
    for (const auto& value : values) proto.add_strings(value);
  }
  void operator()(const TensorPtr& value) const {
    proto.set_type(AttributeProto::TENSOR);
    fill_tensor(*proto.mutable_t(), *value);
  }
  void operator()(const std::shared_ptr<const Graph>&) const { PLIM_CHECK(false, "a subgraph is not exported"); }
};

}  // namespace

void fill_tensor(onnx::TensorProto& proto, const Tensor& tensor) {
  proto.set_data_type(int(onnx_of_dtype(tensor.type.dtype)));
  for (const int64_t size : tensor.type.shape) proto.add_dims(size);
  proto.set_raw_data(tensor.bytes.data(), tensor.bytes.size());
}

void add_attribute(onnx::NodeProto& node, const std::string& name, const Attribute& value) {
  auto& attribute = *node.add_attribute();
  attribute.set_name(name);
  std::visit(Filler{attribute}, value);
}

bool is_known_to_onnx(std::string_view attribute) {
  static constexpr std::string_view kOthers[] = {
      "flatten",           "captures",        "output_size", "activation",  "activation_alpha",
      "activation_beta",   "spatial",         "saturate",    "num_outputs", "is_test",
      "activation_params", "consumed_inputs", "node",        "start"};
  return std::find(std::begin(kOthers), std::end(kOthers), attribute) == std::end(kOthers);
}

}  // namespace plimsoll
