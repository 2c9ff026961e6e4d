// What `plimsoll probe` found out, as text.
#pragma once

#include <string>

#include "run/measure/probe.h"

namespace plimsoll {

std::string probe_text(const Probe& probe);

}  // namespace plimsoll
