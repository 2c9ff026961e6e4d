// A Residence as people read it: what is where, what each move costs.
#pragma once

#include <string>

#include "plan/verdict/residence.h"

namespace plimsoll {

std::string residence_text(const Residence& residence);

}  // namespace plimsoll
