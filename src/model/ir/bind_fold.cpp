// Folding: what follows from the graph alone is computed in bind. The point is shape arithmetic, not running the
// network, so it is bounded in work and in bytes, whatever the file holds; beyond that a value is not known.
#include "model/ir/binder.h"
#include "model/ir/evaluate.h"
#include "model/ir/work_limit.h"

namespace plimsoll {
namespace {

constexpr int64_t kLargestFold = 1 << 20;         // elements of one folded tensor
constexpr int64_t kSmallFold = 1 << 14;           // elements that an operation on sizes reads and writes at most
constexpr int64_t kMostHeld = int64_t{96} << 20;  // bytes of folded tensors that are still to be read
constexpr int64_t kPerRead = 8;                   // elements that a shape rule looks at in one unit of work

Count known_elements(const OpCall& call) {
  Count elements;
  for (size_t i = 0; i < call.input_count(); ++i)
    if (call.constant(i)) elements += Count(int64_t(call.constant(i)->size()));
  return elements;
}

}  // namespace

// The call as shape rules see it. Contents that would take too long to look at are as good as not known.
OpCall Binder::bounded_call(const Operation& operation) const {
  OpCall call = call_of(program_, operation);
  const int64_t elements = known_elements(call).value();
  if (elements <= kSmallFold || may_work(Count(elements / kPerRead))) return call;
  std::vector<const TensorType*> types;
  for (size_t i = 0; i < call.input_count(); ++i) types.push_back(call.has(i) ? &call.type(i) : nullptr);
  return OpCall(operation.attributes, std::move(types), {}, call.output_count());
}

// Whether the outputs can be computed now, and may be: large ones leave half of the work to sizes.
bool Binder::may_fold(const Operation& operation, const OpCall& call) const {
  const Op& op = *operation.op;
  if (!op.reference || op.random) return false;
  Bytes bytes;
  for (size_t i = 0; i < call.input_count(); ++i)
    if (call.has(i) && !call.constant(i)) return false;
  for (const auto& type : call.outputs) {
    if (type.elements() > Count(kLargestFold)) return false;
    bytes += type.bytes();
  }
  const Count work = reference_work(op, call);
  if (work > Count(kSmallFold) && work > Count(work_->left() - kFoldWork / 2)) return false;
  return bytes <= Bytes(kMostHeld - held_) && may_work(work);
}

bool Binder::try_fold(const Node& node, const Operation& operation, const OpCall& call, const Place& place) {
  const Op& op = *operation.op;
  if (op.from_types && operation.outputs.size() == 1 && operation.outputs[0].present()) {
    value(operation.outputs[0]).constant = op.from_types(call);
    value(operation.outputs[0]).role = Role::constant;
    release_read(operation, place);
    return true;
  }
  if (!may_fold(operation, call)) return false;
  std::vector<const Tensor*> inputs;
  for (size_t i = 0; i < call.input_count(); ++i) inputs.push_back(call.constant(i));
  auto outputs = evaluate(op, operation.attributes, inputs, operation.outputs.size());
  if (!outputs.ok() || !outputs->has_value()) return false;
  for (size_t i = 0; i < operation.outputs.size(); ++i) {
    if (!operation.outputs[i].present()) continue;
    ProgramValue& folded = value(operation.outputs[i]);
    folded.type = (**outputs)[i].type;
    folded.constant = std::make_shared<Tensor>(std::move((**outputs)[i]));
    folded.role = Role::constant;
    held_ += int64_t(folded.constant->bytes.size());
    folded_[operation.outputs[i].index] = {place.number, place.reads[size_t(node.outputs[i].index)]};
  }
  release_read(operation, place);
  return true;
}

// A folded tensor that only folded operations read has served its purpose. Reads from inside of a subgraph do not
// count: it may run again, or pass the value on.
void Binder::release_read(const Operation& operation, const Place& place) {
  for (const ValueId id : operation.inputs) {
    const auto found = folded_.find(id.index);
    if (found == folded_.end() || found->second.place != place.number || --found->second.left > 0) continue;
    held_ -= int64_t(value(id).constant->bytes.size());
    value(id).constant = nullptr;
    folded_.erase(found);
  }
}

std::vector<int64_t> reads_of(const Graph& graph) {
  std::vector<int64_t> reads(graph.values.size(), 0);
  for (const auto& node : graph.nodes)
    for (const ValueId id : node.inputs)
      if (id.present()) ++reads[size_t(id.index)];
  for (const ValueId id : graph.outputs)
    if (id.present()) ++reads[size_t(id.index)];
  return reads;
}

}  // namespace plimsoll
