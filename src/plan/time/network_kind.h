// What a network's arithmetic mostly is: predictions of different kinds are differently far off (step_accuracy.h).
#pragma once

#include <string_view>

#include "plan/time/timed_program.h"

namespace plimsoll {

enum class NetworkKind : uint8_t {
  convolutions,  // dense ones
  grouped,       // depthwise or grouped ones beside them
  products,      // transformers, mixers, recurrent networks
};

std::string_view name_of(NetworkKind kind);

NetworkKind kind_of(const TimedProgram& program);

}  // namespace plimsoll
