#include "model/passes/tile_attention.h"

#include <cmath>
#include <limits>

#include "model/ops/all_ops.h"
#include "model/ops/dropout_training.h"
#include "model/passes/uses.h"

namespace plimsoll {
namespace {

using Order = std::vector<int64_t>;
const Order kByHead{0, 2, 1, 3}, kTurned{0, 2, 3, 1};

// Queries, keys or values before they were cut into heads: (batch, tokens, numbers).
struct CutTokens {
  ValueId tokens;
  int64_t heads = 0;
};

struct FoundAttention {
  CutTokens q, k, v;
  double scale = 1;
  bool causal = false;
  ValueId bias, counters;
  double dropout = 0;
  int64_t node = 0;
  std::vector<size_t> operations;  // that it consists of
  size_t last = 0;                 // of them: writes the result
};

class AttentionSearch {
 public:
  explicit AttentionSearch(const Program& program)
      : program_(program), uses_(program), reader_(program.values.size(), kNone) {
    for (size_t i = 0; i < program.operations.size(); ++i)
      for (const ValueId id : program.operations[i].inputs)
        if (id.present()) reader_[size_t(id.index)] = i;
  }

  // Around a softmax.
  std::optional<FoundAttention> around(size_t softmax) {
    found_ = {};
    const Operation& operation = program_.operations[softmax];
    const auto& type = program_.value(operation.outputs[0]).type;
    if (!type || type->shape.rank() != 4) return std::nullopt;
    const int64_t axis = operation.attributes.integer("axis", -1);
    if (axis != -1 && axis != 3) return std::nullopt;
    take(softmax);
    if (!before(operation.inputs[0]) || !after(operation.outputs[0])) return std::nullopt;
    const bool same = found_.q.heads == found_.k.heads && found_.k.heads == found_.v.heads;
    return same ? std::optional(std::move(found_)) : std::nullopt;
  }

 private:
  static constexpr size_t kNone = size_t(-1);

  void take(size_t operation) { found_.operations.push_back(operation); }
  const Shape& shape(ValueId id) const { return program_.value(id).type->shape; }
  bool is(size_t i, std::string_view name) const {
    const Operation& operation = program_.operations[i];
    return operation.op && operation.op->name == name && operation.repeat == Count(1) &&
           operation.certainty == Certainty::exact;
  }

  // What writes a value that nobody else reads.
  std::optional<size_t> only_producer(ValueId id, std::string_view name) const {
    if (!id.present() || uses_.reads(id) != 1 || uses_.producer(id) == Uses::kNobody) return std::nullopt;
    const auto found = size_t(uses_.producer(id));
    return is(found, name) ? std::optional(found) : std::nullopt;
  }
  std::optional<size_t> only_reader(ValueId id, std::string_view name) const {
    if (uses_.reads(id) != 1 || reader_[size_t(id.index)] == kNone) return std::nullopt;
    const size_t found = reader_[size_t(id.index)];
    return is(found, name) && program_.operations[found].inputs[0] == id ? std::optional(found) : std::nullopt;
  }

  std::optional<double> number(ValueId id) const {
    const TensorPtr& constant = program_.value(id).constant;
    if (!constant || constant->size() != 1) return std::nullopt;
    return constant->doubles()[0];
  }

  // (batch, tokens, numbers) → reshape → transpose
  std::optional<CutTokens> cut(ValueId id, const Order& order) {
    const auto turn = only_producer(id, "transpose");
    if (!turn || program_.operations[*turn].attributes.integers("perm") != order) return std::nullopt;
    const ValueId by_head = program_.operations[*turn].inputs[0];
    const auto reshape = only_producer(by_head, "reshape");
    if (!reshape) return std::nullopt;
    const ValueId tokens = program_.operations[*reshape].inputs[0];
    const Shape &whole = shape(tokens), &parts = shape(by_head);
    if (whole.rank() != 3 || parts.rank() != 4 || parts[0] != whole[0] || parts[1] != whole[1]) return std::nullopt;
    take(*turn);
    take(*reshape);
    return CutTokens{tokens, parts[2]};
  }

