#include "plan/serving/kernel_machine.h"

#include <cmath>

namespace plimsoll {
namespace {

constexpr double kUsualClock = 1.9e9;        // that the constants of kernels were fitted at
constexpr double kF32PerUnitAndCycle = 256;  // of multiprocessors with 128 lanes

}  // namespace

double KernelMachine::slower() const { return std::sqrt(kUsualClock / clock); }

std::optional<KernelMachine> kernel_machine(const Device& device) {
  const auto products = device.product_peak(DType::bf16);
  if (device.kind != DeviceKind::gpu || device.vendor != "nvidia" || !device.memory_bandwidth || !device.units ||
      !products)
    return std::nullopt;
  KernelMachine machine;
  machine.bandwidth = device.memory_bandwidth->per_second;
  machine.products = products->per_second;
  machine.units = double(device.units->value());
  const auto f32 = device.peak.find(DType::f32);
  if (device.boost_clock) machine.clock = device.boost_clock->per_second;
  else if (f32 != device.peak.end()) machine.clock = f32->second.per_second / (machine.units * kF32PerUnitAndCycle);
  if (machine.clock <= 0 || machine.units <= 0) return std::nullopt;
  if (device.l2_cache) machine.l2 = double(device.l2_cache->value());
  machine.splits_heads_anyhow = device.compute_capability.starts_with("9.");
  machine.datacenter_blackwell = device.compute_capability.starts_with("10.");
  return machine;
}

}  // namespace plimsoll
