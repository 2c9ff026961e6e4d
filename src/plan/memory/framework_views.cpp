#include "plan/memory/framework_views.h"

#include "model/ops/all_ops.h"
#include "model/passes/uses.h"

namespace plimsoll {
namespace {

const Op& split_in_place() {
  static const Op op = [] {
    Op split = op_named("split");
    split.storage = Storage::view;
    return split;
  }();
  return op;
}

class Views {
 public:
  explicit Views(Program& program) : program_(program), uses_(program) {}

  void run() {
    for (auto& operation : program_.operations) {
      if (operation.certainty != Certainty::exact || !operation.op) continue;
      if (operation.op == split_) {
        operation.op = &split_in_place();
        operation.moved = Bytes(0);
      }
      if (operation.op->elementwise && operation.inputs.size() > 1) read_unexpanded(operation);
    }
    drop_unread();
  }

 private:
  // An operation that broadcasts by itself reads what was expanded for it.
  void read_unexpanded(Operation& operation) {
    for (ValueId& id : operation.inputs) {
      const int64_t from = id.present() ? uses_.producer(id) : Uses::kNobody;
      if (from == Uses::kNobody || program_.operations[size_t(from)].op != expand_) continue;
      const ValueId before = id;
      id = program_.operations[size_t(from)].inputs[0];
      OpCall call = call_of(program_, operation);
      auto types = infer(*operation.op, call);
      const auto& type = program_.value(operation.outputs[0]).type;
      if (!types.ok() || !type || types->empty() || (*types)[0] != *type) {
        id = before;  // the others have not that shape either
        continue;
      }
      call.outputs = std::move(types).value();
      operation.moved = bytes_moved(*operation.op, call);
    }
  }

  void drop_unread() {
    const Uses now(program_);
    std::vector<bool> gone(program_.operations.size());
    for (size_t i = 0; i < gone.size(); ++i)
      gone[i] = program_.operations[i].op == expand_ && now.reads(program_.operations[i].outputs[0]) == 0;
    remove_operations(program_, gone);
  }

  Program& program_;
  const Uses uses_;
  const Op* const split_ = &op_named("split");
  const Op* const expand_ = &op_named("expand");
};

}  // namespace

void take_views(Program& forward) { Views(forward).run(); }

}  // namespace plimsoll
