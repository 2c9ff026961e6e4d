#include "model/passes/fold_transposes.h"

#include "model/ops/all_ops.h"
#include "model/passes/weight_view.h"

namespace plimsoll {
namespace {

// Whether a transpose only swaps the last two axes: the rows and columns of each matrix.
bool swaps_matrices(const Program& program, const Operation& operation) {
  const auto& type = program.value(operation.inputs[0]).type;
  if (!type || type->shape.rank() < 2) return false;
  const int rank = type->shape.rank();
  if (!operation.attributes.has("perm")) return rank == 2;
  const auto perm = operation.attributes.integers("perm");
  for (int axis = 0; axis < rank; ++axis) {
    const int64_t from = perm[size_t(axis)] < 0 ? perm[size_t(axis)] + rank : perm[size_t(axis)];
    const int swapped = axis == rank - 1 ? rank - 2 : axis == rank - 2 ? rank - 1 : axis;
    if (from != swapped) return false;
  }
  return true;
}

}  // namespace

int64_t fold_transposes(Program& program) {
  const Uses uses(program);
  const Op &transpose = op_named("transpose"), &matmul = op_named("matmul"), &gemm = op_named("gemm");
  int64_t folded = 0;
  for (auto& operation : program.operations) {
    if (operation.op != &matmul && operation.op != &gemm) continue;
    for (const size_t i : {0, 1}) {
      const int64_t index = uses.producer(operation.inputs[i]);
      if (index == Uses::kNobody || program.operations[size_t(index)].op != &transpose) continue;
      const Operation& turn = program.operations[size_t(index)];
      if (!swaps_matrices(program, turn) || !is_weight_view(program, uses, turn.inputs[0])) continue;
      const char* flag = i == 0 ? "transA" : "transB";
      operation.attributes.set(flag, int64_t{operation.attributes.integer(flag, 0) == 0});
      operation.inputs[i] = turn.inputs[0];
      ++folded;
    }
  }
  return folded;
}

}  // namespace plimsoll
