#include "run/exec/process_memory.h"

#include <algorithm>

namespace plimsoll {
namespace {

// Measured on the executable itself: resident memory of runs over the zoo, less their plans.
constexpr int64_t kStartUp = 14 << 20;       // the program, its libraries, what they set up
constexpr int64_t kPerOperation = 24 << 10;  // a compiled kernel and its description
constexpr int64_t kProducts = 12 << 20;      // what oneDNN's matrix products keep for themselves
constexpr int64_t kLoaderBatches = 2;        // that wait for the next steps

bool multiplies(const Operation& operation) {
  return operation.op &&
         (operation.op->name == "gemm" || operation.op->name == "matmul" || operation.op->name == "linear");
}

}  // namespace

Bytes process_memory(const Program& program) {
  int64_t bytes = kStartUp + kPerOperation * int64_t(program.operations.size());
  if (std::any_of(program.operations.begin(), program.operations.end(), multiplies)) bytes += kProducts;
  Bytes total(bytes);
  if (program.loss.present())
    for (const ValueId id : program.inputs) total += program.value(id).type->bytes() * kLoaderBatches;
  return total;
}

}  // namespace plimsoll
