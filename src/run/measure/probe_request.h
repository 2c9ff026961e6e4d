// probe, asked and answered: measures this machine once and keeps what was found as a device file.
#pragma once

#include "base/rows/fields.h"
#include "run/measure/device_probe.h"
#include "run/measure/probe.h"

namespace plimsoll {

struct ProbeRequest {
  RunDevice device;  // the processor: this machine
  bool quick = false;
  std::optional<std::string> out;

  void describe(Fields& fields);
};

struct ProbeOutcome {
  Probe probe;
  std::string kept_in;      // the file
  std::string device_name;  // how a later request names this machine
};

// Of a device that libtorch drives.
struct DeviceProbeOutcome {
  DeviceProbe probe;
  std::string kept_in, device_name;
};

// `progress` is told what is measured next; may be empty.
Result<ProbeOutcome> ask_probe(const ProbeRequest& request, std::function<void(std::string_view)> progress);
Result<DeviceProbeOutcome> ask_device_probe(const ProbeRequest& request, const ProbeProgress& progress);

// Limits of this machine, and what makes the figures doubtful.
std::vector<std::string> all_notes(const Probe& probe);

}  // namespace plimsoll
