#include "plan/time/torch_time.h"

#include <algorithm>
#include <cmath>

namespace plimsoll {
namespace {

bool is_conv(Work work) { return work == Work::convolution || work == Work::grad_data || work == Work::grad_weights; }

bool is_depthwise(const TimedOperation& operation) {
  return is_conv(operation.work) && operation.product.groups > 1 && operation.product.channels == 1;
}

// Products of their own, not within an attention, that no matrix unit computes.
bool is_general_product(const TimedOperation& operation, bool on_matrix_units) {
  return operation.work == Work::product && !on_matrix_units && !operation.attends;
}

// A softmax whose kernel holds a row at once.
bool is_held(const TimedOperation& operation) {
  constexpr double kLongest = 1024;
  return operation.channels > 0 && operation.channels <= kLongest;
}

// Windows for which cuDNN or PyTorch itself has a depthwise kernel of their size.
bool is_wide_depthwise(const TimedOperation& operation) {
  constexpr double kUsual = 25;
  return operation.product.taps > kUsual;
}

// Output channels of a group, whichever direction is computed.
double kernels_of(const TimedOperation& operation) {
  const ProductShape& product = operation.product;
  return operation.work == Work::grad_data ? product.depth / product.taps : product.rows;
}

// Groups for which cuDNN has kernels of its own: as ResNeXt has them, for training in whole warps of groups.
bool is_usual_group(const TimedOperation& operation, bool trains) {
  const ProductShape& product = operation.product;
  constexpr double kTogether = 32;
  const double width = product.channels;
  const bool power = width == 4 || width == 8 || width == 16 || width == 32 || width == 64;
  return power && kernels_of(operation) == width &&
         std::fmod(trains ? product.groups : product.groups * width, kTogether) == 0;
}

// Rows of a tensor that do not begin at multiples of the 16 bytes that are loaded at once.
bool is_unaligned(const TimedOperation& operation) {
  const double numbers = 16 / double(element_size(operation.dtype));
  const auto odd = [&](double row) { return std::fmod(row, numbers) != 0; };
  const ProductShape& product = operation.product;
  if (is_conv(operation.work)) {
    constexpr double kPixel = 4;  // samples have kernels of their own
    return product.groups == 1 && product.channels > kPixel && (odd(product.channels) || odd(kernels_of(operation)));
  }
  // The gradient of weights sums over the samples, along which nothing lies.
  const bool of_weights = operation.phase == Phase::backward && product.depth > product.columns;
  return odd(product.rows) || odd(of_weights ? product.columns : product.depth);
}

bool interpolates(const TimedOperation& operation) { return operation.work == Work::element && operation.channels > 0; }

bool is_narrow(const TimedOperation& operation) { return element_size(operation.dtype) < sizeof(float); }

}  // namespace

TorchTime::TorchTime(const Device& device, const Execution& execution, const TimeParameters& older,
                     const TorchParameters& parameters)
    : execution_(execution), older_(older), p_(parameters), reachable_(device) {
  constexpr double kUnitRate = 0.3e12;  // of a multiprocessor, where their number is not published
  const auto f32 = device.peak.find(DType::f32);
  const double peak = f32 == device.peak.end() ? kUnitRate : f32->second.per_second;
  units_ = device.units ? double(device.units->value()) : std::max(1.0, peak / kUnitRate);
  const bool before_ampere = device.generation == "volta" || device.generation == "turing";
  older_matrix_ = before_ampere && !has_half_rate(device);
  if (before_ampere) general_kernels_ = GemmKernels::general_older;
  constexpr double kOfUnitAClock = 256;  // operations in f32, where no clock is published
  const auto clock = device.boost_clock ? device.boost_clock : device.base_clock;
  clock_ = clock ? clock->per_second : peak / (units_ * kOfUnitAClock);
  // Each of four schedulers issues for 32 lanes a clock; AMD's compute units have 64.
  nvidia_ = device.vendor == "nvidia";
  issued_ = nvidia_ ? units_ * clock_ * 2 * 128 : device.vendor == "amd" ? units_ * clock_ * 2 * 64 : peak;
  apple_ = device.vendor == "apple";
  rdna_ = device.generation.starts_with("rdna");
  packs_ = rdna_ && device.generation != "rdna1";
  cache_ = device.l2_cache ? double(device.l2_cache->value()) * p_.cache_share : 0;
}

bool TorchTime::covers(const Device& device, const Execution& execution) {
  const std::string& name = device.generation;
  const bool older = name == "kepler" || name == "maxwell" || name == "pascal";
  const bool from_2017 = name == "volta" || name == "turing";
  constexpr TorchVersion kCudnn8{1, 7};
  return execution.framework == Framework::pytorch && execution.dtype != DType::f64 && !older &&
         (!from_2017 || execution.torch >= kCudnn8);
}

// With f32 PyTorch uses tf32 for convolutions where a device has it, for products only when asked to.
TorchTime::Unit TorchTime::unit_of(const TimedOperation& operation) const {
  DType dtype = operation.dtype;
  const bool asked = execution_.dtype == DType::tf32;
  if (dtype == DType::f32 && (asked || is_conv(operation.work))) dtype = DType::tf32;
  if (const double rate = reachable_.sustained(dtype); rate > 0) return {rate, true};
  // AMD's matrix units multiply in f32 itself.
  const DType itself = operation.dtype == DType::tf32 ? DType::f32 : operation.dtype;
  if (const double rate = reachable_.sustained(itself); rate > 0) return {rate, true};
  // MIOpen has kernels with two numbers of 16 bits a lane since RDNA 2; they gain half of what the data sheet says.
  constexpr double kPacked = 0.75;
  const double f32 = reachable_.general(DType::f32);
  if (packs_ && is_narrow(operation)) return {std::max(f32, reachable_.general(DType::f16) * kPacked), false};
  return {f32, false};
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
  const double channels = std::min(product.channels, kernels_of(operation));
  return 1 + (gain - 1) * channels / (channels + older_.winograd_channels);
}

double TorchTime::arithmetic(const TimedOperation& operation, const Unit& unit, bool trains) const {
  // Without matrix units: depthwise ones, and other groups than cuDNN knows, whose gradients it has for NCHW alone.
  const bool in_groups = operation.product.groups > 1 && is_conv(operation.work);
  const bool unknown = nvidia_ && in_groups && !is_usual_group(operation, trains);
  if (is_depthwise(operation) || (unknown && trains && nhwc())) return operation.flops / issued_;
  const ProductShape& product = operation.product;
  GemmShape shape{product.columns / product.batches, product.rows, product.depth, product.groups * product.batches};
  // A gradient of the data with a stride sums over fewer taps than the window has.
  const double macs = shape.rows * shape.columns * shape.depth * shape.count;
  if (operation.work == Work::grad_data && macs > 0) shape.depth *= std::min(1.0, operation.flops / 2 / macs);
  const GemmKernels kernels = is_general_product(operation, unit.matrix) ? general_kernels_ : GemmKernels::matrix;
  // Before Ampere copies to shared memory pass through registers, number by number where rows lie unevenly: more
  // instructions, so more power, for the same product. A T4, which has least of it, loses a sixth.
  const bool uneven = kernels == GemmKernels::general_older && product.batches <= 1 && is_unaligned(operation);
  const double rate = uneven ? unit.rate * reachable_.general_at(p_.general_unaligned) : unit.rate;
  const double seconds = gemm_time(shape, {units_, rate, reachable_.bandwidth(), kernels}, p_);
  if (!unit.matrix) return seconds / transform_gain(operation);
  return is_conv(operation.work) ? seconds * feeding(operation, unit) : seconds;
}

// Convolutions gather their operands window by window: the quicker a multiprocessor's matrix units are, the more of
// their time goes to waiting for them. Against desktop cards, from whose networks the costs are.
double TorchTime::feeding(const TimedOperation& operation, const Unit& unit) const {
  constexpr double kDesktop = 512;
  const double of_16_bits = double(element_size(operation.dtype)) / 2;
  const double operations = unit.rate / units_ / clock_ * of_16_bits;
  return std::max(1.0, (1 + operations / p_.tile_conv_feed) / (1 + kDesktop / p_.tile_conv_feed));
}

// Sums over a batch run on one multiprocessor for each channel of NCHW, and each multiprocessor passes over so many
// bytes a clock, however fast the memory is.
KernelTerm TorchTime::by_channels(const TimedOperation& operation) const {
  constexpr double kBytesAClock = 4;
  constexpr double kWide = 0.75;  // a byte of 32 bits against one of 16: there are half as many numbers
  if (execution_.compiled) return {};
  // Channels that lie side by side are shared out, and read twice as fast: at half of that an A2 would train ResNet-50
  // more slowly than it does (gpu_insights).
  const bool split = nhwc() || operation.channels <= 0;
  const double busy = split ? 2 * units_ : std::min(units_, operation.channels);
  const double wide = is_narrow(operation) ? 1 : kWide;
  const double seconds = wide * operation.bytes / (busy * clock_ * kBytesAClock);
  return {seconds, {operation.phase == Phase::backward ? &P::batch_norm_grad_units : &P::batch_norm_units}};
}

TorchFactor TorchTime::grouped(const TimedOperation& operation, bool trains) const {
  if (nvidia_ && !is_usual_group(operation, trains)) {
    if (!nhwc()) return &P::conv_grouped_other;
    return trains ? &P::conv_grouped_other_train_nhwc : &P::conv_grouped_other_nhwc;
  }
  if (trains) return nhwc() ? &P::conv_grouped_train_nhwc : &P::conv_grouped_train;
  return nhwc() ? &P::conv_grouped_nhwc : &P::conv_grouped;
}

TorchTime::Factors TorchTime::convolution(const TimedOperation& operation, bool trains) const {
  if (operation.product.groups > 1) return {grouped(operation, trains), &P::conv_grouped_bytes};
  if (operation.product.taps > 1) {
    if (nhwc()) return {&P::conv_window_nhwc, &P::conv_window_bytes};
    return {&P::conv_window, &P::conv_window_bytes, trains ? &P::layout_window_train : &P::layout_window};
  }
  if (nhwc()) return {&P::conv_point_nhwc, &P::conv_point_bytes};
  return {&P::conv_point, &P::conv_point_bytes, trains ? &P::layout_point_train : &P::layout_point};
}

TorchTime::Factors TorchTime::depthwise(const TimedOperation& operation) const {
  constexpr double kWidest = 49;
  TorchFactor flops = nhwc() ? &P::depthwise_flops_nhwc : &P::depthwise_flops;
  if (is_wide_depthwise(operation)) flops = nhwc() ? &P::depthwise_wide_nhwc : &P::depthwise_wide;
  if (nhwc() && operation.product.taps > kWidest) flops = &P::depthwise_widest_nhwc;
  if (operation.work == Work::grad_data)
    return {flops, nhwc() ? &P::depthwise_grad_data_nhwc : &P::depthwise_grad_data};
  if (operation.work == Work::grad_weights)
    return {flops, nhwc() ? &P::depthwise_grad_weights_nhwc : &P::depthwise_grad_weights};
  return {flops, nhwc() ? &P::depthwise_nhwc : &P::depthwise};
}

TorchTime::Factors TorchTime::product(const TimedOperation& operation) const {
  if (operation.attends) return {&P::attention, &P::product_bytes};
  return {operation.product.batches > 1 ? &P::batched_product : &P::product, &P::product_bytes};
}

TorchFactor TorchTime::direction(const TimedOperation& operation) const {
  if (operation.work == Work::grad_data) return &P::grad_data;
  if (operation.work == Work::grad_weights) return &P::grad_weights;
  if (operation.work != Work::product || operation.phase != Phase::backward || operation.attends) return nullptr;
  // A sum over more than there are rows is one over the samples: the gradient of weights.
  return operation.product.depth > operation.product.columns ? &P::grad_weights : &P::grad_data;
}

// Kernels that load number by number what they else load 16 bytes at once. In NCHW convolutions copy to full channels.
TorchFactor TorchTime::loading(const TimedOperation& operation) const {
  if (!nvidia_ || operation.attends || !is_unaligned(operation)) return nullptr;
  if (operation.work == Work::product) return &P::unaligned;
  return nhwc() ? &P::unaligned_nhwc : nullptr;
}

TorchFactor TorchTime::norm(const TimedOperation& operation, bool trains) const {
  const bool backward = operation.phase == Phase::backward;
  if (operation.norm == Norm::row && backward) return &P::row_norm_grad;
  if (operation.norm == Norm::row && in_32_bits()) return is_held(operation) ? &P::softmax_full : &P::row_norm_full;
  if (operation.norm == Norm::row) return &P::row_norm;
  if (!trains) return &P::batch_norm;
  if (backward) return nhwc() ? &P::batch_norm_grad_nhwc : &P::batch_norm_grad;
  return nhwc() ? &P::batch_norm_train_nhwc : &P::batch_norm_train;
}

TorchFactor TorchTime::pass_over(const TimedOperation& operation, bool trains) const {
  switch (operation.work) {
    case Work::normalise: return norm(operation, trains);
    case Work::pool: return operation.phase == Phase::backward ? &P::pool_grad : &P::pool;
    case Work::reduce: return &P::reduce;
    default:
      if (operation.rearranges) return &P::rearrange;
      return in_32_bits() ? &P::element_full : &P::element;
  }
}

// What is left of a pass over memory where torch.compile makes one kernel of a chain.
TorchFactor TorchTime::fused_share(const TimedOperation& operation, bool trains) const {
  if (!execution_.compiled) return nullptr;
  switch (operation.work) {
    case Work::normalise:
      if (operation.norm == Norm::row) return &P::compiled_row_norm;
      return trains ? &P::compiled_norm_train : &P::compiled_norm;
    case Work::pool: return &P::compiled_norm;
    case Work::element: return operation.rearranges ? &P::compiled_rearrange : &P::compiled_element;
    default: return nullptr;
  }
}

KernelCost TorchTime::cost(const TimedOperation& operation, bool trains) const {
  if (operation.work == Work::nothing || operation.part) return {};
  Factors factors;
  if (is_depthwise(operation)) factors = depthwise(operation);
  else if (is_conv(operation.work)) factors = convolution(operation, trains);
  else if (operation.work == Work::product) factors = product(operation);
  else factors.bytes = pass_over(operation, trains);
  const Unit unit = unit_of(operation);
  const bool general = is_general_product(operation, unit.matrix);
  if (general) factors = {nullptr, &P::general_bytes};
  else if (operation.work == Work::product && !unit.matrix) factors.arithmetic = &P::product;
  // On Apple's GPUs 16 bits save memory and no time: autocast trains as f32 does, or a little slower (gpu_insights).
  const double wasted = apple_ && is_narrow(operation) ? 2 : 1;
  const double passes = seconds_for(operation.bytes) * wasted;
  KernelCost cost{.bytes = {passes, {factors.bytes, fused_share(operation, trains)}}, .repeat = operation.repeat};
  if ((general || factors.arithmetic != nullptr) && operation.flops > 0)
    cost.arithmetic = {arithmetic(operation, unit, trains), {factors.arithmetic}};
  // On the general units gradients run as the way there does.
  if (is_depthwise(operation)) {
    if (is_wide_depthwise(operation) && operation.work != Work::convolution)
      cost.arithmetic.factors[1] = &P::depthwise_wide_grad;
  } else if (unit.matrix && factors.arithmetic != nullptr) {
    cost.arithmetic.factors[1] = direction(operation);
    if (older_matrix_) cost.arithmetic.factors[2] = &P::matrix_older;
    cost.arithmetic.factors[3] = loading(operation);
  }
  if (rdna_ && factors.arithmetic != nullptr && is_conv(operation.work) && operation.work != Work::convolution)
    cost.arithmetic.factors[2] = &P::rdna_grad;
  if (operation.norm == Norm::batch && trains) {
    cost.arithmetic = by_channels(operation);
    if (!is_narrow(operation)) cost.bytes.factors[2] = &P::batch_norm_wide;
  }
  if (interpolates(operation) && !nhwc() && !execution_.compiled)
    cost.arithmetic = {operation.channels, {&P::plane_seconds}};
  if (factors.copies != nullptr && unit.matrix && is_narrow(operation)) cost.copies = {passes, {factors.copies}};
  return cost;
}

OperationTime TorchTime::operator()(const TimedOperation& operation, bool trains) const {
  const KernelCost kernel = cost(operation, trains);
  OperationTime time{{kernel.seconds(p_)}, Bound::launch};
  if (kernel.longest(p_) <= p_.kernel_seconds) return time;
  // A norm that multiprocessors hold up is still a pass over memory, and so is an image that few threads enlarge.
  const bool passes = operation.work == Work::normalise || interpolates(operation);
  const bool computes = !passes && kernel.arithmetic.value(p_) > kernel.bytes.value(p_);
  time.bound = computes ? Bound::arithmetic : Bound::bandwidth;
  return time;
}

}  // namespace plimsoll
