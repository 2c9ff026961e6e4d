#include "run/measure/conv_speed.h"

#include <algorithm>

#include "model/ir/backward.h"
#include "model/ops/all_ops.h"
#include "model/ops/conv_gradient.h"

namespace plimsoll {
namespace {

constexpr int64_t kChannels[] = {16, 32, 64, 128, 256, 512};
constexpr double kMostFlops = 2.5e9;  // of a point: about 10 ms on a small machine

struct Extent {
  int64_t batch, side;
};

// Few to many, in sizes that networks have.
constexpr Extent kPlaces[] = {{1, 7}, {4, 14}, {4, 28}};
// Whole tiles, since what a tile at the border wastes is counted apart.
constexpr Extent kTiledPlaces[] = {{1, 8}, {1, 16}, {4, 16}, {4, 56}};

struct Kind {
  ConvMethod method;
  int64_t kernel;
  std::span<const Extent> places;
};

constexpr Kind kKinds[] = {{ConvMethod::direct, 1, kPlaces},
                           {ConvMethod::direct, 3, kPlaces},
                           {ConvMethod::winograd_2x2, 3, kTiledPlaces},
                           {ConvMethod::winograd_4x4, 3, kTiledPlaces},
                           {ConvMethod::depthwise, 3, kPlaces}};

double flops_of(const ConvLayer& layer) {
  return 2.0 * double(layer.kernel * layer.kernel * layer.in * layer.out * layer.groups) * double(layer.places());
}

ConvLayer layer_of(const Kind& kind, int64_t channels, Extent extent) {
  ConvLayer layer{.kernel = kind.kernel, .in = channels, .out = channels};
  if (kind.method == ConvMethod::depthwise) layer.in = layer.out = 1, layer.groups = channels;
  layer.batch = extent.batch, layer.height = layer.width = extent.side;
  while (flops_of(layer) > kMostFlops && layer.places() > 49) {
    if (layer.batch > 1) layer.batch /= 2;
    else layer.height /= 2, layer.width /= 2;
  }
  return layer;
}

// Tells the engine to compute by that method: no other is known.
EngineOptions only(int threads, ConvDirection direction, const Kind& kind) {
  EngineOptions engine(threads);
  engine.rates = std::make_shared<ConvRates>(
      std::vector<ConvRate>{{direction, kind.method, kind.kernel, 1, 1, FlopsPerSecond{1}}});
  return engine;
}

class Measuring {
 public:
  Measuring(int threads, const ConvEffort& effort) : threads_(threads), effort_(effort) {}

  Result<ConvRates> run() {
    for (const Kind& kind : kKinds)
      for (const ConvDirection direction : kConvDirections)
        for (size_t i = 0; i < std::size(kChannels); i += size_t(effort_.every))
          for (const Extent& extent : kind.places)
            PLIM_TRY(measure(direction, kind, layer_of(kind, kChannels[i], extent)));
    return ConvRates(std::move(rows_));
  }

 private:
  Status measure(ConvDirection direction, const Kind& kind, const ConvLayer& layer) {
    const ConvRate row{direction, kind.method, kind.kernel, std::max(layer.in, layer.groups), layer.places(), {}};
    if (measured(row)) return {};
    PLIM_ASSIGN(Program program, conv_program(direction, layer));
    PLIM_ASSIGN(const auto time, kernel_time(std::move(program), only(threads_, direction, kind), effort_.each));
    const bool meant = time && (kind.method == ConvMethod::depthwise || time->method == kind.method);
    if (!meant) return {};  // there is no such kernel here
    rows_.push_back(row);
    rows_.back().rate = {flops_of(layer) / time->shortest.value};
    return {};
  }

  // Many places may have been cut down to what some others were.
  bool measured(ConvRate row) const {
    for (const auto& other : rows_) {
      row.rate = other.rate;
      if (row == other) return true;
    }
    return false;
  }

  int threads_;
  const ConvEffort& effort_;
  std::vector<ConvRate> rows_;
};

}  // namespace

Result<Program> conv_program(ConvDirection direction, const ConvLayer& layer) {
  const int64_t k = layer.kernel, pad = k / 2;
  const std::vector<int64_t> x{layer.batch, layer.in * layer.groups, layer.height * layer.stride,
                               layer.width * layer.stride};
  const std::vector<int64_t> weights{layer.out * layer.groups, layer.in, k, k};
  const std::vector<int64_t> y{layer.batch, layer.out * layer.groups, layer.height, layer.width};
  Attributes attributes{{"group", layer.groups},
                        {"kernel_shape", std::vector{k, k}},
                        {"strides", std::vector{layer.stride, layer.stride}},
                        {"pads", std::vector{pad, pad, pad, pad}}};
  Program program;
  const auto value = [&](const std::vector<int64_t>& shape) {
    return program.add({"made up", Role::activation, TensorType{DType::f32, Shape(shape)}, nullptr});
  };
  Operation operation{&op_named("conv"), "conv", "conv", {}, {}, {}};
  if (direction == ConvDirection::forward) {
    operation.inputs = {value(x), value(weights)};
  } else if (direction == ConvDirection::grad_data) {
    operation.op = &conv_grad_data();
    operation.inputs = {value(y), value(weights)};
    attributes.set("input_shape", x);
  } else {
    operation.op = &conv_grad_weights();
    operation.inputs = {value(x), value(y)};
    attributes.set("weights_shape", weights);
  }
  operation.op_name = operation.op->name;
  operation.attributes = std::move(attributes);
  PLIM_ASSIGN(program.outputs, append(program, std::move(operation), 1));
  return program;
}

Result<ConvRates> measure_conv_speed(int threads, const ConvEffort& effort) { return Measuring(threads, effort).run(); }

}  // namespace plimsoll
