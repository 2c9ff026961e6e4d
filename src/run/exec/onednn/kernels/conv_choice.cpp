#include "run/exec/onednn/kernels/conv_choice.h"

#include "plan/devices/conv_methods.h"
#include "run/exec/fft/fft.h"

namespace plimsoll {
namespace {

ConvLayer layer_of(const TiledConv& conv) {
  return {.kernel = conv.kernel_height,
          .square = conv.kernel_height == conv.kernel_width,
          .in = conv.in_channels,
          .out = conv.out_channels,
          .batch = conv.batch,
          .height = conv.out_height,
          .width = conv.out_width};
}

std::optional<ConvMethod> fastest(const EngineOptions& engine, ConvDirection direction, const ConvLayer& layer) {
  if (!engine.rates) return std::nullopt;
  const auto known = engine.rates->fastest(direction, methods_of(engine.conv), layer);
  return known ? std::optional(known->method) : std::nullopt;
}

// Of a machine that was not measured. Transformed kernels pay by the places that they are used for: with few, the
// smaller tile wins, with fewer the direct way.
ConvMethod rule_of_thumb(ConvSetting way, const ConvLayer& layer) {
  constexpr int64_t kFew = 128, kMany = 512;
  if (way == ConvSetting::direct || (way == ConvSetting::automatic && layer.places() < kFew)) return ConvMethod::direct;
  return layer.places() < kMany ? ConvMethod::winograd_2x2 : ConvMethod::winograd_4x4;
}

// Of a machine that was not measured. Where FFT should take this many times fewer operations it is taken: 5x5 layers of
// AlexNet and GoogLeNet that gain more were measured as fast as direct to 3 times as fast, those that gain less also
// slower.
bool fft_is_faster(const TiledConv& conv, int size) {
  constexpr double kGainNeeded = 1.4;
  constexpr int64_t kTapsNeeded = 25;
  return conv.kernel_height * conv.kernel_width >= kTapsNeeded && fft_gain(conv, size) >= kGainNeeded;
}

}  // namespace

ConvMethod choose_winograd(const EngineOptions& engine, ConvDirection direction, const TiledConv& conv) {
  const ConvLayer layer = layer_of(conv);
  return fastest(engine, direction, layer).value_or(rule_of_thumb(engine.conv, layer));
}

bool choose_fft(const EngineOptions& engine, ConvDirection direction, const TiledConv& conv, int size) {
  if (engine.conv == ConvSetting::fft) return true;
  if (const auto method = fastest(engine, direction, layer_of(conv))) return *method == ConvMethod::fft;
  return fft_is_faster(conv, size);
}

}  // namespace plimsoll
