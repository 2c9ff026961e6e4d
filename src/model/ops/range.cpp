// range: start, start + step, … up to the limit (exclusive). Counts as no arithmetic: it makes
// settings, not activations.
#include <fmt/format.h>

#include <cmath>

#include "model/ir/backward.h"
#include "model/ir/for_type.h"
#include "model/ops/example.h"
#include "model/ops/wrapping.h"

namespace plimsoll {
namespace {

constexpr double kMost = 4503599627370496.0;  // 2^52: a double counts exactly up to here

Result<int64_t> count_floats(double start, double limit, double step) {
  const double count = std::ceil((limit - start) / step);
  if (!std::isfinite(count) || count > kMost)
    return user_error(fmt::format("from {} to {} by {} is not a finite range", start, limit, step));
  return count > 0 ? int64_t(count) : 0;
}

// Unsigned differences cannot overflow.
int64_t count_integers(int64_t start, int64_t limit, int64_t step) {
  if (step > 0 ? start >= limit : start <= limit) return 0;
  const uint64_t low = uint64_t(step > 0 ? start : limit), high = uint64_t(step > 0 ? limit : start);
  const uint64_t stride = step > 0 ? uint64_t(step) : uint64_t(0) - uint64_t(step);
  return int64_t(std::min<uint64_t>((high - low - 1) / stride + 1, uint64_t(Count::kOverflow)));
}

Result<std::vector<TensorType>> infer_range(const OpCall& call) {
  for (size_t i = 0; i < 3; ++i) {
    if (call.type(i).elements() != Count(1) || call.dtype(i) != call.dtype(0))
      return user_error(fmt::format("input {} is {} {}, expected one {}", i, name_of(call.dtype(i)),
                                    call.shape(i).text(), name_of(call.dtype(0))));
    if (!call.constant(i)) return undetermined("the range's bounds are not known before the run");
  }
  const auto numbers = [&](auto get) { return std::array{get(0), get(1), get(2)}; };
  const auto floats = numbers([&](size_t i) { return call.constant(i)->doubles(); });
  if (floats[0].empty()) return undetermined("a range of this number type is not computed");
  if (floats[2][0] == 0) return user_error("the step is 0");
  int64_t count = 0;
  if (is_floating(call.dtype(0))) {
    PLIM_ASSIGN(count, count_floats(floats[0][0], floats[1][0], floats[2][0]));
  } else {
    const auto integers = numbers([&](size_t i) { return call.constant(i)->integers()[0]; });
    count = count_integers(integers[0], integers[1], integers[2]);
  }
  return std::vector{TensorType{call.dtype(0), Shape{count}}};
}

bool reference_range(const OpCall&, std::span<const TensorView> in, std::span<const TensorView> out) {
  return for_number(in[0].dtype(), [&](auto zero) {
    using T = decltype(zero);
    const T start = *in[0].as<T>(), step = *in[2].as<T>();
    for (int64_t i = 0; i < out[0].size(); ++i) out[0].as<T>()[i] = wrapping_add(start, wrapping_multiply(T(i), step));
  });
}

Bytes moved_range(const OpCall& call) { return call.outputs[0].bytes(); }

std::vector<OpExample> examples_range() {
  const auto number = [](int64_t n) { return example::known(integer_scalar(n)); };
  const auto real = [](float x) { return example::known(float_tensor({}, {x})); };
  return {{"upwards", {}, {number(1), number(8), number(3)}},
          {"downwards", {}, {number(5), number(0), number(-2)}},
          {"floats", {}, {real(0), real(1), real(0.25F)}},
          {"empty", {}, {number(3), number(3), number(1)}}};
}

}  // namespace

const Op& range_op() {
  static const Op op{.name = "range",
                     .onnx = {"Range"},
                     .roles = "c",
                     .required_inputs = 3,
                     .infer = infer_range,
                     .reference = reference_range,
                     .gradient = no_gradient,
                     .examples = examples_range,
                     .moved = moved_range};
  return op;
}

}  // namespace plimsoll
