#include "plan/memory/framework_pieces.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "model/ir/backward.h"
#include "model/ops/all_ops.h"
#include "model/ops/doubles.h"

namespace plimsoll {
namespace {

bool is_gelu_in_pieces(const Operation& operation) {
  return operation.op_name == "gelu" && operation.attributes.text("written_as", "") == "pieces" &&
         operation.certainty == Certainty::exact;
}

// ½x · (1 + tanh(√(2/π) · (x + 0.044715 · x³)))
class Pieces {
 public:
  Pieces(Program& program, Operation gelu) : program_(program), gelu_(std::move(gelu)) {}

  void write() {
    const ValueId x = gelu_.inputs[0];
    const ValueId half = then("mul", {x, number(0.5)});
    const ValueId bent = then("mul", {then("pow", {x, number(3)}), number(0.044715)});
    const ValueId inner = then("mul", {then("add", {x, bent}), number(std::sqrt(2 / std::numbers::pi))});
    const ValueId sum = then("add", {then("tanh", {inner}), number(1)});
    if (then("mul", {half, sum}).present()) program_.operations.back().outputs = gelu_.outputs;
  }

 private:
  ValueId number(double value) {
    auto tensor = std::make_shared<Tensor>(TensorType{program_.value(gelu_.inputs[0]).type->dtype, {}});
    const TensorView view(*tensor);
    write_doubles({&view, 1}, 0, {value});
    return program_.add({gelu_.name + ".constant", Role::constant, tensor->type, std::move(tensor)});
  }

  ValueId then(std::string_view op, std::vector<ValueId> inputs) {
    Operation made;
    made.op = &op_named(op);
    made.op_name = made.op->name;
    made.name = gelu_.name;
    made.inputs = std::move(inputs);
    made.repeat = gelu_.repeat;
    made.phase = gelu_.phase;
    const auto ids = append(program_, std::move(made), 1);
    return ids.ok() ? (*ids)[0] : ValueId{};
  }

  Program& program_;
  const Operation gelu_;
};

}  // namespace

void write_out_pieces(Program& forward) {
  if (std::none_of(forward.operations.begin(), forward.operations.end(), is_gelu_in_pieces)) return;
  std::vector<Operation> before = std::move(forward.operations);
  forward.operations.clear();
  for (auto& operation : before) {
    if (is_gelu_in_pieces(operation)) Pieces(forward, std::move(operation)).write();
    else forward.operations.push_back(std::move(operation));
  }
}

}  // namespace plimsoll