  // Back from the softmax to queries and keys.
  bool before(ValueId scores) {
    if (const auto sum = masked(scores)) scores = *sum;
    const auto product = only_producer(scores, "matmul");
    if (!product) return false;
    const Operation& matmul = program_.operations[*product];
    if (matmul.attributes.integer("transA", 0) != 0 || matmul.attributes.integer("transB", 0) != 0) return false;
    take(*product);
    const auto k = cut(matmul.inputs[1], kTurned);
    const auto q = cut(scaled(matmul.inputs[0]), kByHead);
    if (!k || !q) return false;
    found_.k = *k;
    found_.q = *q;
    return true;
  }

  ValueId scaled(ValueId q) {
    const auto times = only_producer(q, "mul");
    if (!times) return q;
    const Operation& operation = program_.operations[*times];
    for (const size_t i : {size_t{1}, size_t{0}})
      if (const auto factor = number(operation.inputs[i])) {
        found_.scale *= *factor;
        take(*times);
        return operation.inputs[1 - i];
      }
    return q;
  }

  // The scores before a mask was added, as they are or cut into groups of samples.
  std::optional<ValueId> masked(ValueId scores) {
    ValueId at = scores;
    const auto join = only_producer(at, "reshape");
    if (join) at = program_.operations[*join].inputs[0];
    const auto add = only_producer(at, "add");
    if (!add) return std::nullopt;
    const Operation& sum = program_.operations[*add];
    ValueId plain = sum.inputs[0];
    const ValueId mask = sum.inputs[1];
    const auto split = join ? only_producer(plain, "reshape") : std::nullopt;
    if (join.has_value() != split.has_value()) return std::nullopt;
    if (split) plain = program_.operations[*split].inputs[0];
    if (shape(plain) != shape(scores) || !may_be_bias(mask, shape(plain), join.has_value())) return std::nullopt;
    take(*add);
    if (join) take(*join), take(*split);
    if (hides_later(mask, shape(scores))) found_.causal = true;
    else found_.bias = mask;
    return plain;
  }

  // One for each query and key, at most for each head and each of some samples, that repeat.
  bool may_be_bias(ValueId mask, const Shape& scores, bool grouped) const {
    const Shape& bias = shape(mask);
    const int rank = bias.rank();
    if (rank < 2 || rank > 4 || bias[rank - 1] != scores[3] || bias[rank - 2] != scores[2]) return false;
    if (rank > 2 && bias[rank - 3] != 1 && bias[rank - 3] != scores[1]) return false;
    return rank < 4 || bias[0] == 1 || (grouped ? scores[0] % bias[0] == 0 : bias[0] == scores[0]);
  }

  bool hides_later(ValueId mask, const Shape& scores) const {
    const TensorPtr& constant = program_.value(mask).constant;
    const int64_t rows = scores[2], columns = scores[3];
    if (!constant || int64_t(constant->size()) != rows * columns) return false;
    const auto numbers = constant->doubles();
    for (int64_t row = 0; row < rows; ++row)
      for (int64_t column = 0; column < columns; ++column) {
        const double number = numbers[size_t(row * columns + column)];
        if (column > row ? number != -std::numeric_limits<double>::infinity() : number != 0) return false;
      }
    return true;
  }

  // From the softmax on to the result.
  bool after(ValueId shares) {
    shares = kept(shares);
    const auto product = only_reader(shares, "matmul");
    if (!product) return false;
    const Operation& matmul = program_.operations[*product];
    if (matmul.attributes.integer("transA", 0) != 0 || matmul.attributes.integer("transB", 0) != 0) return false;
    take(*product);
    const auto v = cut(matmul.inputs[1], kByHead);
    const auto turn = only_reader(matmul.outputs[0], "transpose");
    if (!v || !turn || program_.operations[*turn].attributes.integers("perm") != kByHead) return false;
    const auto join = only_reader(program_.operations[*turn].outputs[0], "reshape");
    if (!join) return false;
    const Shape &whole = shape(v->tokens), &result = shape(program_.operations[*join].outputs[0]);
    if (result.rank() != 3 || result[0] != whole[0] || result[2] != whole[2]) return false;
    found_.v = *v;
    take(*turn);
    found_.last = *join;
    return true;
  }

