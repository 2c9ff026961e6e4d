#include "model/onnx/packed_weights.h"

#include <algorithm>
#include <limits>
#include <string>
#include <unordered_set>

namespace plimsoll {
namespace {

constexpr int kUint4 = 21;

bool is_packed(const onnx::NodeProto& node) {
  if (node.domain() != "com.microsoft" || node.op_type() != "MatMulNBits" || node.input_size() < 2) return false;
  return std::any_of(node.attribute().begin(), node.attribute().end(),
                     [](const auto& attribute) { return attribute.name() == "bits" && attribute.i() == 4; });
}

}  // namespace

void retype_packed_weights(onnx::GraphProto& graph) {
  std::unordered_set<std::string> packed;
  for (const auto& node : graph.node())
    if (is_packed(node)) packed.insert(node.input(1));
  if (packed.empty()) return;
  for (auto& tensor : *graph.mutable_initializer()) {
    const int last = tensor.dims_size() - 1;
    if (!packed.contains(tensor.name()) || tensor.data_type() != onnx::TensorProto::UINT8 || last < 0) continue;
    if (tensor.dims(last) < 0 || tensor.dims(last) > std::numeric_limits<int64_t>::max() / 2) continue;
    tensor.set_data_type(kUint4);
    tensor.set_dims(last, tensor.dims(last) * 2);
  }
}

}  // namespace plimsoll
