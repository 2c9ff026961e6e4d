#include "run/exec/this_engine.h"

#include <algorithm>

#include "base/rows/named.h"
#include "plan/devices/this_device.h"
#include "run/exec/backend.h"
#include "run/exec/device_here.h"
#include "run/exec/torch/torch_lowering.h"

namespace plimsoll {
namespace {

constexpr int64_t kMostUsualThreads = 1024;
constexpr Seconds kMostTrial{600};  // a question about a plan is not worth more: who waits longer can run the step

// nullptr when this machine was not probed, or its probe cannot be read: what asks for the machine itself says so.
std::shared_ptr<const ConvRates> measured_rates() {
  auto probe = probe_of_this_machine();
  if (!probe || probe->conv_rates.empty()) return nullptr;
  return std::make_shared<ConvRates>(std::move(probe->conv_rates));
}

class BackendHere : public EngineHere {
 public:
  explicit BackendHere(const RunDevice& device) : device_(device) {}

  std::unique_ptr<Lowering> lowering(std::optional<int64_t> threads, ConvSetting conv) const override {
    const EngineOptions options = engine_options(threads, conv, device_);
    if (device_.by_torch()) return torch_lowering(options, kMostTrial);
    return backend_on(device_, std::nullopt).value()->lowering(options);
  }
  bool has_conv_methods() const override { return !device_.by_torch(); }

  Result<OnDevice> on(const std::string& name) const override {
    PLIM_ASSIGN(const RunDevice device, parse_run_device(named("device"), name));
    PLIM_ASSIGN(Candidate candidate, candidate_of(device));
    return OnDevice{std::move(candidate), std::make_unique<BackendHere>(device)};
  }

 private:
  RunDevice device_;
};

}  // namespace

EngineOptions engine_options(std::optional<int64_t> threads, ConvSetting conv, const RunDevice& device,
                             const ComputeFormat& format) {
  const int64_t cores = std::clamp<int64_t>(read_this_machine().cores().value(), 1, kMostUsualThreads);
  EngineOptions options(int(threads.value_or(cores)), conv);
  options.device = device;
  options.format = format;
  options.rates = measured_rates();
  return options;
}

const EngineHere& engine_here() {
  static const BackendHere engine{RunDevice{}};
  return engine;
}

}  // namespace plimsoll
