// Stored training references (tools/training_references.py): the formula behind start weights, images and labels, the
// digests of gradients, and reading the files.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "base/shape.h"
#include "model/ops/counter_random.h"

namespace plimsoll {

// Evenly in [0, 1), by a name and a place.
class ReferenceNumbers {
 public:
  explicit ReferenceNumbers(std::string_view name) {
    uint64_t hash = 0xcbf29ce484222325ULL;
    for (const char letter : name) hash = (hash ^ static_cast<unsigned char>(letter)) * 0x100000001b3ULL;
    key_ = scatter_bits(hash);
  }
  double uniform(uint64_t place) const { return double(scatter_bits(place ^ key_) >> 11) * 0x1.0p-53; }
  double spread(uint64_t place) const { return 2 * uniform(place) - 1; }

 private:
  uint64_t key_ = 0;
};

// What a parameter starts with: even numbers scaled by what each output adds up, scales near 1, biases near 0 and those
// of norms near 1.5.
inline std::vector<float> start_numbers(const std::string& name, const Shape& shape, bool is_norm) {
  const ReferenceNumbers numbers(name);
  const auto count = size_t(shape.elements().value());
  std::vector<float> start(count);
  const double bound = shape.rank() > 1 ? std::sqrt(6.0 * double(shape[0]) / double(count)) : 0.2;
  const bool scale = name.ends_with(".weight");
  const double middle = shape.rank() > 1 ? 0 : scale ? 1 : is_norm ? 1.5 : 0;
  for (size_t i = 0; i < count; ++i) start[i] = float(bound * numbers.spread(i) + middle);
  return start;
}

struct Digest {
  double norm = 0, sum = 0;
  double probes[2] = {0, 0};  // dot products with two vectors
};

inline Digest digest_of(const std::vector<float>& numbers) {
  static const ReferenceNumbers kFirst("probe 1"), kSecond("probe 2");
  Digest digest;
  for (size_t i = 0; i < numbers.size(); ++i) {
    const double number = numbers[i];
    digest.norm += number * number;
    digest.sum += number;
    digest.probes[0] += number * kFirst.spread(i);
    digest.probes[1] += number * kSecond.spread(i);
  }
  digest.norm = std::sqrt(digest.norm);
  return digest;
}

inline nlohmann::json read_reference(const std::string& name) {
  std::ifstream file(std::string(PLIM_TEST_DATA) + "/training/" + name + ".json");
  EXPECT_TRUE(file.good()) << name;
  return nlohmann::json::parse(file);
}

}  // namespace plimsoll
