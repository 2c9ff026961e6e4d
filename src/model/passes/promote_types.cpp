#include "model/passes/promote_types.h"

#include "model/ops/all_ops.h"
#include "model/ops/onnx_types.h"

namespace plimsoll {
namespace {

bool is_float(const Program& program, ValueId id) {
  return id.present() && program.value(id).type && is_floating(program.value(id).type->dtype);
}

// The type that numbers of all the floating inputs are read in; nullopt where they are of one already.
std::optional<DType> widest_of(const Program& program, const Operation& operation) {
  std::optional<DType> widest;
  bool mixed = false;
  for (const ValueId id : operation.inputs) {
    if (!is_float(program, id)) continue;
    const DType type = program.value(id).type->dtype;
    if (!widest) widest = type;
    if (type == *widest) continue;
    mixed = true;
    const auto size = element_size(type), known = element_size(*widest);
    if (size == known) widest = DType::f32;  // f16 and bf16 have f32 in common
    else if (size > known) widest = type;
  }
  return mixed ? widest : std::nullopt;
}

bool needs_one_type(const Program& program, const Operation& operation) {
  return operation.op && operation.certainty != Certainty::unknown && operation.op->infer &&
         !infer(*operation.op, call_of(program, operation)).ok();
}

class Promotion {
 public:
  explicit Promotion(Program& program) : program_(program) {}

  int64_t run() {
    std::vector<Operation> before = std::move(program_.operations);
    program_.operations.clear();
    for (auto& operation : before) {
      const auto widest = widest_of(program_, operation);
      if (widest && needs_one_type(program_, operation)) promote(operation, *widest);
      program_.operations.push_back(std::move(operation));
    }
    return casts_;
  }

 private:
  void promote(Operation& operation, DType type) {
    for (ValueId& id : operation.inputs) {
      if (!is_float(program_, id) || program_.value(id).type->dtype == type) continue;
      Operation cast = cast_to(program_, id, type);
      cast.repeat = operation.repeat;
      id = cast.outputs[0];
      program_.operations.push_back(std::move(cast));
      ++casts_;
    }
    OpCall call = call_of(program_, operation);
    auto types = infer(*operation.op, call);
    if (!types.ok()) return;  // another mistake, which whoever differentiates or runs it will name
    for (size_t i = 0; i < operation.outputs.size() && i < types->size(); ++i)
      if (operation.outputs[i].present()) program_.value(operation.outputs[i]).type = (*types)[i];
    call.outputs = std::move(types).value();
    operation.moved = bytes_moved(*operation.op, call);
  }

  Program& program_;
  int64_t casts_ = 0;
};

}  // namespace

Operation cast_to(Program& program, ValueId value, DType type) {
  Operation cast;
  cast.op = &op_named("cast");
  cast.op_name = cast.op->name;
  cast.name = program.value(value).name + ".cast";
  cast.inputs = {value};
  cast.attributes = {{"to", onnx_of_dtype(type)}};
  const TensorType to{type, program.value(value).type->shape};
  cast.outputs = {program.add({cast.name, Role::activation, to, nullptr})};
  cast.moved = bytes_moved(*cast.op, call_of(program, cast));
  return cast;
}

int64_t promote_types(Program& program) { return Promotion(program).run(); }

}  // namespace plimsoll
