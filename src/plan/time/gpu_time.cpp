#include "plan/time/gpu_time.h"

#include <algorithm>
#include <cmath>

namespace plimsoll {
namespace {

bool is_arithmetic(Work work) { return work >= Work::convolution && work <= Work::product; }
bool is_grad(Work work) { return work == Work::grad_data || work == Work::grad_weights; }
bool is_depthwise(const TimedOperation& operation) {
  return operation.product.groups > 1 && operation.product.channels == 1 && operation.work != Work::product;
}

// Half of the whole at `half`.
double saturating(double value, double half) { return std::max(value, 1e-3) / (std::max(value, 1e-3) + half); }

// One of four, by the kind of product.
double by_work(Work work, double conv, double grad_data, double grad_weights, double product) {
  if (work == Work::convolution) return conv;
  if (work == Work::grad_data) return grad_data;
  if (work == Work::grad_weights) return grad_weights;
  return product;
}

}  // namespace

std::string_view name_of(Bound bound) {
  constexpr std::string_view kNames[] = {"arithmetic", "bandwidth", "launch"};
  return kNames[size_t(bound)];
}

GpuTime::GpuTime(const Device& device, const Execution& execution, const TimeParameters& parameters)
    : device_(device), execution_(execution), p_(parameters), generation_(generation_of(device, parameters)) {
  clock_ = sustained_clock(device, generation_);
  bandwidth_ = (device.memory_bandwidth ? device.memory_bandwidth->per_second : 1e9) * generation_.bandwidth_share;
  if (execution.framework == Framework::torch7) bandwidth_ *= p_.torch7_bytes;
  f32_ = peak(DType::f32);
  // Where their number is not published: a multiprocessor has about 0.3 TFLOP/s.
  units_ = device.units ? double(device.units->value()) : std::max(1.0, f32_ / 0.3e12);
}

double GpuTime::peak(DType dtype) const {
  const auto found = device_.peak.find(dtype);
  return found == device_.peak.end() ? 0 : found->second.per_second;
}

double GpuTime::matrix_peak(DType dtype) const {
  const auto found = device_.matrix_peak.find(dtype);
  return found == device_.matrix_peak.end() ? 0 : found->second.per_second;
}

GpuTime::Way GpuTime::way_of(const TimedOperation& operation) const {
  const double intensity16 = p_.matrix_intensity;
  switch (operation.dtype) {
    case DType::f64: {
      const double f64 = peak(DType::f64);
      return {Unit::f64, f64 > 0 ? f64 : f32_ / 32, 0};
    }
    case DType::f32:
    case DType::tf32: {
      const bool asked = operation.dtype == DType::tf32 || execution_.dtype == DType::tf32;
      const bool by_default = execution_.framework != Framework::torch7 &&
                              (operation.work != Work::product || execution_.framework == Framework::tensorflow);
      const double tf32 = asked || by_default ? matrix_peak(DType::tf32) : 0;
      if (tf32 > 0) return {Unit::matrix, tf32, intensity16 / 2};
      return {Unit::f32, f32_, 0};
    }
    case DType::f16:
    case DType::bf16: {
      const double matrix = matrix_peak(operation.dtype);
      if (matrix > 0) return {Unit::matrix, matrix, intensity16};
      return {Unit::stored16, f32_, 0};
    }
    default: {
      const double matrix = matrix_peak(operation.dtype);
      if (matrix > 0) return {Unit::matrix, matrix, intensity16 * 2};
      const double general = peak(operation.dtype);
      return {Unit::f32, std::max(general, f32_), 0};
    }
  }
}

double GpuTime::tiles(const TimedOperation& operation) const {
  const ProductShape& product = operation.product;
  double tiles = product.groups * product.rows * product.columns / (64 * 64);
  if (operation.work == Work::grad_weights) tiles *= std::max(1.0, product.depth / 512);  // sums are split
  return tiles / units_;
}

double GpuTime::transform_gain(const TimedOperation& operation, bool stored16) const {
  const ProductShape& product = operation.product;
  if (!product.transforms) return 1;
  const bool grad = is_grad(operation.work);
  double gain = product.taps > 9
                    ? p_.fft_gain
                    : by_work(operation.work, p_.winograd_conv, p_.winograd_grad_data, p_.winograd_grad_weights, 1);
  if (execution_.framework == Framework::torch7 && execution_.cudnn < 5.1)
    gain *= execution_.cudnn >= 5 ? (grad ? p_.cudnn5_grad_gain : p_.cudnn5_gain)
                                  : (grad ? p_.cudnn4_grad_gain : p_.cudnn4_gain);
  if (execution_.framework == Framework::torch7 && execution_.cudnn < 4) gain *= p_.cudnn2_gain;
  if (stored16) gain *= p_.stored16_gain;
  const double kernels = operation.work == Work::grad_data ? product.depth / product.taps : product.rows;
  return 1 + (gain - 1) * saturating(std::min(product.channels, kernels), p_.winograd_channels);
}

double GpuTime::share_f32(const TimedOperation& operation, bool stored16) const {
  const ProductShape& product = operation.product;
  double share = by_work(operation.work, p_.conv_share, p_.grad_data_share, p_.grad_weights_share, p_.product_share);
  share *= saturating(product.rows, p_.half_rows) * saturating(product.depth, p_.half_depth) *
           saturating(tiles(operation), p_.half_tiles);
  share *= transform_gain(operation, stored16);
  if (product.groups > 1) share *= p_.grouped_share;
  if (stored16) share *= is_grad(operation.work) ? p_.stored16_grad : p_.stored16_conv;
  if (execution_.framework == Framework::torch7 && execution_.cudnn < 5)
    share *= execution_.cudnn >= 4 ? p_.cudnn4_share : p_.cudnn2_share;
  return share * generation_.f32_share;
}

double GpuTime::share_matrix(const TimedOperation& operation) const {
  const ProductShape& product = operation.product;
  double share = by_work(operation.work, p_.matrix_conv, p_.matrix_grad_data, p_.matrix_grad_weights, p_.matrix_conv);
  share *= saturating(product.rows, p_.matrix_rows) * saturating(product.depth, p_.matrix_depth) *
           saturating(tiles(operation), p_.matrix_tiles);
  return product.groups > 1 ? share * p_.matrix_grouped : share;
}

double GpuTime::arithmetic_f64(const TimedOperation& operation, const Way& way) const {
  const ProductShape& product = operation.product;
  double share = by_work(operation.work, p_.f64_conv, p_.f64_grad_data, p_.f64_grad_weights, p_.f64_grad_data);
  share *= saturating(product.rows, p_.f64_rows) * saturating(product.depth, p_.f64_depth);
  if (product.groups > 1) share *= p_.f64_grouped;
  if (way.peak > 0.25 * f32_) share *= p_.f64_fast_units;
  double seconds = 1 / (way.peak * clock_ * share);
  if (operation.work == Work::convolution)
    seconds += std::pow(product.depth / p_.f64_slow_depth, p_.f64_slow_power) / (p_.f64_slow_share * f32_);
  return operation.flops * seconds;
}

double GpuTime::arithmetic(const TimedOperation& operation, const Way& way) const {
  if (way.unit == Unit::f64) return arithmetic_f64(operation, way);
  if (way.unit != Unit::matrix) {
    const double share = share_f32(operation, way.unit == Unit::stored16);
    return operation.flops / (way.peak * clock_ * share);
  }
  const double share = share_matrix(operation) * generation_.matrix_share;
  return operation.flops / share * (1 / (way.peak * clock_) + 1 / (bandwidth_ * way.intensity));
}

double GpuTime::depthwise(const TimedOperation& operation, Unit unit) const {
  double share = by_work(operation.work, p_.depthwise_bytes, p_.depthwise_grad_data, p_.depthwise_grad_weights, 1);
  if (unit == Unit::stored16)
    share *= operation.work == Work::grad_weights ? p_.stored16_depthwise_weights : p_.stored16_depthwise;
  if (unit == Unit::matrix && operation.dtype != DType::f32) share *= p_.matrix_depthwise;
  if (unit == Unit::f64) share *= p_.f64_depthwise;
  return share;
}

double GpuTime::memory(const TimedOperation& operation, Unit unit) const {
  const bool backward = operation.phase == Phase::backward;
  double share = p_.element_bytes;
  if (is_depthwise(operation) && is_arithmetic(operation.work)) share = depthwise(operation, unit);
  else if (is_arithmetic(operation.work)) share = p_.conv_bytes;
  else if (operation.work == Work::normalise)
    share = (backward ? p_.norm_grad_bytes : p_.norm_bytes) * (unit == Unit::stored16 ? p_.stored16_norm : 1);
  else if (operation.work == Work::pool) share = backward ? p_.pool_grad_bytes : p_.pool_bytes;
  else if (operation.work == Work::reduce) share = p_.reduce_bytes;
  if (unit == Unit::stored16 && execution_.framework != Framework::torch7) share *= p_.stored16_bytes;
  if (unit == Unit::matrix && operation.dtype != DType::f32) share *= p_.matrix_bytes;
  return operation.bytes / (bandwidth_ * share);
}

OperationTime GpuTime::operator()(const TimedOperation& operation) const {
  if (operation.work == Work::nothing) return {};
  const Way way = way_of(operation);
  const double bytes = memory(operation, way.unit);
  const bool counts = is_arithmetic(operation.work) && !is_depthwise(operation) && operation.flops > 0;
  const double flops = counts ? arithmetic(operation, way) : 0;
  const double longest = std::max(flops, bytes);
  OperationTime time{{(longest + p_.kernel_seconds) * operation.repeat}, Bound::launch};
  if (longest > p_.kernel_seconds) time.bound = flops > bytes ? Bound::arithmetic : Bound::bandwidth;
  return time;
}

}  // namespace plimsoll
