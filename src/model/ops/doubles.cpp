#include "model/ops/doubles.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/check.h"
#include "model/ir/for_type.h"

namespace plimsoll {

bool all_numbers(std::span<const TensorView> in, std::span<const TensorView> out) {
  for (const auto& views : {in, out})
    for (const auto& view : views)
      if (view.present() && !for_type(view.dtype(), [](auto) {})) return false;
  return true;
}

std::vector<double> read_doubles(const TensorView& view) {
  std::vector<double> numbers;
  for_type(view.dtype(), [&](auto zero) {
    const auto* from = view.as<decltype(zero)>();
    numbers.assign(from, from + view.size());
  });
  return numbers;
}

std::vector<double> read_doubles(std::span<const TensorView> in, size_t i) {
  return i < in.size() && in[i].present() ? read_doubles(in[i]) : std::vector<double>{};
}

double read_double(std::span<const TensorView> in, size_t i, double fallback) {
  const auto numbers = read_doubles(in, i);
  return numbers.empty() ? fallback : numbers[0];
}

template <class T>
T clamped(double number) {
  if constexpr (std::is_same_v<T, bool>) return number != 0;
  else if constexpr (std::is_floating_point_v<T>) return T(number);
  else {
    if (std::isnan(number)) return 0;
    // The upper end rounds up to a power of two in double, which no longer fits: hence >=.
    if (number >= double(std::numeric_limits<T>::max())) return std::numeric_limits<T>::max();
    if (number <= double(std::numeric_limits<T>::min())) return std::numeric_limits<T>::min();
    return T(number);
  }
}

template bool clamped<bool>(double);
template float clamped<float>(double);
template double clamped<double>(double);
template int64_t clamped<int64_t>(double);
template int32_t clamped<int32_t>(double);
template int16_t clamped<int16_t>(double);
template int8_t clamped<int8_t>(double);
template uint64_t clamped<uint64_t>(double);
template uint32_t clamped<uint32_t>(double);
template uint16_t clamped<uint16_t>(double);
template uint8_t clamped<uint8_t>(double);

void write_doubles(std::span<const TensorView> out, size_t i, const std::vector<double>& numbers) {
  if (i >= out.size() || !out[i].present()) return;
  PLIM_CHECK(int64_t(numbers.size()) == out[i].size(), "numbers do not fill the output");
  for_type(out[i].dtype(), [&](auto zero) {
    using T = decltype(zero);
    std::transform(numbers.begin(), numbers.end(), out[i].as<T>(), clamped<T>);
  });
}

}  // namespace plimsoll
