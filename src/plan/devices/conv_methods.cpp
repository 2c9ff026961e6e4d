#include "plan/devices/conv_methods.h"

namespace plimsoll {

std::vector<ConvMethod> methods_of(ConvWay way) {
  switch (way) {
    case ConvWay::automatic: return {std::begin(kConvMethods), std::end(kConvMethods)};
    case ConvWay::direct: return {ConvMethod::direct, ConvMethod::depthwise};
    case ConvWay::fft: return {ConvMethod::fft};
    case ConvWay::winograd: return {ConvMethod::winograd_2x2, ConvMethod::winograd_4x4};
  }
  return {};
}

}  // namespace plimsoll
