#include "run/exec/onednn/kernels/conv_choice.h"

#include "run/exec/conv_methods.h"

namespace plimsoll {
namespace {

// Of a machine that was not measured. Transformed kernels pay by the places that they are used for: with few, the
// smaller tile wins, with fewer the direct way.
ConvMethod rule_of_thumb(ConvWay way, const ConvLayer& layer) {
  constexpr int64_t kFew = 128, kMany = 512;
  if (way == ConvWay::direct || (way == ConvWay::automatic && layer.places() < kFew)) return ConvMethod::direct;
  return layer.places() < kMany ? ConvMethod::winograd_2x2 : ConvMethod::winograd_4x4;
}

}  // namespace

ConvMethod choose_method(const EngineOptions& engine, ConvDirection direction, const ConvLayer& layer) {
  if (engine.rates)
    if (const auto fastest = engine.rates->fastest(direction, methods_of(engine.conv), layer)) return fastest->method;
  return rule_of_thumb(engine.conv, layer);
}

}  // namespace plimsoll
