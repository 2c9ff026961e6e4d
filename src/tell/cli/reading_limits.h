// reading_limits: holds this process to the limits of answering about an .onnx file. Whoever weighs a stranger's file
// gets one line instead of a machine that no longer answers.
#pragma once

#include <string>

#include "plan/ask/limits_request.h"

namespace plimsoll {

// From here on the process ends with one line and kExitUser where a limit is reached. `file`: what is read.
void begin_limits(const LimitsRequest& limits, const std::string& file, bool json);

}  // namespace plimsoll
