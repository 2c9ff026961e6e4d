#include "model/onnx/repeated_rows.h"

#include <algorithm>
#include <map>

#include "model/onnx/dense_numbers.h"
#include "model/onnx/stored_tables.h"
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

// For a batch of one every row is the only one.
bool is_repeated(const StoredParameter& one, int64_t batch, const TensorFiles& files) {
  const Shape& shape = one.type.shape;
  if (shape.rank() < 3 || shape[0] != batch || !is_floating(one.type.dtype)) return false;
  if (batch == 1) return true;
  if (one.type.bytes() > Bytes(kLargest)) return false;
  const auto numbers = DenseNumbers::open(*one.tensor, one.type, files);
  if (!numbers) return one.tensor->name().find('.') == std::string::npos;  // not there: no module's own parameter
  std::string bytes(size_t(one.type.bytes().value()), '\0');
  if (bytes.empty() || !numbers->read(0, bytes)) return false;
  const size_t row = bytes.size() / size_t(batch);
  return bytes.compare(0, bytes.size() - row, bytes, row, bytes.size() - row) == 0;
}

// Whether an operation takes one row for all as it takes as many as there are.
bool broadcasts(const Node& node) { return node.op && (node.op->elementwise || node.op_name == "where"); }

// Whether it meets something that is computed, which has as many rows as there are: what is stored has them for itself.
bool is_met(const Graph& graph, const Node& node) {
  return broadcasts(node) && std::any_of(node.inputs.begin(), node.inputs.end(), [&](ValueId id) {
           if (!id.present()) return false;
           const Role role = graph.value(id).role;
           return role == Role::activation || role == Role::input;
         });
}

// One entry along the axis, again and again.
bool repeats(const std::string& bytes, const Shape& shape, int axis, size_t size) {
  const size_t block = size_t(shape.elements(axis + 1, shape.rank()).value()) * size, row = block * size_t(shape[axis]);
  for (size_t at = 0; at + row <= bytes.size(); at += row)
    if (bytes.compare(at, row - block, bytes, at + block, row - block) != 0) return false;
  return true;
}

bool is_one_number(const std::string& bytes, size_t size) {
  return bytes.size() > size && bytes.compare(0, bytes.size() - size, bytes, size, bytes.size() - size) == 0;
}

class Storing {
 public:
  Storing(Graph& graph, int64_t batch) : graph_(graph), batch_(batch), joined_(graph.values.size()) {
    for (const auto& node : graph.nodes)
      for (const ValueId id : node.inputs)
        if (id.present() && asks_for_all(node)) joined_[size_t(id.index)] = true;
  }

  void add(const StoredParameter& one) {
    Value& value = graph_.value(one.id);
    if (batch_ > 1) {
      (*value.shape)[0] = Dim(1);
      value.data = nullptr;  // of all rows
    }
    if (joined_[size_t(one.id.index)]) repeat(one);  // everything else broadcasts
  }

  void finish() {
    if (added_.empty()) return;
    for (auto& node : graph_.nodes) {
      for (ValueId& id : node.inputs)
        if (const auto found = repeated_.find(id.index); found != repeated_.end()) id = found->second;
      added_.push_back(std::move(node));
    }
    graph_.nodes = std::move(added_);
  }

 private:
  // Whether a row for each sample must be there. Of a single row only a concat tells that it is a sample's.
  bool asks_for_all(const Node& node) const {
    if (batch_ == 1) return node.op_name == "concat";
    return !broadcasts(node);
  }

  void repeat(const StoredParameter& one) {
    const std::string name = graph_.value(one.id).name;
    auto target = std::make_shared<Tensor>(integer_tensor({one.type.shape.begin(), one.type.shape.end()}));
    Node node;
    node.op = &op_named("expand");
    node.op_name = node.op->name;
    node.name = name;
    node.attributes.set("batch_axis", int64_t{0});
    const ValueId sizes = graph_.add(
        {name + "::sizes", Role::constant, DType::i64, SymbolicShape{Dim(one.type.shape.rank())}, std::move(target)});
    node.inputs = {one.id, sizes};
    node.outputs = {graph_.add({name + "::repeated", Role::activation, one.type.dtype, std::nullopt, nullptr})};
    repeated_.emplace(one.id.index, node.outputs[0]);
    added_.push_back(std::move(node));
  }

  Graph& graph_;
  const int64_t batch_;
  std::vector<bool> joined_;  // values that something reads which does not broadcast
  std::map<int32_t, ValueId> repeated_;
  std::vector<Node> added_;
};

}  // namespace

void store_once(Graph& graph, const std::vector<StoredParameter>& stored, const TensorFiles& files) {
  const int64_t batch = batch_of(graph);
  if (batch < 1) return;
  Storing storing(graph, batch);
  for (const auto& one : stored)
    if (graph.value(one.id).role != Role::activation && is_repeated(one, batch, files)) storing.add(one);
  storing.finish();
}

void store_rows_once(Graph& graph, const std::vector<StoredParameter>& stored, const TensorFiles& files) {
  std::vector<bool> read_whole(graph.values.size());
  for (const ValueId id : graph.outputs)
    if (id.present()) read_whole[size_t(id.index)] = true;
  for (const auto& node : graph.nodes) {
    if (is_met(graph, node)) continue;
    for (const ValueId id : node.inputs)
      if (id.present()) read_whole[size_t(id.index)] = true;
  }
  for (const auto& one : stored) {
    Value& value = graph.value(one.id);
    const Shape& shape = one.type.shape;
    if (value.role != Role::parameter || read_whole[size_t(one.id.index)] || shape.rank() < 2) continue;
    if (!is_made_up_name(value.name) || !is_floating(one.type.dtype) || one.type.bytes() > Bytes(kLargest)) continue;
    const auto numbers = DenseNumbers::open(*one.tensor, one.type, files);
    std::string bytes(size_t(one.type.bytes().value()), '\0');
    if (!numbers || bytes.empty() || !numbers->read(0, bytes)) continue;
    const auto size = size_t(numbers->size());
    if (is_one_number(bytes, size)) continue;  // how parameters may start
    for (int axis = 0; axis + 1 < shape.rank(); ++axis)
      if (shape[axis] > 1 && repeats(bytes, shape, axis, size)) (*value.shape)[size_t(axis)] = Dim(1);
  }
}

}  // namespace plimsoll
