// How far off the profile of a framework's memory has been, where that says something about the step at hand.
#pragma once

#include <string>
#include <vector>

#include "model/ir/program.h"
#include "plan/memory/framework_profile.h"

namespace plimsoll {

std::vector<std::string> accuracy_notes(Framework framework, bool in_f32, const Program& step);

}  // namespace plimsoll
