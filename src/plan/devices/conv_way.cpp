#include "plan/devices/conv_way.h"

#include <array>
#include <utility>

#include "base/text.h"

namespace plimsoll {
namespace {

constexpr std::array kWays = {std::pair{"auto", ConvWay::automatic}, std::pair{"direct", ConvWay::direct},
                              std::pair{"winograd", ConvWay::winograd}, std::pair{"fft", ConvWay::fft}};

}  // namespace

Result<ConvWay> parse_conv_way(const std::string& text) {
  for (const auto& [name, way] : kWays)
    if (text == name) return way;
  return user_error("--conv does not know " + in_quotes(text), "It is one of auto, direct, winograd, fft.");
}

std::string to_string(ConvWay way) {
  for (const auto& [name, other] : kWays)
    if (other == way) return name;
  return {};
}

}  // namespace plimsoll
