// EngineHere: our own engine on this machine, for those who can ask it. Planning links no kernels; whoever does (the
// run floor) hands one in, and answers about this machine are then exact, kernel by kernel.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "plan/devices/conv_setting.h"
#include "plan/memory/lowering.h"
#include "plan/verdict/candidate.h"

namespace plimsoll {

// Where steps can be computed besides the processor by our own kernels: cuda:N, torch:cpu. No names of the catalog.
bool is_engine_device(std::string_view name);

class EngineHere {
 public:
  virtual ~EngineHere() = default;
  // `threads` absent: one for each core that this process may use.
  virtual std::unique_ptr<Lowering> lowering(std::optional<int64_t> threads, ConvSetting conv) const = 0;
  // Whether it can be asked for several ways to compute convolutions.
  virtual bool has_conv_methods() const { return true; }

  // The engine on such a device of this machine, and what the device is. An Error says what is missing there.
  struct OnDevice {
    Candidate candidate;
    std::unique_ptr<EngineHere> engine;
  };
  virtual Result<OnDevice> on(const std::string& device) const = 0;
};

}  // namespace plimsoll
