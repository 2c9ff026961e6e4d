#include "plan/serving/served_network.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <set>

#include "base/rows/named.h"
#include "base/text.h"

namespace plimsoll {
namespace {

// The number in "model.layers.12.mlp.down_proj"; -1 where there is none.
int64_t layer_of(const std::string& name) {
  for (size_t begin = 0; begin < name.size();) {
    const size_t end = std::min(name.find('.', begin), name.size());
    int64_t number = 0;
    const auto [rest, error] = std::from_chars(name.data() + begin, name.data() + end, number);
    if (error == std::errc() && rest == name.data() + end) return number;
    begin = end + 1;
  }
  return -1;
}

bool has_any(const std::string& name, std::initializer_list<std::string_view> parts) {
  return std::any_of(parts.begin(), parts.end(), [&](auto part) { return name.find(part) != std::string::npos; });
}

MatrixRole role_of(const std::string& name) {
  if (has_any(name, {"v_proj", "v_lin", ".value"})) return MatrixRole::value;
  if (has_any(name, {"down_proj", "mlp.c_proj", "fc2", "fc_out", "dense_4h_to_h"})) return MatrixRole::down;
  return MatrixRole::other;
}

class Reader {
 public:
  explicit Reader(const Program& program) : program_(program) {}

  ServedNetwork read() {
    out_.name = program_.name;
    find_text();
    for (const auto& operation : program_.operations) {
      if (operation.certainty == Certainty::unknown) continue;
      if (operation.op_name == "identity") follow(operation);
      else if (!reads_text(operation)) continue;
      else if (operation.op_name == "gather") add_embedding(operation);
      else if (operation.op_name == "grouped_attention") add_attention(operation);
      else if (operation.op_name == "selective_scan") add_state(operation);
      else if (operation.op_name == "gated_delta_rule") add_delta_state(operation);
      else if (operation.op_name == "experts") add_experts(operation);
      else if (operation.op && operation.op->kind == OpKind::product) add_product(operation);
    }
    for (const auto& value : program_.values)
      if (value.role == Role::parameter && value.type && !counted_.count(&value - program_.values.data()))
        out_.small += double(value.type->elements().value());
    out_.blocks = int64_t(layers_seen_.size());
    return out_;
  }

 private:
  const TensorType& type(ValueId id) const { return *program_.value(id).type; }

  // The stored tensor behind a value: itself, or the one that it is another name for. -1: none.
  int64_t stored(ValueId id) const {
    if (!id.present()) return -1;
    const auto alias = aliases_.find(id.index);
    const int64_t index = alias == aliases_.end() ? id.index : alias->second;
    return program_.values.at(size_t(index)).role == Role::parameter ? index : -1;
  }

  // What depends on an input of tokens. An encoder of pictures or sounds runs once for a prompt and holds its weights.
  void find_text() {
    text_.assign(program_.values.size(), false);
    for (const ValueId input : program_.inputs) text_[size_t(input.index)] = type(input).dtype == DType::i64;
    for (const auto& operation : program_.operations)
      if (reads_text(operation))
        for (const ValueId output : operation.outputs)
          if (output.present()) text_[size_t(output.index)] = true;
  }
  bool reads_text(const Operation& operation) const {
    return std::any_of(operation.inputs.begin(), operation.inputs.end(),
                       [&](ValueId id) { return id.present() && text_[size_t(id.index)]; });
  }

  void follow(const Operation& operation) {
    if (const int64_t source = stored(operation.inputs[0]); source >= 0) aliases_[operation.outputs[0].index] = source;
  }

  void add(int64_t index, ServedMatrix matrix) {
    counted_.insert(index);
    out_.matrices.push_back(matrix);
  }

  void add_embedding(const Operation& operation) {
    const int64_t table = stored(operation.inputs[0]);
    if (table < 0 || counted_.count(table) || type({int32_t(table)}).shape.rank() != 2) return;
    const Shape& shape = type({int32_t(table)}).shape;
    if (shape[0] > out_.vocabulary) {
      out_.vocabulary = shape[0];
      words_ = table;
    }
    add(table, {MatrixRole::embedding, -1, double(shape.elements().value())});
  }

  void add_product(const Operation& operation) {
    for (const ValueId input : operation.inputs) {
      const int64_t index = stored(input);
      if (index < 0 || type({int32_t(index)}).shape.rank() != 2) continue;
      const Shape& output = type(operation.outputs[0]).shape;
      if (index == words_) {
        out_.tied = true;
        return;
      }
      if (counted_.count(index)) return;
      const int64_t layer = layer_of(operation.name);
      const int64_t columns = output[output.rank() - 1];
      ServedMatrix matrix{role_of(operation.name), layer, double(type({int32_t(index)}).elements().value())};
      if (layer < 0 && columns == out_.vocabulary) matrix.role = MatrixRole::head;
      add(index, matrix);
      if (layer >= 0) widen(operation, columns);
      return;
    }
  }

  // Up, or gate and up in one: what the block holds at once is what it writes, and what its activation writes.
  void widen(const Operation& operation, int64_t columns) {
    note_layer(operation.name);
    if (!has_any(operation.name, {"mlp", "feed_forward", "ffn", "fc1", "fc_in", "expert", "dense_h_to_4h"})) return;
    const bool packed = has_any(operation.name, {"gate_up"});
    const double at_once = packed ? 2 : has_any(operation.name, {"gate_proj", "up_proj"}) ? 3 : 2;
    out_.forward_width = std::max(out_.forward_width, at_once * double(columns));
  }

