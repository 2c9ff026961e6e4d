#include "model/passes/decoding_step.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <string_view>

#include "model/ops/all_ops.h"

namespace plimsoll {
namespace {

constexpr std::string_view kOfEachRow[] = {"dropout", "identity", "gelu", "fast_gelu", "quick_gelu", "silu"};
constexpr std::string_view kProducts[] = {"linear", "matmul", "gemm"};

template <size_t count>
bool is_in(const std::string_view (&names)[count], std::string_view name) {
  return std::find(std::begin(names), std::end(names), name) != std::end(names);
}

class Decoding {
 public:
  Decoding(const Program& whole, Program& one) : whole_(whole), one_(one) {}

  bool run() {
    if (whole_.inputs.size() != 1 || one_.inputs.size() != 1 || whole_.batch != 1 ||
        whole_.operations.size() != one_.operations.size())
      return false;
    const Shape &tokens = shape(whole_, whole_.inputs[0]), &token = shape(one_, one_.inputs[0]);
    if (tokens.rank() != 2 || token != Shape{1, 1}) return false;
    length_ = tokens[1];
    position_ = one_.add({"position", Role::input, TensorType{DType::i64, {1, 1}}, nullptr});
    for (size_t i = 0; i < one_.operations.size(); ++i)
      if (!change(whole_.operations[i], one_.operations[i])) return false;
    one_.inputs.push_back(position_);
    return true;
  }

 private:
  static const Shape& shape(const Program& program, ValueId id) { return program.value(id).type->shape; }

  static bool is_known(const Program& program, const Operation& operation) {
    const auto typed = [&](ValueId id) { return !id.present() || program.value(id).type.has_value(); };
    return operation.op && operation.repeat == Count(1) && operation.certainty == Certainty::exact &&
           std::all_of(operation.inputs.begin(), operation.inputs.end(), typed) &&
           std::all_of(operation.outputs.begin(), operation.outputs.end(), typed) && !operation.inputs.empty() &&
           operation.inputs[0].present() && !operation.outputs.empty() && operation.outputs[0].present();
  }

  bool change(const Operation& long_one, Operation& operation) {
    if (!is_known(whole_, long_one) || !is_known(one_, operation) || operation.op != long_one.op ||
        operation.inputs.size() != long_one.inputs.size())
      return false;
    if (is_of_fixed(long_one, operation)) {
      for (const ValueId id : operation.outputs) fixed_.insert(id);
      return true;
    }
    const std::string_view name = operation.op->name;
    if (name == "grouped_attention") return keep_tokens(long_one, operation);
    if (name == "slice" && is_stored(operation.inputs[0])) return look_up_position(long_one, operation);
    if (!same_stored(long_one, operation)) return false;
    if (name == "rope") return turn_by_position(long_one, operation);
    return of_each_token(name, long_one, operation);
  }

  bool is_stored(ValueId id) const { return one_.value(id).role == Role::parameter; }
  bool is_fixed(ValueId id) const {
    const ProgramValue& value = one_.value(id);
    return value.role == Role::parameter || value.role == Role::buffer || value.constant || fixed_.contains(id);
  }

  // Of what is stored alone, whatever the number of tokens: another name of a tied table.
  bool is_of_fixed(const Operation& long_one, const Operation& operation) const {
    const auto fixed = [&](ValueId id) { return !id.present() || is_fixed(id); };
    return std::all_of(operation.inputs.begin(), operation.inputs.end(), fixed) && same_stored(long_one, operation) &&
           one_.value(operation.outputs[0]).type == whole_.value(long_one.outputs[0]).type;
  }

  // Parameters and constants do not depend on the number of tokens, but for the sizes of a reshape.
  bool same_stored(const Operation& long_one, const Operation& operation) const {
    if (operation.op->name == "reshape") return true;
    for (size_t i = 0; i < operation.inputs.size(); ++i) {
      const ValueId id = operation.inputs[i], other = long_one.inputs[i];
      if (id.present() != other.present()) return false;
      if (id.present() && is_fixed(id) && one_.value(id).type != whole_.value(other).type) return false;
    }
    return true;
  }

  bool of_each_token(std::string_view name, const Operation& long_one, const Operation& operation) const {
    const Shape& x = shape(one_, operation.inputs[0]);
    const auto is_last = [&](int64_t axis) { return axis == -1 || axis == x.rank() - 1; };
    if (name == "gather")
      return is_stored(operation.inputs[0]) && operation.attributes.integer("axis", 0) == 0 &&
             operation.inputs[1] == one_.inputs[0];
    if (is_in(kProducts, name))
      return operation.inputs.size() > 1 && is_fixed(operation.inputs[1]) && !is_fixed(operation.inputs[0]) &&
             operation.attributes.integer("transA", 0) == 0 && shape(one_, operation.inputs[1]).rank() == 2;
    if (name == "layer_norm" || name == "rms_norm")
      return is_last(operation.attributes.integer("axis", -1)) && tokens_second(long_one, operation);
    if (name == "split" || name == "concat")
      return is_last(operation.attributes.integer("axis", 0)) && tokens_second(long_one, operation);
    if (name == "reshape") return tokens_second(long_one, operation);
    return (operation.op->elementwise || is_in(kOfEachRow, name)) && tokens_second(long_one, operation);
  }

