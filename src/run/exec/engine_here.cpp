#include "run/exec/engine_here.h"

#include <algorithm>

#include "plan/devices/this_device.h"
#include "run/exec/backend.h"

namespace plimsoll {
namespace {

constexpr int64_t kMostUsualThreads = 1024;

// nullptr when this machine was not probed, or its probe cannot be read: what asks for the machine itself says so.
std::shared_ptr<const ConvRates> measured_rates() {
  auto probe = probe_of_this_machine();
  if (!probe || probe->conv_rates.empty()) return nullptr;
  return std::make_shared<ConvRates>(std::move(probe->conv_rates));
}

class FirstBackend : public EngineHere {
 public:
  std::unique_ptr<Lowering> lowering(std::optional<int64_t> threads, ConvSetting conv) const override {
    return all_backends().front()->lowering(engine_options(threads, conv));
  }
};

}  // namespace

EngineOptions engine_options(std::optional<int64_t> threads, ConvSetting conv, const RunDevice& device) {
  const int64_t cores = std::clamp<int64_t>(read_this_machine().cores().value(), 1, kMostUsualThreads);
  EngineOptions options(int(threads.value_or(cores)), conv);
  options.device = device;
  options.rates = measured_rates();
  return options;
}

const EngineHere& engine_here() {
  static const FirstBackend engine;
  return engine;
}

}  // namespace plimsoll
