#include "plan/memory/framework_views.h"

#include <algorithm>

#include "model/ops/all_ops.h"
#include "model/ops/slice_cuts.h"
#include "model/passes/uses.h"

namespace plimsoll {

const Op& gather_op();
const Op& slice_op();
const Op& split_op();

namespace {

// The same operation, which only looks at its input.
template <const Op& (*original)()>
const Op& in_place() {
  static const Op op = [] {
    Op view = original();
    view.storage = Storage::view;
    return view;
  }();
  return op;
}

class Views {
 public:
  explicit Views(Program& program) : program_(program), uses_(program) {}

  void run() {
    for (auto& operation : program_.operations) {
      if (operation.certainty != Certainty::exact || !operation.op) continue;
      if (operation.op == &split_op()) look(operation, in_place<split_op>());
      else if (operation.op == &slice_op() && goes_forward(operation) && !is_turned(operation.inputs[0]))
        look(operation, in_place<slice_op>());
      else if (operation.op == &gather_op() && takes_one(operation) && !is_turned(operation.inputs[0]))
        look(operation, in_place<gather_op>());
      if (operation.op->elementwise && operation.inputs.size() > 1) read_unexpanded(operation);
    }
    drop_unread();
  }

 private:
  static void look(Operation& operation, const Op& view) {
    operation.op = &view;
    operation.moved = Bytes(0);
  }

  // x[:, 2:8:2]; strides cannot be negative in PyTorch.
  bool goes_forward(const Operation& slice) const {
    const auto cuts = slice_cuts(call_of(program_, slice));
    return cuts.ok() && std::all_of(cuts->begin(), cuts->end(), [](const SliceCut& cut) { return cut.step > 0; });
  }

  // x[:, 0]: the index is a number of the program's text, not a tensor.
  bool takes_one(const Operation& gather) const {
    const ProgramValue& index = program_.value(gather.inputs[1]);
    return index.role == Role::constant && index.type && index.type->shape.rank() == 0 &&
           program_.value(gather.inputs[0]).role != Role::parameter;
  }

  // Queries, keys and values out of one product, turned: a batched product copies each of them by itself.
  bool is_turned(ValueId id) const {
    for (int64_t from = uses_.producer(id); from != Uses::kNobody; from = uses_.producer(id)) {
      const Operation& operation = program_.operations[size_t(from)];
      if (operation.op_name == "transpose") return true;
      if (!operation.op || operation.op->storage != Storage::view) return false;
      id = operation.inputs[0];
    }
    return false;
  }

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
  const Op* const expand_ = &op_named("expand");
};

}  // namespace

void take_views(Program& forward) { Views(forward).run(); }

}  // namespace plimsoll
