// devices, asked and answered: which machines are known by name, and what is known of each?
#pragma once

#include "base/rows/fields.h"
#include "base/rows/reply.h"
#include "plan/devices/device.h"

namespace plimsoll {

inline constexpr std::string_view kDevicesSchema = "plimsoll.devices/1";

template <>
struct Choices<DeviceKind> {
  static constexpr std::pair<DeviceKind, std::string_view> kAll[] = {{DeviceKind::gpu, "gpu"},
                                                                     {DeviceKind::cpu, "cpu"},
                                                                     {DeviceKind::node, "node"},
                                                                     {DeviceKind::instance, "instance"}};
};

struct DevicesRequest {
  std::optional<std::string> name;
  std::optional<DeviceKind> kind;

  void describe(Fields& fields);
};

struct DevicesOutcome {
  std::vector<Device> devices;
  bool one = false;  // asked for by name: with every figure
};

Result<DevicesOutcome> ask_devices(const DevicesRequest& request);

}  // namespace plimsoll
