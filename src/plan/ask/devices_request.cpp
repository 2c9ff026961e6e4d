#include "plan/ask/devices_request.h"

#include "plan/devices/all_devices.h"

namespace plimsoll {

void DevicesRequest::describe(Fields& fields) {
  fields.add(name, {.name = "name",
                    .subject = Subject::machine,
                    .help = "one device, or the path of a device file of your own (.json)",
                    .positional = true});
  fields.add(kind,
             {.name = "kind", .subject = Subject::machine, .help = "only gpu, cpu, node or instance", .value = "KIND"});
}

Result<DevicesOutcome> ask_devices(const DevicesRequest& request) {
  DevicesOutcome outcome;
  if (request.name) {
    PLIM_ASSIGN(Device device, load_device(*request.name));
    outcome.devices.push_back(std::move(device));
    outcome.one = true;
    return outcome;
  }
  PLIM_ASSIGN(outcome.devices, all_devices());
  if (request.kind) std::erase_if(outcome.devices, [&](const Device& device) { return device.kind != *request.kind; });
  return outcome;
}

}  // namespace plimsoll
