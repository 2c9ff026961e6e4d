#include "run/exec/onednn/kernels/conv_choice.h"

#include "run/exec/conv_methods.h"

namespace plimsoll {
namespace {

// Of a machine that was not measured.
ConvMethod rule_of_thumb(ConvWay way, const ConvLayer&) {
  return way == ConvWay::direct ? ConvMethod::direct : ConvMethod::winograd_4x4;
}

}  // namespace

ConvMethod choose_method(const EngineOptions& engine, ConvDirection direction, const ConvLayer& layer) {
  if (engine.rates)
    if (const auto fastest = engine.rates->fastest(direction, methods_of(engine.conv), layer)) return fastest->method;
  return rule_of_thumb(engine.conv, layer);
}

}  // namespace plimsoll
