#include "run/exec/process_memory.h"

#include <unistd.h>

#include <algorithm>
#include <fstream>

namespace plimsoll {
namespace {

// Measured on the executable itself: resident memory of steps over the zoo, less their plans (bench/memory.py).
constexpr int64_t kStartUp = 14 << 20;         // the program, its libraries, what they set up
constexpr int64_t kPerOperation = 14 << 10;    // a compiled kernel and its description
constexpr int64_t kUsualInputs = 8;            // that are counted in it
constexpr int64_t kPerFurtherInput = 2 << 10;  // of norms that read the pieces of a concat: where each block is
constexpr int64_t kLoaderBatches = 2;          // that wait for the next steps

}  // namespace

Bytes process_memory(const Program& program) {
  Bytes total(kStartUp + kPerOperation * int64_t(program.operations.size()));
  for (const auto& operation : program.operations)
    total += Bytes(kPerFurtherInput * std::max<int64_t>(0, int64_t(operation.inputs.size()) - kUsualInputs));
  for (const ValueId id : program.inputs) total += program.value(id).type->bytes() * kLoaderBatches;
  return total;
}

Bytes resident_in_process() {
  std::ifstream file("/proc/self/statm");
  int64_t all = 0, resident = 0;
  file >> all >> resident;
  return Bytes(resident * sysconf(_SC_PAGESIZE));
}

}  // namespace plimsoll
