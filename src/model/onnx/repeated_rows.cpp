#include "model/onnx/repeated_rows.h"

#include <map>

#include "model/onnx/dense_numbers.h"
#include "model/ops/all_ops.h"

namespace plimsoll {
namespace {

constexpr int64_t kLargest = 16 << 20;  // bytes that are looked at

// The batch that the file was written for; 0 where it is open.
int64_t batch_of(const Graph& graph) {
  if (graph.inputs.empty()) return 0;
  const auto& shape = graph.value(graph.inputs[0]).shape;
  return shape && !shape->empty() && !(*shape)[0].is_symbolic() ? (*shape)[0].size : 0;
}

bool is_repeated(const StoredParameter& one, int64_t batch, const TensorFiles& files) {
  const Shape& shape = one.type.shape;
  if (shape.rank() < 3 || shape[0] != batch || one.type.bytes() > Bytes(kLargest)) return false;
  const auto numbers = DenseNumbers::open(*one.tensor, one.type, files);
  if (!numbers) return false;
  std::string bytes(size_t(one.type.bytes().value()), '\0');
  if (bytes.empty() || !numbers->read(0, bytes)) return false;
  const size_t row = bytes.size() / size_t(batch);
  return bytes.compare(0, bytes.size() - row, bytes, row, bytes.size() - row) == 0;
}

}  // namespace

void store_once(Graph& graph, const std::vector<StoredParameter>& stored, const TensorFiles& files) {
  const int64_t batch = batch_of(graph);
  if (batch < 2) return;
  std::map<int32_t, ValueId> repeated;
  std::vector<Node> added;
  for (const auto& one : stored) {
    if (graph.value(one.id).role != Role::parameter || !is_repeated(one, batch, files)) continue;
    const std::string name = graph.value(one.id).name;
    auto target = std::make_shared<Tensor>(integer_tensor({one.type.shape.begin(), one.type.shape.end()}));
    (*graph.value(one.id).shape)[0] = Dim(1);
    Node node;
    node.op = &op_named("expand");
    node.op_name = node.op->name;
    node.name = name;
    const ValueId sizes = graph.add(
        {name + "::sizes", Role::constant, DType::i64, SymbolicShape{Dim(one.type.shape.rank())}, std::move(target)});
    node.inputs = {one.id, sizes};
    node.outputs = {graph.add({name + "::repeated", Role::activation, one.type.dtype, std::nullopt, nullptr})};
    repeated.emplace(one.id.index, node.outputs[0]);
    added.push_back(std::move(node));
  }
  if (added.empty()) return;
  for (auto& node : graph.nodes) {
    for (ValueId& id : node.inputs)
      if (const auto found = repeated.find(id.index); found != repeated.end()) id = found->second;
    added.push_back(std::move(node));
  }
  graph.nodes = std::move(added);
}

}  // namespace plimsoll
