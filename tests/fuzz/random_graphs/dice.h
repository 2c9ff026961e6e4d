// Dice: random choices that are the same for a seed on every machine and with every standard library, which the
// distributions of <random> are not. The numbers are SplitMix64's.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <vector>

namespace plimsoll {

class Dice {
 public:
  explicit Dice(uint64_t seed) : state_(seed * 0x9e3779b97f4a7c15ULL + 1) {}

  uint64_t next() {
    uint64_t z = state_ += 0x9e3779b97f4a7c15ULL;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    return z ^ (z >> 31);
  }

  int64_t below(int64_t end) { return int64_t(next() % uint64_t(end)); }
  int64_t from_to(int64_t first, int64_t last) { return first + below(last - first + 1); }
  double share() { return double(next() >> 11) * 0x1p-53; }  // 0 up to 1
  double between(double low, double high) { return low + (high - low) * share(); }
  bool chance(double probability) { return share() < probability; }

  template <class T>
  T pick(std::initializer_list<T> list) {
    return list.begin()[size_t(below(int64_t(list.size())))];
  }
  template <class List>
  const auto& pick(const List& list) {
    return list[size_t(below(int64_t(list.size())))];
  }

 private:
  uint64_t state_;
};

}  // namespace plimsoll
