#include "plan/time/generation.h"

#include <algorithm>
#include <cmath>

namespace plimsoll {

// Maxwell, Volta and Turing are fitted. The rest is set by hand: from how units are built (Ampere's small chips, Ada
// and Blackwell count two f32 pipes of which one is shared with integers; A100 and Hopper are built like Volta), and
// for Kepler, Ampere, Ada and Hopper so that ResNet-50 training comes near quoted figures
// (tests/numeric/step_time_anchors_test.cpp). Blackwell and AMD are estimates that nothing has been held to.
Generation generation_of(const Device& device, const TimeParameters& parameters) {
  const std::string& name = device.generation;
  const bool large = device.compute_capability == "8.0" || device.compute_capability == "10.0";
  if (name == "kepler") return {.f32_share = 0.7, .watts_per_teraflop = 47};
  if (name == "maxwell") return {.f32_share = parameters.maxwell, .watts_per_teraflop = 38};
  if (name == "pascal") return {.f32_share = 1, .watts_per_teraflop = 22};
  if (name == "volta") return {.f32_share = parameters.volta, .watts_per_teraflop = 18};
  if (name == "turing") return {.f32_share = parameters.turing, .watts_per_teraflop = 18.6};
  const double shared_pipes = parameters.turing * 0.65;
  if (name == "ampere" && !large) return {shared_pipes, 9.8, 1, 1};
  if (name == "ampere") return {parameters.volta, 20.5, 0.8, 0.68};
  if (name == "ada") return {shared_pipes, 5.4, 1, 1.25};
  if (name == "blackwell" && !large) return {shared_pipes, 5.4, 1, 1.15};
  if (name == "hopper" || name == "blackwell") return {parameters.turing * 0.75, 10.4, 0.6, 0.55};
  if (name.starts_with("cdna")) return {0.6, 0, 0.5, 0.55};
  return {};
}

double sustained_clock(const Device& device, const Generation& generation) {
  const auto peak = device.peak.find(DType::f32);
  if (!device.tdp || generation.watts_per_teraflop == 0 || peak == device.peak.end()) return 1;
  const double watts = device.tdp->value / (peak->second.per_second / 1e12);
  return std::min(1.0, std::pow(watts / (0.85 * generation.watts_per_teraflop), 0.45));
}

}  // namespace plimsoll
