#include "plan/time/generation.h"

#include <algorithm>
#include <cmath>

namespace plimsoll {

// Maxwell, Volta and Turing are fitted. The others follow from how their units are built: Ampere's small chips, Ada and
// Blackwell count two f32 pipes of which one is shared with integers; A100 and Hopper are built like Volta.
Generation generation_of(const Device& device, const TimeParameters& parameters) {
  const std::string& name = device.generation;
  const bool large_ampere = device.compute_capability == "8.0";
  if (name == "kepler") return {0.8, 47};
  if (name == "maxwell") return {parameters.maxwell, 38};
  if (name == "pascal") return {1, 22};
  if (name == "volta") return {parameters.volta, 18};
  if (name == "turing") return {parameters.turing, 18.6};
  if (name == "ampere") return {large_ampere ? parameters.volta : parameters.turing * 0.65, large_ampere ? 20.5 : 9.8};
  if (name == "ada" || name == "blackwell") return {parameters.turing * 0.65, 5.4};
  if (name == "hopper") return {parameters.turing * 0.75, 10.4};
  return {1, 0};
}

double sustained_clock(const Device& device, const Generation& generation) {
  const auto peak = device.peak.find(DType::f32);
  if (!device.tdp || generation.watts_per_teraflop == 0 || peak == device.peak.end()) return 1;
  const double watts = device.tdp->value / (peak->second.per_second / 1e12);
  return std::min(1.0, std::pow(watts / (0.85 * generation.watts_per_teraflop), 0.45));
}

}  // namespace plimsoll
