// A RunDevice as planning sees it: as `probe` has measured and kept it, else as the system or the driver describes it.
#pragma once

#include <optional>
#include <string>

#include "plan/verdict/candidate.h"
#include "run/exec/run_device.h"

namespace plimsoll {

// Where probe keeps what it measured of a device that libtorch drives; "" without a home.
std::string device_probe_path(const RunDevice& device);

// nullopt: it was not probed, or what is kept cannot be read.
std::optional<Device> kept_probe(const RunDevice& device);

// Without measuring. An Error says what is missing: the driver, every GPU, this one.
Result<Device> described_device(const RunDevice& device);

// Named as the run's device, with all the memory there is now.
Result<Candidate> candidate_of(const RunDevice& device);

}  // namespace plimsoll
