#include "run/exec/torch/kernels/narrow.h"

#include <limits>

#include "run/exec/torch/kernels/torch_kernel_makers.h"

namespace plimsoll {
namespace {

TorchTensor converted(const TorchTensor& x, DType type) {
  return call("aten::to", "dtype", x, detail::Type{type}, false, false, none);
}

}  // namespace

std::optional<NarrowFormat> NarrowFormat::of(const TorchSite& site) {
  using Numbers = ComputeFormat::Numbers;
  const Numbers numbers = site.format.numbers;
  const bool narrow = numbers == Numbers::bf16 || numbers == Numbers::f16;
  if (site.input(0).dtype != DType::f32 || site.output(0).elements() == Count(0) || !narrow) return std::nullopt;
  NarrowFormat format;
  format.type_ = numbers == Numbers::bf16 ? DType::bf16 : DType::f16;
  format.scaled_ = format.type_ == DType::f16 && site.operation.phase == Phase::backward;
  return format;
}

std::optional<NarrowFormat> NarrowFormat::of_images(const TorchSite& site) {
  auto format = of(site);
  if (!site.format.channels_last || site.input(0).dtype != DType::f32) return format;
  if (!format) format.emplace();
  format->channels_last_ = true;
  return format;
}

NarrowFormat::Operand NarrowFormat::operand(const TorchTensor& x) const {
  if (!x.present()) return {};
  if (!scaled_) return {converted(x, type_), {}};
  constexpr double kLeast = std::numeric_limits<float>::min();
  const TorchTensor largest = call("aten::max", "", call("aten::abs", "", x));
  TorchTensor scale = call("aten::maximum", "", largest, torch_number(DType::f32, kLeast));
  return {converted(divide(x, scale), type_), std::move(scale)};
}

TorchTensor NarrowFormat::widened(const TorchTensor& result, const Operand& a, const Operand& b) {
  TorchTensor wide = converted(result, DType::f32);
  for (const Operand* operand : {&a, &b})
    if (operand->scale.present()) wide = multiply(wide, operand->scale);
  return wide;
}

TorchTensor NarrowFormat::ordered(TorchTensor x, const Shape& shape) const {
  if (!channels_last_ || shape.rank() != 4 || !x.present()) return x;
  TorchTensor last = unwritten(shape);
  copy_into(last, x);
  return last;
}

TorchTensor NarrowFormat::unwritten(const Shape& shape) const {
  if (!channels_last_ || shape.rank() != 4) return TorchTensor::allocated({type_, shape});
  const int64_t channels = shape[1], width = shape[3], plane = shape[2] * width;
  return TorchTensor::allocated_strided(type_, shape.dims(), {channels * plane, 1, width * channels, channels});
}

}  // namespace plimsoll
