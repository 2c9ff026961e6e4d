#include "plan/verdict/host_cores.h"

#include <fmt/format.h>

#include <algorithm>

#include "plan/time/loading_rate.h"

namespace plimsoll {
namespace {

// A device file may say anything.
HostCores within_reason(Count count, CoresBasis basis) {
  return {std::clamp<int64_t>(count.value(), 1, kMostLoaders), basis};
}

}  // namespace

HostCores host_cores(const Candidate& device, int64_t given) {
  if (given > 0) return {given, CoresBasis::given};
  const Device* cpu = device.host ? &*device.host : device.is_gpu() ? nullptr : &device.part;
  if (cpu && cpu->cores) return within_reason(*cpu->cores, CoresBasis::cpu);
  // A GPU's own figures are not of the host around it.
  if (device.whole.kind != DeviceKind::gpu && device.whole.threads)
    return within_reason(*device.whole.threads, CoresBasis::threads);
  return {};
}

std::string_view name_of(CoresBasis basis) {
  switch (basis) {
    case CoresBasis::given: return "given";
    case CoresBasis::cpu: return "cpu";
    case CoresBasis::threads: return "threads";
    case CoresBasis::assumed: return "assumed";
  }
  return "";
}

std::string cores_sentence(const HostCores& cores) {
  switch (cores.basis) {
    case CoresBasis::given:
    case CoresBasis::cpu: return "";
    case CoresBasis::threads:
      return fmt::format("The host's CPU is not known: each of its {} hardware threads was counted as a core.",
                         with_commas(cores.count));
    case CoresBasis::assumed:
      return fmt::format("The host is not known: {} cores were assumed.", with_commas(cores.count));
  }
  return "";
}

}  // namespace plimsoll
