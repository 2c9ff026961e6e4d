#include "tell/cli/engine_flags.h"

#include <algorithm>

#include "plan/devices/this_device.h"
#include "tell/cli/numbers.h"

namespace plimsoll {
namespace {

constexpr int64_t kMostThreads = 1024;

// nullptr when this machine was not probed, or its probe cannot be read: what asks for the machine itself says so.
std::shared_ptr<const ConvRates> measured_rates() {
  auto probe = probe_of_this_machine();
  if (!probe || probe->conv_rates.empty()) return nullptr;
  return std::make_shared<ConvRates>(std::move(probe->conv_rates));
}

}  // namespace

void EngineFlags::declare(CLI::App& app) {
  app.add_option("--threads", threads, "threads of a step on this machine (default: its cores)")->type_name("N");
  declare_conv(app);
}

void EngineFlags::declare_conv(CLI::App& app) {
  app.add_option("--conv", conv,
                 "how convolutions are computed here: auto (default: the fastest for each layer), direct, winograd "
                 "(3x3 kernels faster, more memory), fft (large kernels faster, more memory)")
      ->type_name("WAY");
}

Result<EngineOptions> EngineFlags::read() const {
  PLIM_ASSIGN(const int count, read_threads(threads));
  EngineOptions options(count);
  if (!conv.empty()) {
    PLIM_ASSIGN(options.conv, parse_conv_way(conv));
  }
  options.rates = measured_rates();
  return options;
}

Result<int> read_threads(const std::string& flag) {
  if (flag.empty()) return int(std::clamp<int64_t>(read_this_machine().cores().value(), 1, kMostThreads));
  PLIM_ASSIGN(const int64_t threads, parse_integer("--threads", flag, 1, kMostThreads));
  return int(threads);
}

}  // namespace plimsoll
