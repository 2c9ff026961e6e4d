// What a program is shown of a card's memory: where checksums lie beside the data they take a sixteenth of what the
// data sheet has.
#pragma once

#include "plan/devices/device.h"
#include "plan/devices/framework.h"

namespace plimsoll {

// The load line on that device: what was asked for, and no more than there is to see. nullptr: the memory is all seen.
double load_line_on(const Device* device, Framework framework, double asked);

}  // namespace plimsoll
