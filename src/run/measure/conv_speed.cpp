#include "run/measure/conv_speed.h"

#include <algorithm>

#include "model/ir/backward.h"
#include "model/ops/all_ops.h"
#include "model/ops/conv_gradient.h"

namespace plimsoll {
namespace {

constexpr int64_t kChannels[] = {16, 32, 64, 128, 256, 512};

// Of a point: about 10 ms on a small machine.
double most_flops(ConvMethod method) {
  if (method == ConvMethod::depthwise) return 5e7;  // some kernels for them are slow
  const bool transforms = method != ConvMethod::direct && method != ConvMethod::product;
  return transforms ? 1e10 : 2.5e9;
}

struct Extent {
  int64_t batch, side;
};

// Few to many, in sizes that networks have.
constexpr Extent kPlaces[] = {{1, 7}, {4, 14}, {4, 28}};
// Whole tiles, since what a tile at the border wastes is counted apart.
constexpr Extent kTiledPlaces[] = {{1, 8}, {1, 16}, {4, 16}, {4, 56}};

// For kernels of 5x5.
constexpr Extent kLargePlaces[] = {{1, 14}, {4, 14}, {4, 28}};

// Rows of a product.
constexpr Extent kRows[] = {{1, 1}, {16, 1}, {128, 1}, {1024, 1}};

struct Kind {
  ConvMethod method;
  int64_t kernel;
  std::span<const Extent> places;
};

constexpr Kind kKinds[] = {{ConvMethod::direct, 1, kPlaces},
                           {ConvMethod::direct, 3, kPlaces},
                           {ConvMethod::winograd_2x2, 3, kTiledPlaces},
                           {ConvMethod::winograd_4x4, 3, kTiledPlaces},
                           {ConvMethod::direct, 5, kLargePlaces},
                           {ConvMethod::fft, 5, kLargePlaces},
                           {ConvMethod::depthwise, 3, kPlaces},
                           {ConvMethod::depthwise, 5, kPlaces},
                           {ConvMethod::depthwise, 7, kPlaces},
                           {ConvMethod::product, 1, kRows}};

double flops_of(const ConvLayer& layer) {
  return 2.0 * double(layer.kernel * layer.kernel * layer.in * layer.out * layer.groups) * double(layer.places());
}

ConvLayer layer_of(const Kind& kind, int64_t channels, Extent extent) {
  ConvLayer layer{.kernel = kind.kernel, .in = channels, .out = channels};
  if (kind.method == ConvMethod::depthwise) layer.in = layer.out = 1, layer.groups = channels;
  layer.batch = extent.batch, layer.height = layer.width = extent.side;
  while (flops_of(layer) > most_flops(kind.method) && layer.places() > 49) {
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
    for (int round = 0; round < effort_.rounds || (round < effort_.most_rounds && !settled()); ++round) {
      gained_ = 0;
      PLIM_TRY(measure_all());
    }
    return ConvRates(std::move(rows_));
  }

 private:
  Status measure_all() {
    for (const Kind& kind : kKinds)
      for (const ConvDirection direction : kConvDirections) {
        // A product has one direction: its gradients are products as well.
        if (kind.method == ConvMethod::product && direction != ConvDirection::forward) continue;
        PLIM_TRY(measure(direction, kind));
      }
    return {};
  }

  // The last round made points faster by less than this, on average.
  bool settled() const {
    constexpr double kLittle = 0.01;
    return gained_ < kLittle * double(rows_.size());
  }

  Status measure(ConvDirection direction, const Kind& kind) {
    for (size_t i = 0; i < std::size(kChannels); i += size_t(effort_.every))
      for (const Extent& extent : kind.places) PLIM_TRY(measure(direction, kind, layer_of(kind, kChannels[i], extent)));
    return {};
  }

  Status measure(ConvDirection direction, const Kind& kind, const ConvLayer& layer) {
    const bool product = kind.method == ConvMethod::product;
    PLIM_ASSIGN(Program program, product ? product_program(layer) : conv_program(direction, layer));
    PLIM_ASSIGN(const auto time, kernel_time(std::move(program), only(threads_, direction, kind), effort_.each));
    const bool meant = time && (product || kind.method == ConvMethod::depthwise || time->method == kind.method);
    if (!meant) return {};  // there is no such kernel here
    keep({direction,
          kind.method,
          kind.kernel,
          std::max(layer.in, layer.groups),
          layer.places(),
          {flops_of(layer) / time->shortest.value}});
    return {};
  }

  // Whatever else the machine does can only make it slower, so the fastest of a point counts.
  void keep(const ConvRate& row) {
    for (auto& other : rows_) {
      ConvRate same = row;
      same.rate = other.rate;
      if (same != other) continue;
      gained_ += std::max(0.0, row.rate.per_second / other.rate.per_second - 1);
      other.rate = std::max(other.rate, row.rate);
      return;
    }
    rows_.push_back(row);
  }

  int threads_;
  const ConvEffort& effort_;
  std::vector<ConvRate> rows_;
  double gained_ = 0;  // in this round, as a share of each point's rate
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

Result<Program> product_program(const ConvLayer& layer) {
  Program program;
  const auto value = [&](const Shape& shape) {
    return program.add({"made up", Role::activation, TensorType{DType::f32, shape}, nullptr});
  };
  Operation operation{&op_named("gemm"), "gemm", "product", {}, {}, {{"transB", int64_t{1}}}};
  operation.inputs = {value({layer.places(), layer.in}), value({layer.out, layer.in})};
  PLIM_ASSIGN(program.outputs, append(program, std::move(operation), 1));
  return program;
}

Result<ConvRates> measure_conv_speed(int threads, const ConvEffort& effort) { return Measuring(threads, effort).run(); }

}  // namespace plimsoll
