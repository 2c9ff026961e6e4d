// reading_limits: how long a verb may take, and how much memory, to answer about an .onnx file. A small file can ask
// for any amount of work; whoever weighs a stranger's file gets one line instead of a machine that no longer answers.
//
// Networks of the zoo are our own and are not limited.
#pragma once

#include "tell/cli/command.h"

namespace plimsoll {

// What holds where no limit is given.
enum class UsualLimits : uint8_t { some, none };

// Adds --max-seconds and --max-memory to a verb whose argument `model` may name a file. The action that is returned
// runs under these limits and ends the process with one line and kExitUser where one is reached.
Action with_reading_limits(CLI::App& app, std::string model, Action action, UsualLimits usual = UsualLimits::some);

}  // namespace plimsoll
