#include "plan/time/torch_cpu_time.h"

#include <algorithm>
#include <cmath>

#include "plan/devices/device_fields.h"

namespace plimsoll {
namespace {

constexpr double kUsualPeak = 1e11, kUsualBandwidth = 1e10;
constexpr double kLargeTensors = 256e6;  // bytes, far beyond any cache
constexpr double kCurved = 0.3;          // operations a byte: more than sums and products of numbers have

bool is_conv(Work work) { return work == Work::convolution || work == Work::grad_data || work == Work::grad_weights; }

double rate_in(const Device& device, DType format) {
  if (const auto peak = device.product_peak(format); peak && peak->per_second > 0) return peak->per_second;
  const auto f32 = device.product_peak(DType::f32);  // a format without instructions of its own
  return f32 && f32->per_second > 0 ? f32->per_second : kUsualPeak;
}

// What probe found with oneDNN's products tells more than the peak, and the best of them more than any one: whatever
// else ran beside a measurement has only made it slower. 0: not probed.
double best_product(const Device& device) {
  double best = 0;
  for (const auto& row : device.conv_rates.rows())
    if (row.method == ConvMethod::product) best = std::max(best, row.rate.per_second);
  return best;
}

double size_of_unit(std::string_view field, std::string_view name) {
  for (const auto& row : all_figure_fields())
    if (row.name == field)
      for (const auto& unit : row.units)
        if (unit.name == name) return unit.size;
  return 1;
}

double cores_of(const Device& device) { return device.cores ? std::max(1.0, double(device.cores->value())) : 1; }

double used_of(const Device& device, const Execution& execution) {
  const double cores = cores_of(device);
  return std::clamp(double(execution.threads.value_or(int64_t(cores))), 1.0, cores);
}

bool is_depthwise(const TimedOperation& operation) {
  return operation.product.groups > 1 && operation.product.channels == 1;
}

}  // namespace

FlopsPerSecond TorchCpuTime::gemm_rate(const Device& device, DType format) {
  if (const auto found = device.gemm_rate.find(format); found != device.gemm_rate.end()) return found->second;
  // Another format reaches as much of its peak as f32 does.
  const double f32 = rate_in(device, DType::f32);
  if (format != DType::f32) return {gemm_rate(device, DType::f32).per_second * rate_in(device, format) / f32};
  const TorchCpuParameters p;
  const double probed = best_product(device);
  return {probed > 0 ? probed * p.probed_product_share : f32 * p.gemm_share};
}

BytesPerSecond TorchCpuTime::copy_rate(const Device& device) {
  if (device.reached_bandwidth) return *device.reached_bandwidth;
  const TorchCpuParameters p;
  if (const auto probed = device.memory_bound_rates.rate(MemoryBound::element, kLargeTensors))
    return {probed->per_second * p.probed_copy_share};
  const double nominal = device.memory_bandwidth ? device.memory_bandwidth->per_second : kUsualBandwidth;
  return {nominal * p.copy_share};
}

TorchCpuTime::TorchCpuTime(const Device& device, const Execution& execution, const TorchCpuParameters& parameters)
    : device_(device), p_(parameters) {
  const double cores = cores_of(device), used = used_of(device, execution);
  cores_ = used / cores;
  alone_ = used == 1;
  all_cores_ = gemm_rate(device, DType::f32).per_second / p_.gemm_share * cores_;
  // A core alone has more of the memory's bandwidth than its share.
  bandwidth_ = copy_rate(device).per_second;
  if (cores_ < 1 && device.core_bandwidth && device.memory_bandwidth)
    bandwidth_ *= std::min(1.0, used * device.core_bandwidth->per_second / device.memory_bandwidth->per_second);
  else bandwidth_ *= std::min(1.0, 0.3 + cores_);
  if (device.l3_cache) cache_ = double(device.l3_cache->value()) * p_.cache_share;
}

double TorchCpuTime::conv_share(const TimedOperation& operation) const {
  const ProductShape& product = operation.product;
  if (is_depthwise(operation)) {
    if (operation.work == Work::grad_data) return p_.depthwise_grad_data;
    if (operation.work == Work::convolution) return p_.depthwise;
    return product.taps > 25 ? p_.depthwise_grad_weights_large : p_.depthwise_grad_weights;
  }
  double share = p_.conv_share;
  if (operation.work == Work::grad_data) share *= p_.conv_grad_data;
  if (operation.work == Work::grad_weights) share *= p_.conv_grad_weights;
  if (product.groups > 1) return share * p_.conv_grouped;
  const bool strided = operation.conv && operation.conv->stride > 1;
  if (operation.work == Work::grad_data && strided) share = p_.conv_grad_strided;
  if (operation.conv && operation.conv->in < 8) share *= p_.conv_few_channels;
  return share;
}

double TorchCpuTime::product_rate(const TimedOperation& operation) const {
  const double gemm = gemm_rate(device_, operation.dtype).per_second * cores_;
  if (is_conv(operation.work)) return gemm * conv_share(operation);
  if (operation.attends) return gemm * p_.attention_share;
  const ProductShape& product = operation.product;
  const double rows = std::min({product.rows, product.columns / std::max(1.0, product.batches), product.depth});
  return gemm * rows / (rows + p_.half_rows);
}

// A convolution of one thread with windows of a point goes to the product as it is, below 16 samples.
double TorchCpuTime::copied(const TimedOperation& operation) const {
  if (!is_conv(operation.work)) return 0;
  const auto& conv = operation.conv;
  const bool plain = alone_ && conv && conv->kernel == 1 && conv->stride == 1 && conv->batch < 16;
  return plain ? 0 : 2 * p_.reorder_bytes * operation.bytes;  // read and written
}

double TorchCpuTime::arithmetic_per_byte(const TimedOperation& operation, bool trains) const {
  const bool backward = operation.phase == Phase::backward;
  switch (operation.work) {
    case Work::normalise:
      if (operation.norm == Norm::row) return backward ? p_.row_norm_grad : p_.row_norm;
      if (operation.norm == Norm::none) return p_.softmax;
      if (!trains) return p_.batch_norm;
      return backward ? p_.batch_norm_grad : p_.batch_norm_train;
    case Work::pool: return backward ? p_.pool_grad : p_.pool;
    case Work::element:
      if (operation.rearranges) return p_.rearrange;
      return operation.flops > kCurved * operation.bytes ? p_.curved : 0;
    default: return 0;
  }
}

double TorchCpuTime::seconds_for(double bytes) const {
  const double gain = bytes <= cache_ ? p_.cache_gain : 1;
  return bytes / (bandwidth_ * gain);
}

OperationTime TorchCpuTime::operator()(const TimedOperation& operation, bool trains) const {
  if (operation.work == Work::nothing || operation.part) return {};
  const bool product = is_conv(operation.work) || operation.work == Work::product;
  double arithmetic = product ? operation.flops / product_rate(operation)
                              : arithmetic_per_byte(operation, trains) * operation.bytes / all_cores_;
  const double bytes = seconds_for(operation.bytes);
  double longest = std::max(arithmetic, bytes);
  if (product) longest += seconds_for(copied(operation));
  const double start = operation.work == Work::update ? p_.update_seconds : p_.operation_seconds;
  OperationTime time{{(longest + start) * operation.repeat}, Bound::launch};
  if (longest > start) time.bound = arithmetic > bytes ? Bound::arithmetic : Bound::bandwidth;
  return time;
}

Seconds fresh_memory_time(const Device& device, const Execution& execution, Bytes bytes) {
  const double used = used_of(device, execution);
  double rate = TorchCpuParameters{}.fresh_bandwidth * used;
  if (const Figure* measured = device.figure("fresh_bandwidth"))
    rate = measured->value * size_of_unit("fresh_bandwidth", measured->unit) * used / cores_of(device);
  return {double(bytes.value()) / rate};
}

}  // namespace plimsoll
