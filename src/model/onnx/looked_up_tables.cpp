#include "model/onnx/looked_up_tables.h"

#include <algorithm>
#include <optional>
#include <string>
#include <unordered_map>

#include "model/onnx/dense_numbers.h"
#include "model/onnx/stored_tables.h"
#include "model/ops/all_ops.h"

namespace plimsoll {
namespace {

constexpr int64_t kLargestLookedAt = 16 << 20;  // bytes
constexpr size_t kSmallestRow = 8;              // bytes: shorter ones may be equal by chance

// A table as rows of so many numbers: the last axes of a tensor, or its first ones.
struct RowsOfTable {
  int split = 0;           // axes before it
  bool rows_last = false;  // which of the two sides counts the rows
  std::vector<int64_t> index;
  int64_t different = 0, width = 0;

  int64_t numbers() const { return different * width; }
};

class LookedUp {
 public:
  LookedUp(Graph& graph, const TensorFiles& files)
      : graph_(graph), files_(files), is_no_weight_(graph.values.size(), true) {
    for (const auto& node : graph.nodes)
      for (const ValueId id : node.inputs)
        if (id.present() && !adds_or_moves(node)) is_no_weight_[size_t(id.index)] = false;
  }

  void add(const StoredParameter& one) {
    const Value& value = graph_.value(one.id);
    if (value.role != Role::parameter || !value.shape || !is_made_up_name(value.name)) return;
    const Shape& shape = one.type.shape;
    if (int(value.shape->size()) != shape.rank() || !is_floating(one.type.dtype)) return;
    for (int axis = 0; axis < shape.rank(); ++axis)  // stored once along an axis by then
      if ((*value.shape)[size_t(axis)].is_symbolic() || (*value.shape)[size_t(axis)].size != shape[axis]) return;
    if (shape.rank() < 1 || one.type.bytes() > Bytes(kLargestLookedAt)) return;
    if (shape.rank() < 3 && !is_no_weight_[size_t(one.id.index)]) return;  // a weight's rows are its own
    const auto numbers = DenseNumbers::open(*one.tensor, one.type, files_);
    std::string bytes(size_t(one.type.bytes().value()), '\0');
    if (!numbers || bytes.empty() || !numbers->read(0, bytes)) return;
    const auto size = size_t(numbers->size());
    if (shape.rank() == 1) return drop_middle(one, bytes);
    std::optional<RowsOfTable> best;
    for (int split = 1; split < shape.rank(); ++split)
      for (const bool rows_last : {false, true}) {
        auto rows = rows_of(bytes, shape, size, split, rows_last);
        if (rows && (!best || rows->numbers() < best->numbers())) best = std::move(rows);
      }
    if (best) look_up(one, *best);
  }

  void finish() {
    if (added_.empty()) return;
    for (auto& node : graph_.nodes) added_.push_back(std::move(node));
    graph_.nodes = std::move(added_);
  }

 private:
  static bool adds_or_moves(const Node& node) {
    return node.op && (node.op->elementwise || node.op_name == "where" || node.op_name == "transpose" ||
                       node.op->storage == Storage::view);
  }

  // Which rows are equal; nullopt: hardly any, or all of them.
  static std::optional<RowsOfTable> rows_of(const std::string& bytes, const Shape& shape, size_t size, int split,
                                            bool rows_last) {
    const int64_t before = shape.elements(0, split).value(), after = shape.elements(split, shape.rank()).value();
    RowsOfTable rows{.split = split, .rows_last = rows_last, .index = {}, .different = 0, .width = 0};
    const int64_t count = rows_last ? after : before;
    rows.width = rows_last ? before : after;
    if (size_t(rows.width) * size < kSmallestRow || count < 4) return std::nullopt;
    std::unordered_map<std::string, int64_t> known;
    std::string row(size_t(rows.width) * size, '\0');
    for (int64_t i = 0; i < count; ++i) {
      if (rows_last)
        for (int64_t k = 0; k < before; ++k) bytes.copy(&row[size_t(k) * size], size, size_t(k * after + i) * size);
      else bytes.copy(row.data(), row.size(), size_t(i) * row.size());
      rows.index.push_back(known.emplace(row, int64_t(known.size())).first->second);
      if (int64_t(known.size()) * 2 > count) return std::nullopt;
    }
    rows.different = int64_t(known.size());
    return rows.different > 1 ? std::optional(std::move(rows)) : std::nullopt;
  }

  void look_up(const StoredParameter& one, const RowsOfTable& rows) {
    const Shape& shape = one.type.shape;
    SymbolicShape table, places;
    for (int axis = 0; axis < shape.rank(); ++axis)
      ((axis < rows.split) == rows.rows_last ? table : places).push_back(Dim(shape[axis]));
    table.insert(rows.rows_last ? table.end() : table.begin(), Dim(rows.different));
    const std::string name = graph_.value(one.id).name;
    auto index = std::make_shared<Tensor>(integer_tensor(rows.index));
    Shape sizes;
    for (const Dim& dim : places) sizes.push_back(dim.size);
    index->type.shape = sizes;
    Node node = made("gather", name);
    node.inputs = {graph_.add({name, Role::parameter, one.type.dtype, std::move(table), nullptr}),
                   graph_.add({name + "::rows", Role::constant, DType::i64, std::move(places), std::move(index)})};
    node.attributes.set("axis", int64_t{rows.rows_last ? rows.split : 0});
    become_output(one.id, node);
  }

  // (bias of queries, zeros, bias of values)
  void drop_middle(const StoredParameter& one, const std::string& bytes) {
    const int64_t all = one.type.shape[0], third = all / 3;
    if (all % 3 != 0 || third < 8 || one.type.dtype != DType::f32) return;
    const auto is_zero = [&](int64_t i) { return bytes.compare(size_t(i) * 4, 4, std::string(4, '\0')) == 0; };
    for (int64_t i = 0; i < all; ++i)
      if (is_zero(i) != (i / third == 1)) return;
    const std::string name = graph_.value(one.id).name;
    Node node = made("concat", name);
    const SymbolicShape size{Dim(third)};
    auto zeros = std::make_shared<Tensor>(TensorType{DType::f32, Shape{third}});
    node.inputs = {graph_.add({name + "::first", Role::parameter, DType::f32, size, nullptr}),
                   graph_.add({name + "::zeros", Role::constant, DType::f32, size, std::move(zeros)}),
                   graph_.add({name + "::last", Role::parameter, DType::f32, size, nullptr})};
    node.attributes.set("axis", int64_t{0});
    become_output(one.id, node);
  }

  static Node made(std::string_view op, const std::string& name) {
    Node node;
    node.op = &op_named(op);
    node.op_name = node.op->name;
    node.name = name;
    return node;
  }

  void become_output(ValueId id, Node& node) {
    Value& value = graph_.value(id);
    value.role = Role::activation;
    value.data = nullptr;
    value.name += "::written";
    node.outputs = {id};
    added_.push_back(std::move(node));
  }

  Graph& graph_;
  const TensorFiles& files_;
  std::vector<bool> is_no_weight_;  // values that nothing reads as the matrix of a product
  std::vector<Node> added_;
};

}  // namespace

void store_looked_up(Graph& graph, const std::vector<StoredParameter>& stored, const TensorFiles& files) {
  LookedUp tables(graph, files);
  for (const auto& one : stored) tables.add(one);
  tables.finish();
}

}  // namespace plimsoll
