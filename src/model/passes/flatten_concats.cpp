#include "model/passes/flatten_concats.h"

#include <map>

#include "model/ops/all_ops.h"

namespace plimsoll {
namespace {

constexpr size_t kMostPieces = 128;  // so that lists do not grow with every level of a hostile model

struct Concat {
  int axis;
  Count repeat;
  std::vector<ValueId> pieces;
};

}  // namespace

int64_t flatten_concats(Program& program) {
  std::map<ValueId, Concat> known;
  int64_t flattened = 0;
  for (auto& operation : program.operations) {
    if (!operation.op || operation.op->name != "concat" || !program.value(operation.outputs[0]).type) continue;
    const int rank = program.value(operation.outputs[0]).type->shape.rank();
    const int axis = *normalise_axis(operation.attributes.integer("axis", 1), rank);
    std::vector<ValueId> pieces;
    for (const ValueId id : operation.inputs) {
      const auto inner = known.find(id);
      const bool same = inner != known.end() && inner->second.axis == axis && inner->second.repeat == operation.repeat;
      if (same) pieces.insert(pieces.end(), inner->second.pieces.begin(), inner->second.pieces.end());
      else pieces.push_back(id);
    }
    if (pieces.size() > kMostPieces) continue;
    if (pieces.size() > operation.inputs.size()) ++flattened;
    operation.inputs = pieces;
    known.emplace(operation.outputs[0], Concat{axis, operation.repeat, std::move(pieces)});
  }
  return flattened;
}

}  // namespace plimsoll
