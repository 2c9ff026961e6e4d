// What `plimsoll probe` found out, as text and as JSON.
#pragma once

#include <string>

#include "run/measure/probe.h"
#include "tell/report/json.h"

namespace plimsoll {

std::string probe_text(const Probe& probe);

Json probe_json(const Probe& probe, const std::string& kept_in);

}  // namespace plimsoll
