// Dropout: which numbers go is decided by counting (counter_random.h), as on every backend. The mask is made on the
// host and copied to the device.
#include "model/ops/counter_random.h"
#include "run/exec/loops/parallel.h"
#include "run/exec/torch/kernels/torch_kernel_makers.h"

namespace plimsoll {
namespace {

std::optional<double> ratio_of(const TorchSite& site) {
  double ratio = site.attributes().number("ratio", 0.5);
  if (site.has_input(1)) {
    const Tensor* constant = site.call.constant(1);
    if (!constant || constant->size() != 1) return std::nullopt;
    ratio = constant->doubles()[0];
  }
  return ratio >= 0 && ratio < 1 ? ratio : 0;
}

// Seed, step and first sample, from the device; zeros where they are not counted.
std::array<int64_t, 3> counters_of(const TorchTensor& counters) {
  std::array<int64_t, 3> numbers{};
  if (counters.present())
    copy_into(TorchTensor::on_host({DType::i64, {3}}, reinterpret_cast<std::byte*>(numbers.data())), counters);
  return numbers;
}

void fill_mask(std::vector<uint8_t>& mask, const RandomKey& key, double ratio, int64_t sample) {
  parallel_ranges(int64_t(mask.size()), [&](int64_t from, int64_t to) {
    for (int64_t i = from; i < to; ++i)
      mask[size_t(i)] = key.uniform(uint64_t(i / sample), uint64_t(i % sample)) >= ratio;
  });
}

}  // namespace

TorchKernel torch_dropout(TorchSite& site) {
  if (!site.of_floats() || !site.has_output(1)) return site.decline("not f32 or f64");
  const auto ratio = ratio_of(site);
  if (!ratio) return site.decline("its ratio is only known at run time");
  if (site.has_input(3) && site.input(3) != TensorType{DType::i64, {3}}) return site.decline("other counters");
  const Shape& shape = site.shape(0);
  const int64_t numbers = shape.elements().value(), samples = shape.rank() > 0 ? std::max<int64_t>(shape[0], 1) : 1,
                sample = std::max<int64_t>(numbers / samples, 1);
  const auto node = uint64_t(site.attributes().integer("node", 0));
  const TensorType mask_type{DType::boolean, shape};
  const auto mask = std::make_shared<std::vector<uint8_t>>(size_t(numbers));
  return [=, ratio = *ratio](const TorchOperands& p) {
    const auto counters = counters_of(p.in(3));
    const RandomKey key{uint64_t(counters[0]), uint64_t(counters[1]), node, uint64_t(counters[2])};
    fill_mask(*mask, key, ratio, sample);
    copy_into(p.out(1), TorchTensor::on_host(mask_type, reinterpret_cast<std::byte*>(mask->data())));
    call("aten::mul", "out", multiply(p.in(0), 1 / (1 - ratio)), p.out(1), p.out(0));
  };
}

// dy, mask → dx
TorchKernel torch_dropout_grad(TorchSite& site) {
  if (!site.of_floats() || site.input(1).dtype != DType::boolean) return site.decline("not f32 or f64");
  const double scale = 1 / (1 - site.attributes().number("ratio", 0.5));
  return [scale](const TorchOperands& p) { call("aten::mul", "out", multiply(p.in(0), scale), p.in(1), p.out(0)); };
}

}  // namespace plimsoll
