#include "model/onnx/tied_weights.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/text.h"
#include "model/onnx/dense_numbers.h"
#include "model/ops/all_ops.h"

namespace plimsoll {
namespace {

constexpr int64_t kSmallest = 64;  // numbers of a tensor that is looked at; a few could be equal by chance
constexpr int kFirstLook = 12, kSecondLook = 500;  // positions that are compared

// A spread of positions that does not follow rows or columns, the same for every tensor of a shape.
int64_t position(int k, int64_t count) {
  constexpr uint64_t kGolden = 0x9E3779B97F4A7C15;
  return int64_t((uint64_t(k + 1) * kGolden >> 11) % uint64_t(count));
}

class Tying {
 public:
  Tying(Graph& graph, const TensorFiles& files) : graph_(graph), files_(files), reader_(graph.values.size(), nullptr) {
    for (const auto& node : graph.nodes)
      for (const ValueId id : node.inputs)
        if (id.present() && !reader_[size_t(id.index)]) reader_[size_t(id.index)] = &node;
  }

  void add(const StoredParameter& one) {
    const Shape& shape = one.type.shape;
    if (one.type.elements().value() < kSmallest || !one.tensor) return;
    auto numbers = DenseNumbers::open(*one.tensor, one.type, files_);
    if (!numbers) return;
    // Of a matrix its longer side lies along rows here, so that it and its transpose look alike.
    const bool turned = shape.rank() == 2 && shape[0] > shape[1];
    const auto look = sample(*numbers, shape, turned, kFirstLook);
    if (!look || is_uniform(*look, size_t(numbers->size()))) return;
    const std::string key = fmt::format("{} {} ", int(one.type.dtype), key_of(shape));
    auto [known, is_new] = firsts_.emplace(key + *look, First{one.id, one.tensor, one.type});
    if (!is_new) return merge(known->second, one, *numbers, turned);
    if (shape.rank() != 2 || shape[0] != shape[1]) return;
    const auto other = sample(*numbers, shape, true, kFirstLook);  // a square one may be stored either way
    if (!other) return;
    const auto found = firsts_.find(key + *other);
    if (found != firsts_.end() && found->second.id != one.id) merge(found->second, one, *numbers, true);
  }

  void finish() {
    std::vector<Node> nodes;
    nodes.reserve(transposes_.size() + graph_.nodes.size());
    for (auto& node : transposes_) nodes.push_back(std::move(node));
    for (auto& node : graph_.nodes) {
      for (ValueId& id : node.inputs)
        if (const auto same = same_.find(id.index); same != same_.end()) id = same->second;
      nodes.push_back(std::move(node));
    }
    graph_.nodes = std::move(nodes);
    if (copies_.empty()) return;
    graph_.notes.push_back(fmt::format("{} of its weights {} with the same numbers again and counted once, first {}",
                                       copies_.size(), copies_.size() == 1 ? "is stored" : "are stored",
                                       in_quotes(copies_[0])));
  }

  std::vector<std::string> copies() && { return std::move(copies_); }

 private:
  struct First {
    ValueId id;
    const onnx::TensorProto* tensor;
    TensorType type;
  };

  static std::string key_of(const Shape& shape) {
    std::vector<int64_t> sizes(shape.begin(), shape.end());
    if (sizes.size() == 2) std::sort(sizes.begin(), sizes.end());
    return fmt::format("{}", fmt::join(sizes, "x"));
  }

  static std::optional<std::string> sample(const DenseNumbers& numbers, const Shape& shape, bool turned,
                                           int positions) {
    const auto size = size_t(numbers.size());
    std::string bytes(size * size_t(positions), '\0');
    for (int k = 0; k < positions; ++k) {
      int64_t at = position(k, numbers.count());
      if (turned) {  // row and column of the transpose
        const int64_t columns = shape[0];
        at = at % columns * shape[1] + at / columns;
      }
      if (!numbers.read(at, std::span(bytes).subspan(size_t(k) * size, size))) return std::nullopt;
    }
    return bytes;
  }

  // The same number everywhere: how scales and shifts start, which makes no two of them one.
  static bool is_uniform(const std::string& bytes, size_t size) {
    for (size_t i = size; i < bytes.size(); ++i)
      if (bytes[i] != bytes[i - size]) return false;
    return true;
  }

  // "/encoder/layer/ffn_1/MatMul" → "/encoder/layer/ffn": where in the network a node is, however often it runs.
  static std::string place_of(const std::string& name) {
    std::string path = name.substr(0, name.rfind('/') == std::string::npos ? name.size() : name.rfind('/'));
    const size_t last = path.find_last_not_of("0123456789");
    if (last != std::string::npos && last + 1 < path.size() && path[last] == '_') path.resize(last);
    return path;
  }

  // One weight of the network: an embedding that is the last layer too, or a layer that runs several times. Layers that
  // were copied from one another before any training have equal numbers, and are not one.
  bool may_be_one(ValueId first, ValueId copy) const {
    const Node *one = reader_[size_t(first.index)], *two = reader_[size_t(copy.index)];
    if (!one || !two) return false;
    const bool looked_up = (one->op_name == "gather") != (two->op_name == "gather");
    return looked_up || place_of(one->name) == place_of(two->name) || is_of(first, *two) || is_of(copy, *one);
  }

  // "encoder.weight", and a reader "/encoder/MatMul" of the other one, which an exporter has turned.
  bool is_of(ValueId named, const Node& reader) const {
    const std::string& name = graph_.value(named).name;
    std::string place = place_of(reader.name);
    if (place.empty() || place[0] != '/' || name.rfind('.') == std::string::npos) return false;
    std::replace(place.begin(), place.end(), '/', '.');
    return place.substr(1) == name.substr(0, name.rfind('.'));
  }

  void merge(const First& first, const StoredParameter& copy, const DenseNumbers& numbers, bool turned) {
    if (!may_be_one(first.id, copy.id)) return;
    const auto others = DenseNumbers::open(*first.tensor, first.type, files_);
    const Shape &one = first.type.shape, &two = copy.type.shape;
    const bool square = one.rank() == 2 && one[0] == one[1];
    const bool first_turned = !square && one.rank() == 2 && one[0] > one[1];
    if (!others || sample(*others, one, first_turned, kSecondLook) != sample(numbers, two, turned, kSecondLook)) return;
    Value& value = graph_.value(copy.id);
    copies_.push_back(value.name);
    if (first_turned == turned) {
      value.role = Role::constant;  // that nobody reads any more
      same_.emplace(copy.id.index, first.id);
      return;
    }
    value.role = Role::activation;
    Node node;
    node.op = &op_named("transpose");
    node.op_name = node.op->name;
    node.name = value.name;
    node.inputs = {first.id};
    node.outputs = {copy.id};
    node.attributes.set("perm", std::vector<int64_t>{1, 0});
    transposes_.push_back(std::move(node));
  }

  Graph& graph_;
  const TensorFiles& files_;
  std::vector<const Node*> reader_;  // of each value, the first
  std::map<std::string, First> firsts_;
  std::map<int32_t, ValueId> same_;
  std::vector<Node> transposes_;
  std::vector<std::string> copies_;
};

}  // namespace

std::vector<std::string> tie_weights(Graph& graph, std::vector<StoredParameter> stored, const TensorFiles& files) {
  std::sort(stored.begin(), stored.end(), [](const auto& a, const auto& b) { return a.id < b.id; });
  Tying tying(graph, files);
  for (const auto& one : stored) tying.add(one);
  tying.finish();
  return std::move(tying).copies();
}

}  // namespace plimsoll
