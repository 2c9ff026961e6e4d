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
  const auto index = text.starts_with(kCuda) ? parse_integer(called, text.substr(kCuda.size()), 0, kMostGpus)
                                             : Result<int64_t>(user_error("no GPU"));
  if (index.ok()) return RunDevice{RunDevice::Kind::cuda, int(*index)};
  return user_error(fmt::format("{} is {}, expected cpu, cuda:N or torch:cpu", called, in_quotes(text)),
                    "cuda:0 is the first GPU");
}

}  // namespace plimsoll