  // What a dropout leaves of the shares; outside of training it leaves all.
  ValueId kept(ValueId shares) {
    if (const auto nothing = only_reader(shares, "dropout"); nothing && leaves_all(program_.operations[*nothing])) {
      take(*nothing);
      return program_.operations[*nothing].outputs[0];
    }
    const auto drop = only_reader(shares, dropout_train().name);
    if (!drop) return shares;
    const Operation& operation = program_.operations[*drop];
    const bool known = operation.inputs.size() < 2 || !operation.inputs[1].present() || number(operation.inputs[1]);
    if (!known ||
        (operation.outputs.size() > 1 && operation.outputs[1].present() && uses_.reads(operation.outputs[1]) > 0))
      return shares;
    const bool given = operation.inputs.size() > 1 && operation.inputs[1].present();
    const double ratio = given ? *number(operation.inputs[1]) : operation.attributes.number("ratio", 0.5);
    found_.dropout = ratio >= 0 && ratio < 1 ? ratio : 0;
    found_.node = operation.attributes.integer("node", 0);
    if (operation.inputs.size() > 3) found_.counters = operation.inputs[3];
    take(*drop);
    return operation.outputs[0];
  }

  bool leaves_all(const Operation& dropout) const {
    const bool mask = dropout.outputs.size() > 1 && dropout.outputs[1].present() && uses_.reads(dropout.outputs[1]) > 0;
    return dropout.inputs.size() == 1 && !mask;
  }

  const Program& program_;
  const Uses uses_;
  std::vector<size_t> reader_;  // the last operation that reads a value
  FoundAttention found_;
};

Operation one_operation(const FoundAttention& found, const Operation& last, ValueId log_sums) {
  Operation operation;
  operation.op = &op_named("grouped_attention");
  operation.op_name = operation.op->name;
  operation.name = last.name;
  operation.inputs = {found.q.tokens, found.k.tokens, found.v.tokens, found.bias, {}, found.counters};
  operation.outputs = {last.outputs[0], log_sums};
  operation.attributes = {{"num_heads", found.q.heads},         {"scale", found.scale},
                          {"is_causal", int64_t{found.causal}}, {"fused", int64_t{1}},
                          {"dropout", found.dropout},           {"node", found.node}};
  return operation;
}

// Types, costs and sizes of its outputs; false: the op does not take it.
bool settle(Program& program, Operation& operation) {
  OpCall call = call_of(program, operation);
  auto types = infer(*operation.op, call);
  if (!types.ok()) return false;
  call.outputs = *types;
  operation.cost = operation.op->cost(call);
  operation.moved = bytes_moved(*operation.op, call);
  for (size_t i = 0; i < operation.outputs.size(); ++i)
    if (operation.outputs[i].present()) program.value(operation.outputs[i]).type = (*types)[i];
  return true;
}

int64_t join_operations(Program& program) {
  std::vector<FoundAttention> all;
  AttentionSearch search(program);
  for (size_t i = 0; i < program.operations.size(); ++i)
    if (program.operations[i].op && program.operations[i].op->name == "softmax")
      if (auto found = search.around(i)) all.push_back(*std::move(found));
  std::vector<bool> gone(program.operations.size(), false);
  for (const FoundAttention& found : all) {
    const Operation& last = program.operations[found.last];
    const ValueId log_sums = program.add({last.name + ".log_sums", Role::activation, std::nullopt, nullptr});
    Operation operation = one_operation(found, last, log_sums);
    if (!settle(program, operation)) continue;
    program.operations[found.last] = std::move(operation);
    for (const size_t i : found.operations) gone[i] = true;
  }
  remove_operations(program, gone);
  return int64_t(all.size());
}

// What the tiles know.
bool is_plain(const Operation& attention) {
  const Attributes& attributes = attention.attributes;
  const bool sinks = attention.inputs.size() > 4 && attention.inputs[4].present();
  return !sinks && attributes.number("softcap", 0) == 0 && attributes.integer("alibi", 0) == 0 &&
         attributes.integer("window", 0) == 0 && attributes.integer("chunk", 0) == 0;
}

int64_t forget_softmax(Program& program) {
  const Uses uses(program);
  int64_t count = 0;
  for (auto& operation : program.operations) {
    if (!operation.op || operation.op->name != "grouped_attention" || operation.repeat != Count(1)) continue;
    if (!is_plain(operation) || operation.attributes.integer("fused", 0) != 0) continue;
    if (operation.outputs.size() > 1 && operation.outputs[1].present() && uses.reads(operation.outputs[1]) > 0)
      continue;
    operation.attributes.set("fused", int64_t{1});
    if (settle(program, operation)) ++count;
  }
  return count;
}

}  // namespace

int64_t tile_attention(Program& program) { return join_operations(program) + forget_softmax(program); }

}  // namespace plimsoll
