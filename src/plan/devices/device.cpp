#include "plan/devices/device.h"

namespace plimsoll {

std::string_view name_of(DeviceKind kind) {
  switch (kind) {
    case DeviceKind::gpu: return "gpu";
    case DeviceKind::cpu: return "cpu";
    case DeviceKind::node: return "node";
    case DeviceKind::instance: return "instance";
  }
  return "";
}

const Figure* Device::figure(std::string_view field) const {
  for (const auto& figure : figures)
    if (figure.field == field) return &figure;
  return nullptr;
}

std::optional<FlopsPerSecond> Device::product_peak(DType type) const {
  if (const auto found = matrix_peak.find(type); found != matrix_peak.end()) return found->second;
  if (const auto found = peak.find(type); found != peak.end()) return found->second;
  return std::nullopt;
}

}  // namespace plimsoll
