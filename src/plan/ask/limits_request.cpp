#include "plan/ask/limits_request.h"

#include <algorithm>

#include "plan/devices/this_machine.h"

namespace plimsoll {
namespace {

constexpr int64_t kUsualSeconds = 60, kMostSeconds = 1'000'000;
constexpr Bytes kUsualMemory(int64_t{4} << 30);

// Half of the machine, where that is less: the rest of it is to go on working.
Bytes usual_memory() {
  const auto machine = read_this_machine().memory();
  return machine ? std::min(kUsualMemory, Bytes(machine->value() / 2)) : kUsualMemory;
}

}  // namespace

void LimitsRequest::describe(Fields& fields, UsualLimits usual) {
  const bool some = usual == UsualLimits::some;
  fields.add(max_seconds, {.name = "max_seconds",
                           .subject = Subject::network,
                           .help = "time limit for a question about an .onnx file",
                           .value = "S",
                           .fallback = some ? std::to_string(kUsualSeconds) : "none",
                           .unit = "seconds",
                           .least = 1,
                           .most = double(kMostSeconds)});
  fields.add(max_memory, {.name = "max_memory",
                          .subject = Subject::network,
                          .help = "memory limit for a question about an .onnx file",
                          .value = "SIZE",
                          .fallback = some ? "4GiB, or half of this machine's memory if that is less" : "none",
                          .unit = "bytes"});
}

LimitsRequest LimitsRequest::with_usual(UsualLimits usual) const {
  LimitsRequest limits = *this;
  if (usual == UsualLimits::none) return limits;
  if (!limits.max_seconds) limits.max_seconds = kUsualSeconds;
  if (!limits.max_memory) limits.max_memory = usual_memory();
  return limits;
}

}  // namespace plimsoll
