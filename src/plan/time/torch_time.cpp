#include "plan/time/torch_time.h"

#include <algorithm>

namespace plimsoll {
namespace {

bool is_conv(Work work) { return work == Work::convolution || work == Work::grad_data || work == Work::grad_weights; }

bool is_depthwise(const TimedOperation& operation) {
  return is_conv(operation.work) && operation.product.groups > 1 && operation.product.channels == 1;
}

}  // namespace

TorchTime::TorchTime(const Device& device, const Execution& execution, const TimeParameters& older,
                     const TorchParameters& parameters)
    : execution_(execution), older_(older), p_(parameters), reachable_(device) {
  constexpr double kUnitRate = 0.3e12;  // of a multiprocessor, where their number is not published
  const auto f32 = device.peak.find(DType::f32);
  const double peak = f32 == device.peak.end() ? kUnitRate : f32->second.per_second;
  f32_ = peak;
  units_ = device.units ? double(device.units->value()) : std::max(1.0, peak / kUnitRate);
  cache_ = device.l2_cache ? double(device.l2_cache->value()) * p_.cache_share : 0;
}

bool TorchTime::covers(const Device& device, const Execution& execution) {
  const std::string& name = device.generation;
  const bool older = name == "kepler" || name == "maxwell" || name == "pascal" || name == "volta" || name == "turing";
  return execution.software == Software::pytorch && execution.dtype != DType::f64 && !older;
}

// With f32 PyTorch uses tf32 for convolutions where a device has it, for products only when asked to.
TorchTime::Unit TorchTime::unit_of(const TimedOperation& operation) const {
  DType dtype = operation.dtype;
  const bool asked = execution_.dtype == DType::tf32;
  if (dtype == DType::f32 && (asked || is_conv(operation.work))) dtype = DType::tf32;
  if (const double rate = reachable_.matrix(dtype); rate > 0) return {rate, true};
  // AMD's matrix units multiply in f32 itself.
  if (const double rate = reachable_.matrix(operation.dtype); rate > 0) return {rate, true};
  return {reachable_.general(DType::f32), false};
}

// What a kernel finds in the cache is what the one before it wrote there.
double TorchTime::seconds_for(double bytes) const {
  const double cached = std::min(bytes, cache_);
  return (bytes - cached * (1 - 1 / p_.cache_gain)) / reachable_.bandwidth();
}

// Winograd and FFT save multiplications in f32, as in gpu_time.h.
double TorchTime::transform_gain(const TimedOperation& operation) const {
  const ProductShape& product = operation.product;
  if (!product.transforms) return 1;
  double gain = older_.winograd_conv;
  if (operation.work == Work::grad_data) gain = older_.winograd_grad_data;
  if (operation.work == Work::grad_weights) gain = older_.winograd_grad_weights;
  if (product.taps > 9) gain = older_.fft_gain;
  const double kernels = operation.work == Work::grad_data ? product.depth / product.taps : product.rows;
  const double channels = std::min(product.channels, kernels);
  return 1 + (gain - 1) * channels / (channels + older_.winograd_channels);
}

double TorchTime::arithmetic(const TimedOperation& operation, const Unit& unit) const {
  if (is_depthwise(operation)) return operation.flops / f32_;
  const ProductShape& product = operation.product;
  GemmShape shape{product.columns / product.batches, product.rows, product.depth, product.groups * product.batches};
  // A gradient of the data with a stride sums over fewer taps than the window has.
  const double macs = shape.rows * shape.columns * shape.depth * shape.count;
  if (operation.work == Work::grad_data && macs > 0) shape.depth *= std::min(1.0, operation.flops / 2 / macs);
  const double seconds = gemm_time(shape, {units_, unit.rate, reachable_.bandwidth()}, p_);
  return unit.matrix ? seconds : seconds / transform_gain(operation);
}

TorchTime::Kernel TorchTime::convolution(const TimedOperation& operation, bool trains) const {
  Kernel kernel;
  if (operation.product.groups > 1) {
    if (trains) kernel.arithmetic = nhwc() ? p_.conv_grouped_train_nhwc : p_.conv_grouped_train;
    else kernel.arithmetic = nhwc() ? p_.conv_grouped_nhwc : p_.conv_grouped;
    kernel.bytes = p_.conv_grouped_bytes;
    return kernel;
  }
  if (operation.product.taps > 1) {
    kernel = {nhwc() ? p_.conv_window_nhwc : p_.conv_window, p_.conv_window_bytes,
              trains ? p_.layout_window_train : p_.layout_window};
  } else {
    kernel = {nhwc() ? p_.conv_point_nhwc : p_.conv_point, p_.conv_point_bytes,
              trains ? p_.layout_point_train : p_.layout_point};
  }
  if (nhwc()) kernel.layout = 0;
  return kernel;
}

TorchTime::Kernel TorchTime::depthwise(const TimedOperation& operation) const {
  const double flops = nhwc() ? p_.depthwise_flops_nhwc : p_.depthwise_flops;
  if (operation.work == Work::grad_data)
    return {flops, nhwc() ? p_.depthwise_grad_data_nhwc : p_.depthwise_grad_data, 0};
  if (operation.work == Work::grad_weights)
    return {flops, nhwc() ? p_.depthwise_grad_weights_nhwc : p_.depthwise_grad_weights, 0};
  return {flops, nhwc() ? p_.depthwise_nhwc : p_.depthwise, 0};
}

TorchTime::Kernel TorchTime::product(const TimedOperation& operation) const {
  if (operation.attends) return {p_.attention, p_.product_bytes, 0};
  Kernel kernel{operation.product.batches > 1 ? p_.batched_product : p_.product, p_.product_bytes, 0};
  if (operation.phase != Phase::backward) return kernel;
  // A sum over more than there are rows is one over the samples: the gradient of weights.
  const bool weights = operation.product.depth > operation.product.columns;
  kernel.arithmetic *= weights ? p_.grad_weights : p_.grad_data;
  return kernel;
}

double TorchTime::norm(const TimedOperation& operation, bool backward) const {
  if (operation.norm == Norm::row) return backward ? p_.row_norm_grad : p_.row_norm;
  if (backward) return nhwc() ? p_.batch_norm_grad_nhwc : p_.batch_norm_grad;
  return nhwc() ? p_.batch_norm_train_nhwc : p_.batch_norm_train;
}

double TorchTime::pass_over(const TimedOperation& operation) const {
  const bool backward = operation.phase == Phase::backward;
  switch (operation.work) {
    case Work::normalise: return norm(operation, backward);
    case Work::pool: return backward ? p_.pool_grad : p_.pool;
    case Work::reduce: return p_.reduce;
    default: return operation.rearranges ? p_.rearrange : p_.element;
  }
}

// What is left of a pass over memory where torch.compile makes one kernel of a chain.
double TorchTime::fused_share(const TimedOperation& operation) const {
  if (!execution_.compiled) return 1;
  switch (operation.work) {
    case Work::normalise: return operation.norm == Norm::row ? p_.compiled_row_norm : p_.compiled_norm;
    case Work::pool: return p_.compiled_norm;
    case Work::element: return operation.rearranges ? p_.compiled_rearrange : p_.compiled_element;
    default: return 1;
  }
}

OperationTime TorchTime::operator()(const TimedOperation& operation, bool trains) const {
  if (operation.work == Work::nothing || operation.part) return {};
  Kernel kernel;
  if (is_depthwise(operation)) kernel = depthwise(operation);
  else if (is_conv(operation.work)) kernel = convolution(operation, trains);
  else if (operation.work == Work::product) kernel = product(operation);
  else kernel.bytes = pass_over(operation);
  if (operation.work == Work::normalise && operation.norm == Norm::batch && !trains) kernel.bytes = p_.batch_norm;
  kernel.bytes *= fused_share(operation);
  const Unit unit = unit_of(operation);
  if (is_depthwise(operation)) kernel.layout = 0;
  else if (operation.work == Work::grad_data) kernel.arithmetic *= p_.grad_data;
  else if (operation.work == Work::grad_weights) kernel.arithmetic *= p_.grad_weights;
  const double passes = seconds_for(operation.bytes);
  const double flops =
      kernel.arithmetic > 0 && operation.flops > 0 ? arithmetic(operation, unit) * kernel.arithmetic : 0;
  const double bytes = passes * kernel.bytes;
  const double longest = std::max(flops, bytes) + (unit.matrix ? passes * kernel.layout : 0);
  OperationTime time{{(longest + p_.kernel_seconds) * operation.repeat}, Bound::launch};
  if (longest > p_.kernel_seconds) time.bound = flops > bytes ? Bound::arithmetic : Bound::bandwidth;
  return time;
}

}  // namespace plimsoll
