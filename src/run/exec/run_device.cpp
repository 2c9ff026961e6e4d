#include "run/exec/run_device.h"

#include <fmt/format.h>

#include "base/numbers.h"
#include "base/text.h"

namespace plimsoll {
namespace {

constexpr int kMostGpus = 1024;

}  // namespace

std::string RunDevice::name() const {
  if (kind == Kind::cuda) return fmt::format("cuda:{}", index);
  return kind == Kind::torch_cpu ? "torch:cpu" : "cpu";
}

Result<RunDevice> parse_run_device(const std::string& called, const std::string& text) {
  if (text == "cpu") return RunDevice{};
  if (text == "torch:cpu") return RunDevice{RunDevice::Kind::torch_cpu};
  if (text == "cuda") return RunDevice{RunDevice::Kind::cuda};
  constexpr std::string_view kCuda = "cuda:";
  if (!text.starts_with(kCuda))
    return user_error(fmt::format("{} is {}, expected cpu, cuda:N or torch:cpu", called, in_quotes(text)));
  PLIM_ASSIGN(const int64_t index, parse_integer(called, text.substr(kCuda.size()), 0, kMostGpus));
  return RunDevice{RunDevice::Kind::cuda, int(index)};
}

}  // namespace plimsoll
