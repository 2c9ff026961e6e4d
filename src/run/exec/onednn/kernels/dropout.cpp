// Dropout: which numbers go is decided by counting, as in the reference maths, so it is the same on every backend.
#include "model/ops/counter_random.h"
#include "run/exec/loops/parallel.h"
#include "run/exec/onednn/kernels/kernel_makers.h"

namespace plimsoll {
namespace {

// uniform() ≥ ratio, on the integers that it is made from: 53 bits of the last scattering.
PLIM_CLONES void drop(const float* x, uint64_t key, int64_t first, int64_t count, uint64_t threshold, float scale,
                      float* y, uint8_t* mask) {
#pragma omp simd
  for (int64_t i = 0; i < count; ++i) {
    const bool stays = (scatter_bits(key ^ uint64_t(first + i)) >> 11) >= threshold;
    mask[i] = uint8_t(stays);
    y[i] = stays ? x[i] * scale : 0.0F;
  }
}

PLIM_CLONES void drop_back(const float* dy, const uint8_t* mask, float scale, float* dx, int64_t from, int64_t to) {
#pragma omp simd
  for (int64_t i = from; i < to; ++i) dx[i] = mask[i] ? dy[i] * scale : 0.0F;
}

// The share that is dropped: an attribute, or input 1 where its contents are known.
std::optional<double> ratio_of(const Site& site) {
  double ratio = site.attributes().number("ratio", 0.5);
  if (site.has_input(1)) {
    const auto& constant = site.program.value(site.operation.inputs[1]).constant;
    if (!constant || constant->size() != 1) return std::nullopt;
    ratio = constant->doubles()[0];
  }
  return ratio >= 0 && ratio < 1 ? ratio : 0;
}

// The smallest of the 53-bit integers whose uniform number is at least the ratio.
uint64_t threshold_of(double ratio) {
  auto threshold = uint64_t(ratio * 0x1.0p53);
  while (double(threshold) * 0x1.0p-53 < ratio) ++threshold;
  return threshold;
}

}  // namespace

std::unique_ptr<Kernel> dropout_kernel(Site& site) {
  if (site.input(0).dtype != DType::f32 || !site.has_output(1)) return site.decline("not f32");
  const auto ratio = ratio_of(site);
  if (!ratio) return site.decline("its ratio is only known at run time");
  site.all_row_major();
  const bool counted = site.has_input(3);
  const Shape& shape = site.input(0).shape;
  const int64_t numbers = shape.elements().value(), samples = shape.rank() > 0 ? std::max<int64_t>(shape[0], 1) : 1,
                sample = std::max<int64_t>(numbers / samples, 1);
  const auto node = uint64_t(site.attributes().integer("node", 0));
  const uint64_t threshold = threshold_of(*ratio);
  const auto scale = float(1 / (1 - *ratio));
  return loop_kernel([=](const Places& p) {
    const int64_t none[3] = {0, 0, 0};
    const int64_t* counters = counted ? p.in<int64_t>(3) : none;
    const uint64_t step =
        scatter_bits(scatter_bits(scatter_bits(uint64_t(counters[0])) ^ uint64_t(counters[1])) ^ node);
    parallel_ranges(numbers, [&](int64_t from, int64_t to) {
      for (int64_t at = from; at < to;) {
        const int64_t n = at / sample, end = std::min(to, (n + 1) * sample);
        const uint64_t key = scatter_bits(step ^ (uint64_t(counters[2]) + uint64_t(n)));
        drop(p.in(0) + at, key, at - n * sample, end - at, threshold, scale, p.out(0) + at, p.out<uint8_t>(1) + at);
        at = end;
      }
    });
  });
}

// dy, mask → dx
std::unique_ptr<Kernel> dropout_grad_kernel(Site& site) {
  if (site.input(0).dtype != DType::f32) return site.decline("not f32");
  site.all_row_major();
  const auto scale = float(1 / (1 - site.attributes().number("ratio", 0.5)));
  const int64_t numbers = site.input(0).elements().value();
  return loop_kernel([scale, numbers](const Places& p) {
    parallel_ranges(numbers,
                    [&](int64_t from, int64_t to) { drop_back(p.in(0), p.in<uint8_t>(1), scale, p.out(0), from, to); });
  });
}

}  // namespace plimsoll
