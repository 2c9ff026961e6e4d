// Small Programs written by hand: values of a number of floats, and operations on them by name.
#pragma once

#include "model/ir/program.h"
#include "model/ops/all_ops.h"
#include "plan/memory/size_rules.h"

namespace plimsoll {

struct StepBuilder {
  Program program;

  // Sixteen floats are 64 bytes, one unit of memory.
  ValueId value(const std::string& name, int64_t units, Role role = Role::activation) {
    const ValueId id = program.add({name, role, TensorType{DType::f32, Shape{16 * units}}});
    if (role == Role::input) program.inputs.push_back(id);
    return id;
  }
  ValueId unknown(const std::string& name) { return program.add({name}); }

  void run(const std::string& op, std::vector<ValueId> inputs, std::vector<ValueId> outputs) {
    Operation operation;
    operation.op = &op_named(op);
    operation.op_name = op;
    operation.name = op + std::to_string(program.operations.size());
    operation.inputs = std::move(inputs);
    operation.outputs = std::move(outputs);
    program.operations.push_back(std::move(operation));
  }
};

// Plain sizes, with scratch memory for one kind of operation and a fixed part.
struct RulesWithWorkspace : SizeRules {
  Bytes storage(const Program& program, ValueId value) const override {
    return plain_size_rules().storage(program, value);
  }
  Bytes workspace(const Program& program, size_t operation) const override {
    return Bytes(program.operations[operation].op_name == "matmul" ? 640 : 0);
  }
  Bytes fixed(const Program&) const override { return Bytes(1000); }
};

}  // namespace plimsoll
