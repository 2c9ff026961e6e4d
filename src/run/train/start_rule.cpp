#include "run/train/start_rule.h"

#include <algorithm>
#include <cmath>

#include "model/ops/fused_activation.h"

namespace plimsoll {
namespace {

constexpr StartRule kZero{StartRule::Kind::constant, 0}, kOne{StartRule::Kind::constant, 1};
constexpr StartRule kSmall{StartRule::Kind::normal, 0.02};
constexpr int kFarthest = 8;  // operations that are looked through

struct Reader {
  const Operation* operation;
  size_t input;
};

class Rules {
 public:
  explicit Rules(const Program& program) : program_(program), readers_(program.values.size()) {
    for (const auto& operation : program.operations) {
      if (operation.phase != Phase::forward && operation.phase != Phase::loss) continue;
      for (size_t i = 0; i < operation.inputs.size(); ++i)
        if (operation.inputs[i].present()) readers_[size_t(operation.inputs[i].index)].push_back({&operation, i});
    }
  }

  StartRule of(ValueId id) const {
    const ProgramValue& value = program_.value(id);
    if (value.role == Role::buffer) return buffer(id);
    if (value.role != Role::parameter || !value.type) return kZero;
    const auto reader = first_reader(id, 0);
    return reader ? parameter(*reader, value.type->shape) : kSmall;
  }

 private:
  // The first operation that computes with the value.
  std::optional<Reader> first_reader(ValueId id, int depth) const {
    for (const Reader& reader : readers_[size_t(id.index)]) {
      const Operation& operation = *reader.operation;
      const bool only_moves = operation.op && !operation.op->cost && reader.input == 0 && operation.op->role(0) == 'x';
      if (!only_moves || operation.outputs.empty() || !operation.outputs[0].present()) return reader;
      if (depth >= kFarthest) continue;
      if (const auto beyond = first_reader(operation.outputs[0], depth + 1)) return beyond;
    }
    return std::nullopt;
  }

  bool before_relu(const Operation& operation, int depth) const {
    if (operation.then) return is_rectifier(operation.then->activation);
    if (operation.attributes.has("activation")) {
      const auto fused = fused_activation(operation.attributes);
      return fused.ok() && is_rectifier(fused->kind);
    }
    if (depth >= kFarthest || operation.outputs.empty() || !operation.outputs[0].present()) return false;
    const auto& readers = readers_[size_t(operation.outputs[0].index)];
    return std::any_of(readers.begin(), readers.end(), [&](const Reader& reader) {
      const Op* op = reader.operation->op;
      if (!op) return false;
      if (is_rectifier(op->activation)) return reader.input == 0;
      return op->before_activation && before_relu(*reader.operation, depth + 1);
    });
  }

  StartRule buffer(ValueId id) const {
    for (const Reader& reader : readers_[size_t(id.index)])
      if (reader.operation->op && reader.operation->op->kind == OpKind::batch_norm)
        return reader.input == 3 ? kZero : kOne;
    return program_.value(id).name.ends_with("mean") ? kZero : kOne;
  }

  StartRule product(const Operation& operation, double fan_in, double fan_out) const {
    const bool glorot = operation.attributes.text("start", "") == "glorot" || !before_relu(operation, 0);
    const double fans = glorot ? fan_in + fan_out : fan_in;
    return {StartRule::Kind::uniform, std::sqrt(6 / std::max(fans, 1.0))};
  }

  StartRule convolution(const Reader& reader, const Shape& shape) const {
    const Operation& operation = *reader.operation;
    const bool transposed = operation.op->kind == OpKind::conv_transpose;
    const double taps = double(shape.elements(2, shape.rank()).value());
    const double group = double(std::max<int64_t>(operation.attributes.integer("group", 1), 1));
    if (!transposed) return product(operation, double(shape[1]) * taps, double(shape[0]) * taps / group);
    double steps = 1;  // of all taps, a number of the output meets one in so many
    for (const int64_t stride : operation.attributes.integers("strides")) steps *= double(std::max<int64_t>(stride, 1));
    return product(operation, double(shape[0]) * taps / group / steps, double(shape[1]) * taps / steps);
  }

  StartRule matrix(const Reader& reader, const Shape& shape) const {
    const Operation& operation = *reader.operation;
    const int rank = shape.rank();
    const bool left = reader.input == 0;
    const bool turned = operation.attributes.integer(left ? "transA" : "transB", 0) != 0;
    const bool rows = left == turned;  // whether the sum runs over the rows
    const double fan_in = double(shape[rows ? rank - 2 : rank - 1]),
                 fan_out = double(shape[rows ? rank - 1 : rank - 2]);
    return product(operation, fan_in, fan_out);
  }

  // (directions, gates × hidden, inputs). The weights of the recurrence, input 2, have as many inputs as it has hidden.
  StartRule recurrent(const Reader& reader, const Shape& shape) const {
    const Operation& operation = *reader.operation;
    const auto& recurrence = program_.value(operation.inputs.at(2)).type;
    const double hidden = recurrence && recurrence->shape.rank() == 3 ? double(recurrence->shape[2]) : double(shape[1]);
    return product(operation, double(shape[2]), hidden);
  }

  StartRule parameter(const Reader& reader, const Shape& shape) const {
    const Op* op = reader.operation->op;
    if (!op) return kSmall;
    const bool vector = std::count_if(shape.begin(), shape.end(), [](int64_t size) { return size > 1; }) <= 1;
    switch (op->start(reader.input)) {
      case '0': return kZero;
      case '1': return kOne;
      case 'q': return {StartRule::Kind::constant, 0.25};
      case 'k':
      case 't': return shape.rank() >= 2 ? convolution(reader, shape) : kZero;
      case 'm': return shape.rank() >= 2 ? matrix(reader, shape) : kZero;
      case 'g': return shape.rank() == 3 ? recurrent(reader, shape) : kZero;
      case 'a': return vector && shape.rank() <= 1 ? kZero : kSmall;
      case 'f': return vector ? kOne : kSmall;
      default: return kSmall;
    }
  }

  const Program& program_;
  std::vector<std::vector<Reader>> readers_;
};

}  // namespace

std::vector<StartRule> start_rules(const Program& program) {
  const Rules rules(program);
  std::vector<StartRule> list;
  for (size_t i = 0; i < program.values.size(); ++i) list.push_back(rules.of({int32_t(i)}));
  return list;
}

}  // namespace plimsoll
