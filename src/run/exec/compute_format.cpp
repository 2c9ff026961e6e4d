#include "run/exec/compute_format.h"

#include <fmt/format.h>

#include "base/rows/named.h"
#include "base/text.h"

namespace plimsoll {
namespace {

constexpr const char* kLast = "channels-last";

struct NumbersName {
  const char* name;
  ComputeFormat::Numbers numbers;
};
constexpr NumbersName kNumbersNames[] = {{"f32", ComputeFormat::Numbers::f32},
                                         {"tf32", ComputeFormat::Numbers::tf32},
                                         {"bf16", ComputeFormat::Numbers::bf16},
                                         {"f16", ComputeFormat::Numbers::f16}};

bool read_part(ComputeFormat& format, const std::string& part) {
  if (part == kLast) return format.channels_last = true;
  for (const NumbersName& known : kNumbersNames)
    if (part == known.name) {
      format.numbers = known.numbers;
      return true;
    }
  return false;
}

}  // namespace

std::string ComputeFormat::name() const {
  std::string text;
  for (const NumbersName& known : kNumbersNames)
    if (known.numbers == numbers) text = known.name;
  return channels_last ? fmt::format("{},{}", text, kLast) : text;
}

Result<ComputeFormat> parse_compute_format(const std::string& called, const std::string& text) {
  ComputeFormat format;
  for (size_t from = 0; from <= text.size();) {
    const size_t end = std::min(text.find(',', from), text.size());
    if (!read_part(format, text.substr(from, end - from)))
      return user_error(fmt::format("{} is {}, expected f32, tf32, bf16 or f16, channels-last, or both with a comma",
                                    called, in_quotes(text)));
    from = end + 1;
  }
  return format;
}

Status check_format(const ComputeFormat& format, const RunDevice& device) {
  if (format == ComputeFormat{}) return {};
  if (!device.by_torch())
    return user_error(fmt::format("{} is {}, which is for the kernels of PyTorch, but {} is {}", named("compute"),
                                  format.name(), named("device"), device.name()),
                      fmt::format("{0} cuda:0 and {0} torch:cpu run those", named("device")));
  if (device.kind != RunDevice::Kind::cuda && format.numbers == ComputeFormat::Numbers::tf32)
    return user_error(fmt::format("{} is tf32, which only GPUs have", named("compute")));
  return {};
}

}  // namespace plimsoll