  void add_experts(const Operation& operation) {
    note_layer(operation.name);
    const Shape& weights = type(operation.inputs[1]).shape;
    const int64_t chosen = weights[weights.rank() - 1];
    for (size_t i = 3; i < operation.inputs.size(); ++i) {
      const int64_t index = stored(operation.inputs[i]);
      if (index < 0) continue;
      const TensorType& each = type({int32_t(index)});
      const int64_t copies = std::max<int64_t>(1, each.shape[0]);
      const bool matrix = each.shape.rank() == 3;
      if (!matrix) continue;
      add(index, {i == 4 ? MatrixRole::down : MatrixRole::other, layer_of(operation.name),
                  double(each.elements().value()) / double(copies), copies, chosen});
      out_.experts = std::max(out_.experts, copies);
      out_.chosen = std::max(out_.chosen, chosen);
    }
  }

  // Only what is causal is cached: an encoder sees all of its text at once.
  void add_attention(const Operation& operation) {
    if (operation.attributes.integer("is_causal", 0) == 0) return;
    note_layer(operation.name);
    const Shape &q = type(operation.inputs[0]).shape, &k = type(operation.inputs[1]).shape,
                &v = type(operation.inputs[2]).shape;
    ServedLayer layer;
    layer.heads = std::max<int64_t>(1, operation.attributes.integer("num_heads", 1));
    layer.kv_heads = std::max<int64_t>(1, operation.attributes.integer("kv_num_heads", layer.heads));
    layer.head = k[2] / layer.kv_heads;
    layer.value_head = v[2] / layer.kv_heads;
    layer.window = std::max(operation.attributes.integer("window", 0), operation.attributes.integer("chunk", 0));
    layer.latent = double(operation.attributes.integer("latent", 0));
    layer.shared = operation.attributes.integer("shares_cache", 0) != 0;
    out_.layers.push_back(layer);
    // Queries twice (before and after their rotation), keys and values, what comes out.
    out_.attention_width = std::max(out_.attention_width, double(3 * q[2] + 2 * (k[2] + v[2])));
    out_.width = std::max(out_.width, width_before(operation));
  }

  void add_state(const Operation& operation) {
    note_layer(operation.name);
    const Shape &x = type(operation.inputs[0]).shape, &b = type(operation.inputs[3]).shape;
    push_state(operation, x[2], b[2] / std::max<int64_t>(1, operation.attributes.integer("groups", 1)));
  }

  void add_delta_state(const Operation& operation) {
    note_layer(operation.name);
    const Shape &q = type(operation.inputs[0]).shape, &v = type(operation.inputs[2]).shape;
    push_state(operation, v[2], q[2] / std::max<int64_t>(1, operation.attributes.integer("key_heads", 1)));
  }

  void push_state(const Operation& operation, int64_t width, int64_t state) {
    ServedLayer layer;
    layer.state = double(width) * double(state);
    out_.layers.push_back(layer);
    out_.attention_width = std::max(out_.attention_width, double(4 * width));
    out_.width = std::max(out_.width, width_before(operation));
  }

  // The width of the states between layers: that of the word table, else of what the first layer reads.
  int64_t width_before(const Operation& operation) const {
    if (words_ >= 0) return type({int32_t(words_)}).shape[1];
    const Shape& x = type(operation.inputs[0]).shape;
    return x[x.rank() - 1];
  }

  void note_layer(const std::string& name) {
    if (const int64_t layer = layer_of(name); layer >= 0) layers_seen_.insert(layer);
  }

  const Program& program_;
  ServedNetwork out_;
  std::map<int64_t, int64_t> aliases_;
  std::set<int64_t> counted_, layers_seen_;
  std::vector<bool> text_;  // values that the text decides
  int64_t words_ = -1;
};

}  // namespace

double ServedNetwork::params() const {
  double sum = small;
  for (const auto& matrix : matrices) sum += matrix.numbers * double(matrix.copies);
  return sum;
}

double ServedNetwork::macs_per_token() const {
  double macs = 0;
  for (const auto& matrix : matrices)
    if (matrix.role != MatrixRole::embedding && matrix.role != MatrixRole::head)
      macs += matrix.numbers * double(matrix.chosen);
  return macs;
}

double ServedNetwork::score_macs(double tokens, double past) const {
  double macs = 0;
  for (const auto& layer : layers) {
    double pairs = tokens * past + tokens * tokens / 2;
    if (layer.window > 0) pairs = std::min(pairs, tokens * double(layer.window));
    macs += pairs * double(layer.heads * (layer.head + layer.value_head));
  }
  return macs;
}

double ServedNetwork::largest_matrix() const {
  double most = 0;
  for (const auto& matrix : matrices)
    if (matrix.layer >= 0) most = std::max(most, matrix.numbers);
  return most;
}

Result<ServedNetwork> served_network(const Program& program) {
  ServedNetwork network = Reader(program).read();
  if (!network.layers.empty() && network.vocabulary > 0) return network;
  const bool reads_text = !program.inputs.empty() && program.value(program.inputs[0]).type &&
                          program.value(program.inputs[0]).type->dtype == DType::i64;
  return user_error(
      fmt::format("{} generates no text: it has no layer that keeps a cache of keys and values, or a state",
                  in_quotes(program.name)),
      reads_text ? "language models do, by their config.json, .gguf or name: gpt2-small, llama-3.1-8b …"
                 : fmt::format("{} inference answers for it", named("mode")));
}

}  // namespace plimsoll
