#include "plan/memory/framework_autocast.h"

#include <algorithm>
#include <map>

#include "model/passes/promote_types.h"
#include "plan/time/timed_program.h"

namespace plimsoll {
namespace {

enum class Precision : uint8_t { narrow, full, widest, as_data };

Precision precision_of(const Operation& operation) {
  if (operation.cost.macs.value() > 0) return Precision::narrow;
  switch (norm_of(operation)) {
    case Norm::row: return Precision::full;
    case Norm::batch: return Precision::as_data;  // its parameters and statistics stay in 32 bits
    case Norm::none: return Precision::widest;
  }
  return Precision::widest;
}

class Autocast {
 public:
  Autocast(Program& program, DType narrow) : program_(program), narrow_(narrow) {}

  void run() {
    std::vector<Operation> before = std::move(program_.operations);
    program_.operations.clear();
    for (auto& operation : before) {
      if (operation.op && operation.certainty != Certainty::unknown) convert(operation);
      program_.operations.push_back(std::move(operation));
    }
  }

 private:
  bool is_float(ValueId id) const {
    const auto& type = id.present() ? program_.value(id).type : std::nullopt;
    return type && (type->dtype == DType::f32 || type->dtype == narrow_);
  }

  DType type_of(ValueId id) const { return program_.value(id).type->dtype; }
  // A number, not a tensor: it takes on the format of what it meets.
  bool is_scalar(ValueId id) const { return program_.value(id).type->shape.elements() == Count(1); }

  void convert(Operation& operation) {
    switch (precision_of(operation)) {
      case Precision::narrow: cast_all(operation, narrow_, Kernels::own); break;
      case Precision::full: cast_all(operation, DType::f32, reads_wide(operation)); break;
      case Precision::widest: widen(operation); break;
      case Precision::as_data: infer_again(operation); break;
    }
  }

  // Whether a cast is a kernel of its own, or the operation's own kernel reads the other format.
  enum class Kernels : uint8_t { own, inside };

  // Softmax writes 32 bits from 16; norms are given a copy.
  static Kernels reads_wide(const Operation& operation) {
    return operation.op->roles.find('w') == std::string_view::npos ? Kernels::inside : Kernels::own;
  }

  void widen(Operation& operation) {
    bool narrow = false, wide = false;
    for (const ValueId id : operation.inputs)
      if (is_float(id) && !is_scalar(id)) (type_of(id) == narrow_ ? narrow : wide) = true;
    if (!narrow && !wide) return;
    cast_all(operation, wide ? DType::f32 : narrow_, Kernels::inside);
  }

  void cast_all(Operation& operation, DType to, Kernels kernels) {
    Bytes saved;
    for (ValueId& id : operation.inputs) {
      if (!is_float(id) || type_of(id) == to) continue;
      const bool inside = kernels == Kernels::inside || is_scalar(id);
      const Bytes from = program_.value(id).type->bytes();
      id = cast(operation, id, to, inside);
      if (inside) saved += program_.value(id).type->bytes() - std::min(from, program_.value(id).type->bytes());
    }
    infer_again(operation);
    operation.moved = operation.moved - std::min(saved, operation.moved);
  }

  // Copies of parameters are kept until the end of the pass, others are made anew.
  ValueId cast(const Operation& reader, ValueId id, DType to, bool inside) {
    const bool keep = program_.value(id).role == Role::parameter;
    if (const auto known = copies_.find(id.index); keep && known != copies_.end()) return known->second;
    Operation cast = cast_to(program_, id, to);
    cast.repeat = reader.repeat;
    cast.phase = reader.phase;
    if (inside) cast.moved = Bytes(0);
    const ValueId made = cast.outputs[0];
    program_.operations.push_back(std::move(cast));
    if (keep) copies_[id.index] = made;
    return made;
  }

  void infer_again(Operation& operation) {
    OpCall call = call_of(program_, operation);
    auto types = infer(*operation.op, call);
    if (!types.ok()) return;  // whoever differentiates it will name the mistake
    for (size_t i = 0; i < operation.outputs.size() && i < types->size(); ++i)
      if (operation.outputs[i].present()) program_.value(operation.outputs[i]).type = (*types)[i];
    call.outputs = std::move(types).value();
    // What another kernel does in passing stays for nothing.
    if (operation.moved != Bytes(0)) operation.moved = bytes_moved(*operation.op, call);
  }

  Program& program_;
  DType narrow_;
  std::map<int32_t, ValueId> copies_;
};

}  // namespace

void autocast(Program& forward, DType narrow) { Autocast(forward, narrow).run(); }

}  // namespace plimsoll
