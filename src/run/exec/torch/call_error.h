// A call of libtorch that failed, as one line for the user.
#pragma once

#include <string>

#include "base/result.h"

namespace plimsoll {

// `where`: the operation; `why`: take_call_failure().
Error call_error(const std::string& where, const std::string& why);
bool means_no_memory(const std::string& why);

// Ends as the host's own memory does when there is none left: whoever runs the step is waiting for that.
void leave_without_memory();

}  // namespace plimsoll
