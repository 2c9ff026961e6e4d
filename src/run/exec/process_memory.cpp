#include "run/exec/process_memory.h"

namespace plimsoll {
namespace {

// Measured on the executable itself: resident memory of steps over the zoo, less their plans (bench/memory.py).
constexpr int64_t kStartUp = 12 << 20;       // the program, its libraries, what they set up
constexpr int64_t kPerOperation = 14 << 10;  // a compiled kernel and its description
constexpr int64_t kLoaderBatches = 2;        // that wait for the next steps

}  // namespace

Bytes process_memory(const Program& program) {
  Bytes total(kStartUp + kPerOperation * int64_t(program.operations.size()));
  for (const ValueId id : program.inputs) total += program.value(id).type->bytes() * kLoaderBatches;
  return total;
}

}  // namespace plimsoll