  // Every activation is (1, tokens, …), in both, but for the rows of a table of positions.
  bool tokens_second(const Operation& long_one, const Operation& operation) const {
    const auto fits = [](const Shape& shape, int64_t tokens) {
      return shape.rank() >= 3 && shape[0] == 1 && shape[1] == tokens;
    };
    for (size_t i = 0; i < operation.inputs.size(); ++i) {
      const ValueId id = operation.inputs[i];
      if (!id.present() || is_fixed(id) || id == position_row_) continue;
      if (!fits(shape(one_, id), 1) || !fits(shape(whole_, long_one.inputs[i]), length_)) return false;
    }
    return fits(shape(one_, operation.outputs[0]), 1) && fits(shape(whole_, long_one.outputs[0]), length_);
  }

  bool keep_tokens(const Operation& long_one, Operation& operation) {
    const Attributes given = operation.attributes;
    const int64_t window = given.integer("window", 0);
    const bool plain = given.integer("is_causal", 0) != 0 && (window == 0 || window >= length_) &&
                       given.integer("alibi", 0) == 0 && given.integer("chunk", 0) == 0 &&
                       given.number("softcap", 0) == 0;
    for (size_t i = 3; i < operation.inputs.size(); ++i)
      if (operation.inputs[i].present()) return false;
    if (!plain || operation.inputs.size() < 3 || shape(whole_, long_one.inputs[1])[1] != length_ ||
        one_.value(operation.inputs[0]).type->dtype != DType::f32)
      return false;
    operation.op = &op_named("cached_attention");
    operation.op_name = operation.op->name;
    operation.attributes = {{"num_heads", given.integer("num_heads", 0)}};
    if (given.has("kv_num_heads")) operation.attributes.set("kv_num_heads", given.integer("kv_num_heads", 0));
    if (given.has("scale")) operation.attributes.set("scale", given.number("scale", 0));
    operation.inputs.resize(3);
    operation.inputs.push_back(position_);
    operation.outputs.resize(1);
    add_cache(long_one, operation, 1, "keys");
    add_cache(long_one, operation, 2, "values");
    return settle(operation);
  }

  void add_cache(const Operation& long_one, Operation& operation, size_t input, std::string_view what) {
    const TensorType type = *whole_.value(long_one.inputs[input]).type;
    const std::string name = operation.name + "." + std::string(what);
    operation.inputs.push_back(one_.add({name, Role::state, type, nullptr}));
    operation.outputs.push_back(one_.add({name + ".next", Role::activation, type, nullptr}));
  }

  // The first rows of a table of positions, one for each token: now the row of this one.
  bool look_up_position(const Operation& long_one, Operation& operation) {
    const Shape &table = shape(one_, operation.inputs[0]), &row = shape(one_, operation.outputs[0]);
    const Shape& rows = shape(whole_, long_one.outputs[0]);
    const TensorPtr start = operation.inputs.size() > 1 && operation.inputs[1].present()
                                ? one_.value(operation.inputs[1]).constant
                                : nullptr;
    const bool fits = table.rank() == 2 && row == Shape{1, table[1]} && rows == Shape{length_, table[1]};
    if (!fits || position_row_.present() || !start || start->size() != 1 || start->doubles()[0] != 0) return false;
    operation.op = &op_named("gather");
    operation.op_name = operation.op->name;
    operation.attributes = {{"axis", int64_t{0}}};
    operation.inputs = {operation.inputs[0], position_};
    position_row_ = operation.outputs[0];
    return settle(operation);
  }

  // Frequencies may depend on the length of the sequence: they are those of the whole.
  bool turn_by_position(const Operation& long_one, Operation& operation) {
    if (operation.inputs.size() != 1 || !tokens_second(long_one, operation)) return false;
    const auto frequencies = long_one.attributes.numbers("frequencies");
    const double scale = long_one.attributes.number("scale", 1);
    const auto half = int64_t(frequencies.size());
    const auto cosines = std::make_shared<Tensor>(TensorType{DType::f32, {length_, half}});
    const auto sines = std::make_shared<Tensor>(cosines->type);
    for (size_t i = 0; i < cosines->size(); ++i) {
      const double angle = double(i / frequencies.size()) * frequencies[i % frequencies.size()];
      cosines->as<float>()[i] = float(scale * std::cos(angle));
      sines->as<float>()[i] = float(scale * std::sin(angle));
    }
    operation.attributes = long_one.attributes;
    for (const auto& [what, table] : {std::pair{".cosines", cosines}, std::pair{".sines", sines}})
      operation.inputs.push_back(one_.add({operation.name + what, Role::constant, table->type, table}));
    operation.inputs.push_back(position_);
    return settle(operation);
  }

  // Types, costs and sizes by the operation's own rules; false: it does not take what it is given.
  bool settle(Operation& operation) {
    OpCall call = call_of(one_, operation);
    auto types = infer(*operation.op, call);
    if (!types.ok()) return false;
    call.outputs = *types;
    operation.cost = operation.op->cost ? operation.op->cost(call) : Cost{};
    operation.moved = bytes_moved(*operation.op, call);
    for (size_t i = 0; i < operation.outputs.size(); ++i)
      if (operation.outputs[i].present()) one_.value(operation.outputs[i]).type = (*types)[i];
    return true;
  }

  const Program& whole_;
  Program& one_;
  int64_t length_ = 0;
  ValueId position_, position_row_;
  std::set<ValueId> fixed_;  // values that are the same for every token
};

}  // namespace

std::optional<Program> decoding_step(const Program& whole, Program one) {
  if (!Decoding(whole, one).run()) return std::nullopt;
  return one;
}

}  // namespace plimsoll
