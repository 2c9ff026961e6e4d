// A Residence as text and as JSON: what is where, what each move costs.
#pragma once

#include <string>

#include "plan/verdict/residence.h"
#include "tell/report/json.h"

namespace plimsoll {

std::string residence_text(const Residence& residence);

// {"residents": […], "moves": […], "disk_bytes", "ram_bytes", "device_bytes", "cache_bytes", "remarks": […]}
Json residence_json(const Residence& residence);

}  // namespace plimsoll
