#include "plan/devices/conv_methods.h"

namespace plimsoll {

std::vector<ConvMethod> methods_of(ConvSetting way) {
  switch (way) {
    case ConvSetting::automatic: return {std::begin(kConvMethods), std::end(kConvMethods)};
    case ConvSetting::direct: return {ConvMethod::direct, ConvMethod::depthwise};
    case ConvSetting::fft: return {ConvMethod::fft};
    case ConvSetting::winograd: return {ConvMethod::winograd_2x2, ConvMethod::winograd_4x4};
  }
  return {};
}

}  // namespace plimsoll
