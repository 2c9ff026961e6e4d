// EngineHere: our own engine on this machine, for those who can ask it. Planning links no kernels; whoever does (the
// run floor) hands one in, and answers about this machine are then exact, kernel by kernel.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "plan/devices/conv_setting.h"
#include "plan/memory/lowering.h"

namespace plimsoll {

class EngineHere {
 public:
  virtual ~EngineHere() = default;
  // `threads` absent: one for each core that this process may use.
  virtual std::unique_ptr<Lowering> lowering(std::optional<int64_t> threads, ConvSetting conv) const = 0;
};

}  // namespace plimsoll
