#include "plan/time/cpu_time.h"

#include <algorithm>

namespace plimsoll {

CpuTime::CpuTime(const Device& device, const Execution& execution, const TimeParameters& parameters)
    : device_(device), execution_(execution), p_(parameters), software_(execution.software) {
  bandwidth_ = device.memory_bandwidth ? device.memory_bandwidth->per_second : 1e10;
  bandwidth_ *= software_ == Software::torch7     ? p_.cpu_torch7_bytes
                : software_ == Software::plimsoll ? p_.cpu_plimsoll_bytes
                                                  : p_.cpu_bytes;
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
  if (software_ == Software::torch7) share = p_.cpu_torch7_share;
  if (software_ == Software::tensorflow) share *= p_.cpu_tensorflow_share;
  const double rows = std::max(1.0, operation.product.rows);
  if (software_ == Software::plimsoll) return p_.cpu_plimsoll_share * rows / (rows + p_.cpu_plimsoll_half_rows);
  return share * rows / (rows + p_.cpu_half_rows);
}

std::optional<double> CpuTime::measured_rate(const TimedOperation& operation) const {
  if (software_ != Software::plimsoll || device_.conv_rates.empty() || !operation.conv || operation.dtype != DType::f32)
    return std::nullopt;
  constexpr ConvMethod kPlain[] = {ConvMethod::direct, ConvMethod::depthwise};
  const auto direction = operation.work == Work::grad_data      ? ConvDirection::grad_data
                         : operation.work == Work::grad_weights ? ConvDirection::grad_weights
                                                                : ConvDirection::forward;
  auto fastest = device_.conv_rates.fastest(direction, execution_.conv_methods, *operation.conv);
  if (!fastest) fastest = device_.conv_rates.fastest(direction, kPlain, *operation.conv);
  if (!fastest) return std::nullopt;
  return fastest->rate.per_second * cores_;
}

double CpuTime::rate(const TimedOperation& operation) const {
  if (const auto measured = measured_rate(operation)) return *measured;
  return peak(operation.dtype) * cores_ * share(operation);
}

double CpuTime::bandwidth(const TimedOperation& operation) const {
  const double cores = std::min(1.0, 0.3 + cores_);
  if (software_ == Software::plimsoll && operation.dtype == DType::f32)
    if (const auto rate = device_.sweep_rates.rate(sweep_of(operation), operation.bytes))
      return rate->per_second * cores;
  return bandwidth_ * cores;
}

OperationTime CpuTime::operator()(const TimedOperation& operation) const {
  if (operation.work == Work::nothing) return {};
  const bool product = operation.work >= Work::convolution && operation.work <= Work::product;
  // Torch7 writes each number of a convolution's input once for every tap of the kernel and reads it again.
  const double unfolded =
      software_ == Software::torch7 && product ? 1 + p_.cpu_torch7_unfold * operation.product.taps : 1;
  const double bytes = operation.bytes * unfolded / bandwidth(operation);
  const double flops = product ? operation.flops / rate(operation) : 0;
  // Its unfolding does not overlap with the product.
  const double longest = software_ == Software::torch7 ? flops + bytes : std::max(flops, bytes);
  OperationTime time{{(longest + p_.cpu_operation) * operation.repeat}, Bound::launch};
  if (longest > p_.cpu_operation) time.bound = flops > bytes ? Bound::arithmetic : Bound::bandwidth;
  return time;
}

}  // namespace plimsoll
