// Counts with their unit as a type: Macs are not Flops, and neither is a number of Bytes.
//
// Arithmetic saturates: once a sum or product leaves the range of int64 it stays at the
// maximum, and overflowed() says so. So no cost rule can wrap, and one question at the end
// of a computation finds out.
#pragma once

#include <compare>
#include <cstdint>
#include <limits>
#include <string>

namespace plimsoll {

template <class Unit>
class Quantity {
 public:
  static constexpr int64_t kOverflow = std::numeric_limits<int64_t>::max();

  constexpr Quantity() = default;
  constexpr explicit Quantity(int64_t value) : value_(value) {}

  constexpr int64_t value() const { return value_; }
  constexpr bool overflowed() const { return value_ == kOverflow; }
  constexpr auto operator<=>(const Quantity&) const = default;

  constexpr Quantity& operator+=(Quantity other) {
    if (overflowed() || other.overflowed() || __builtin_add_overflow(value_, other.value_, &value_)) value_ = kOverflow;
    return *this;
  }
  friend constexpr Quantity operator+(Quantity a, Quantity b) { return a += b; }
  friend constexpr Quantity operator-(Quantity a, Quantity b) {
    return Quantity(a.overflowed() ? kOverflow : a.value_ - b.value_);
  }

 private:
  int64_t value_ = 0;
};

using Count = Quantity<struct CountUnit>;  // plain numbers: elements, parameters, repetitions
using Macs = Quantity<struct MacsUnit>;    // multiply-accumulates of convolutions and products
using Flops = Quantity<struct FlopsUnit>;  // arithmetic operations, a multiply-add being two
using Bytes = Quantity<struct BytesUnit>;

template <class Unit>
constexpr Quantity<Unit> operator*(Quantity<Unit> a, Count b) {
  int64_t product = 0;
  if (a.value() == 0 || b.value() == 0) return Quantity<Unit>(0);
  if (a.overflowed() || b.overflowed() || __builtin_mul_overflow(a.value(), b.value(), &product))
    return Quantity<Unit>(Quantity<Unit>::kOverflow);
  return Quantity<Unit>(product);
}
template <class Unit>
constexpr Quantity<Unit> operator*(Quantity<Unit> a, int64_t b) {
  return a * Count(b);
}

// A span of time. Not saturating: a prediction is a real number.
struct Seconds {
  double value = 0;
  auto operator<=>(const Seconds&) const = default;
};

// So many units a second; real numbers, as Seconds are.
template <class Unit>
struct Rate {
  double per_second = 0;
  auto operator<=>(const Rate&) const = default;
};

using Hertz = Rate<struct CyclesUnit>;
using FlopsPerSecond = Rate<struct FlopsUnit>;  // of integer formats too: operations per second
using BytesPerSecond = Rate<struct BytesUnit>;

// A plain count as another unit: as<Macs>(elements * kernel).
template <class Target>
constexpr Target as(Count count) {
  return Target(count.value());
}

std::string with_commas(int64_t value);  // 21,463,713
std::string human_count(int64_t value);  // "11.69 M", "1.814 G"
std::string human_time(Seconds time);    // "1.25 ms", "3 min 20 s", "2 d 4 h"
std::string human_bytes(Bytes bytes);    // "44.59 MiB"

std::string human_rate(FlopsPerSecond rate);  // "8.100 TFLOP/s"
std::string human_rate(BytesPerSecond rate);  // "300.0 GB/s", powers of ten as in data sheets

}  // namespace plimsoll
