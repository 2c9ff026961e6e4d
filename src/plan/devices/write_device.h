// Device → device file: the way back from read_device. For devices that we describe ourselves.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "plan/devices/device.h"

namespace plimsoll {

// Adds a number, or replaces it, and sets the member it stands for. The field ("memory", "peak.f32") and its unit must
// be known.
void set_figure(Device& device, Figure figure);

// Generation, release, aliases and the like, as far as they are known.
void add_texts(nlohmann::ordered_json& json, const Device& device);

// The text of the file: read_device gives the same device again.
std::string write_device(const Device& device);

}  // namespace plimsoll
