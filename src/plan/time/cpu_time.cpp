#include "plan/time/cpu_time.h"

#include <algorithm>
#include <cmath>

namespace plimsoll {

CpuTime::CpuTime(const Device& device, const Execution& execution, const TimeParameters& parameters)
    : device_(device), execution_(execution), p_(parameters), framework_(execution.framework) {
  bandwidth_ = device.memory_bandwidth ? device.memory_bandwidth->per_second : 1e10;
  bandwidth_ *= framework_ == Framework::torch7     ? p_.cpu_torch7_bytes
                : framework_ == Framework::plimsoll ? p_.cpu_plimsoll_bytes
                                                    : p_.cpu_bytes;
  const auto& sets = device.instruction_sets;
  if (std::find(sets.begin(), sets.end(), "avx512f") != sets.end()) block_ = 16;
  measured_ = framework_ == Framework::plimsoll && !device.conv_rates.empty();
  if (execution.threads && device.cores && device.cores->value() > 0)
    cores_ = std::clamp(double(*execution.threads) / double(device.cores->value()), 1e-3, 1.0);
}

// A format without instructions of its own is computed in f32.
double CpuTime::peak(DType dtype) const {
  const auto product = device_.product_peak(dtype);
  if (product && product->per_second > 0) return product->per_second;
  const auto f32 = device_.product_peak(DType::f32);
  return f32 ? f32->per_second : 1e10;
}

double CpuTime::share(const TimedOperation& operation) const {
  const bool grad = operation.work == Work::grad_data || operation.work == Work::grad_weights;
  double share = grad ? p_.cpu_grad_share : p_.cpu_product_share;
  if (framework_ == Framework::torch7) share = p_.cpu_torch7_share;
  if (framework_ == Framework::tensorflow) share *= p_.cpu_tensorflow_share;
  const double rows = std::max(1.0, operation.product.rows);
  if (framework_ == Framework::plimsoll) return p_.cpu_plimsoll_share * rows / (rows + p_.cpu_plimsoll_half_rows);
  return share * rows / (rows + p_.cpu_half_rows);
}

// Channels lie in blocks, and the last one is computed whole. A few channels, as pictures have, lie otherwise.
double CpuTime::padding(const ConvLayer& layer) const {
  const auto of = [&](int64_t channels) {
    const int64_t blocks = (channels + block_ - 1) / block_;
    return channels < block_ / 2 ? 1 : double(blocks * block_) / double(channels);
  };
  const bool depthwise = layer.groups > 1 && layer.in == 1;
  return depthwise ? of(layer.groups) : layer.groups > 1 ? 1 : of(layer.in) * of(layer.out);
}

// What sets a layer apart from those that were measured.
double CpuTime::share_of_measured(const ConvLayer& layer, Work work) const {
  double share = 1 / padding(layer);
  if (layer.stride > 1 && work != Work::convolution)
    share *= layer.kernel == 1 ? p_.cpu_plimsoll_stride_1x1 : p_.cpu_plimsoll_stride;
  const bool grouped = layer.groups > 1 && layer.in > 1;
  if (grouped && work == Work::grad_weights) share *= p_.cpu_plimsoll_grouped_weights;
  return share;
}

std::optional<double> CpuTime::measured_rate(const TimedOperation& operation) const {
  if (!measured_ || operation.dtype != DType::f32) return std::nullopt;
  if (operation.work == Work::product) {
    const ProductShape& shape = operation.product;
    const auto whole = [](double number) { return std::max<int64_t>(1, std::llround(std::min(number, 1e15))); };
    // Measured were square ones.
    const int64_t side = whole(std::sqrt(shape.depth * shape.rows));
    const ConvLayer layer{.in = side, .out = side, .batch = whole(shape.columns)};
    const auto rate = device_.conv_rates.rate(ConvDirection::forward, ConvMethod::product, layer);
    return rate ? std::optional(rate->per_second * cores_) : std::nullopt;
  }
  if (!operation.conv) return std::nullopt;
  constexpr ConvMethod kPlain[] = {ConvMethod::direct, ConvMethod::depthwise};
  const auto direction = operation.work == Work::grad_data      ? ConvDirection::grad_data
                         : operation.work == Work::grad_weights ? ConvDirection::grad_weights
                                                                : ConvDirection::forward;
  auto fastest = device_.conv_rates.fastest(direction, execution_.conv_methods, *operation.conv);
  if (!fastest) fastest = device_.conv_rates.fastest(direction, kPlain, *operation.conv);
  if (!fastest) return std::nullopt;
  return fastest->rate.per_second * cores_ * share_of_measured(*operation.conv, operation.work);
}

double CpuTime::bandwidth(const TimedOperation& operation) const {
  const double cores = std::min(1.0, 0.3 + cores_);
  const auto rate = measured_ && operation.dtype == DType::f32
                        ? device_.memory_bound_rates.rate(memory_bound_of(operation), operation.bytes)
                        : std::nullopt;
  if (!rate) return bandwidth_ * cores;
  constexpr double kCurved = 0.3;  // operations a byte: more than sums and products of numbers have
  const bool curved = operation.work == Work::element && operation.flops > kCurved * operation.bytes;
  const double share = curved ? p_.cpu_plimsoll_curved : operation.work == Work::reduce ? p_.cpu_plimsoll_reduce : 1;
  return rate->per_second * cores * share;
}

OperationTime CpuTime::operator()(const TimedOperation& operation) const {
  if (operation.work == Work::nothing) return {};
  const bool product = operation.work >= Work::convolution && operation.work <= Work::product;
  // Torch7 writes each number of a convolution's input once for every tap of the kernel and reads it again.
  const double unfolded =
      framework_ == Framework::torch7 && product ? 1 + p_.cpu_torch7_unfold * operation.product.taps : 1;
  const double bytes = operation.bytes * unfolded / bandwidth(operation);
  const auto rate = product ? measured_rate(operation) : std::nullopt;
  const double usual = product ? peak(operation.dtype) * cores_ * share(operation) : 1;
  const double flops = product ? operation.flops / rate.value_or(usual) : 0;
  double longest = std::max(flops, bytes);
  if (framework_ == Framework::torch7) longest = flops + bytes;  // its unfolding does not overlap with the product
  constexpr double kFewRows = 64;  // their measured rate is that of the weights' way from memory
  const bool few = operation.phase == Phase::forward && operation.product.columns < kFewRows;
  if (rate && operation.work == Work::product && !few) longest += (1 - p_.cpu_plimsoll_hidden) * std::min(flops, bytes);
  if (rate && operation.conv) longest = flops + p_.cpu_plimsoll_cold * bytes;
  const double start = measured_ ? p_.cpu_plimsoll_operation : p_.cpu_operation;
  OperationTime time{{(longest + start) * operation.repeat}, Bound::launch};
  if (longest > start) time.bound = flops > bytes ? Bound::arithmetic : Bound::bandwidth;
  return time;
}

}  // namespace plimsoll
