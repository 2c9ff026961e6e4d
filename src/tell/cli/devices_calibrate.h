// plimsoll devices calibrate: the part of `devices` that makes a device file of what was measured.
#pragma once

#include "tell/cli/command.h"

namespace plimsoll {

Action calibrate_command(CLI::App& app);

}  // namespace plimsoll
