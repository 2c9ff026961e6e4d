// The machine we run on as a Device named "this": as `plimsoll probe` measured and kept it, else as the system
// describes it. Nothing is measured here. Memory is read anew each time, since a container's limit may have moved.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "plan/devices/device.h"
#include "plan/devices/this_machine.h"

namespace plimsoll {

inline constexpr std::string_view kThisDevice = "this";
inline constexpr std::string_view kProbeSource = "probe";  // the source of what was measured

struct ThisDevice {
  Device device;  // its note holds the notes too
  bool probed = false;
  std::vector<std::string> notes;  // limits that bind, and what is not measured: for the user to see
};

// Where the probe is kept: $PLIMSOLL_PROBE, else below $XDG_CACHE_HOME, else below ~/.cache; "" without a home.
std::string probe_path();

// A kept probe. Whatever a probe cannot be without must be there.
Result<Device> read_probe(const std::string& path);

// Uses the probe at `path` when it is there and of this machine; a damaged one is an error.
Result<ThisDevice> load_this_device(const std::string& path = probe_path(), const std::string& root = "");

// The probe of the whole machine, for a process that may use all of its cores or only some, as each of several workers
// does: how fast kernels are beside each other, and by the number of threads, it knows as well. nullopt without one.
std::optional<Device> probe_of_this_machine(const std::string& path = probe_path(), const std::string& root = "");

// Name, title, vendor, instruction sets, cores, threads and memory: what needs no measuring.
Device describe_this_machine(const MachineFacts& facts);

}  // namespace plimsoll
