#include "plan/devices/conv_setting.h"

#include <fmt/format.h>

#include <array>
#include <utility>

#include "base/field_mark.h"
#include "base/text.h"

namespace plimsoll {
namespace {

constexpr std::array kWays = {std::pair{"auto", ConvSetting::automatic}, std::pair{"direct", ConvSetting::direct},
                              std::pair{"winograd", ConvSetting::winograd}, std::pair{"fft", ConvSetting::fft}};

}  // namespace

Result<ConvSetting> parse_conv_setting(const std::string& text) {
  for (const auto& [name, way] : kWays)
    if (text == name) return way;
  return user_error(fmt::format("{} is {}, expected auto, direct, winograd or fft", named("conv"), in_quotes(text)));
}

std::string to_string(ConvSetting way) {
  for (const auto& [name, other] : kWays)
    if (other == way) return name;
  return {};
}

}  // namespace plimsoll
