// Candidate: a device that is asked about, as it is sold or rented, and the part of it that computes.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "plan/devices/device.h"

namespace plimsoll {

struct Candidate {
  Device whole, part;
  int64_t count = 1;               // of the part
  std::optional<Device> host;      // the CPU beside GPUs, where it is known
  std::vector<std::string> notes;  // limits of this machine

  bool is_gpu() const { return part.kind == DeviceKind::gpu; }
};

// A name of the catalog, "this", or the path of a device file. A CPU's memory is that of the machine around it.
Result<Candidate> find_candidate(const std::string& name);

}  // namespace plimsoll
