#include "run/train/initial_weights.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "model/ops/counter_random.h"

namespace plimsoll {
namespace {

uint64_t hash_of(std::string_view name) {  // FNV-1a
  uint64_t hash = 0xcbf29ce484222325ULL;
  for (const char letter : name) hash = (hash ^ static_cast<unsigned char>(letter)) * 0x100000001b3ULL;
  return hash;
}

// The numbers of one tensor by their places.
struct Numbers {
  uint64_t key;

  Numbers(uint64_t seed, std::string_view name) : key(scatter_bits(scatter_bits(seed) ^ hash_of(name))) {}

  double uniform(uint64_t place) const { return (double(scatter_bits(key ^ place) >> 11) + 0.5) * 0x1.0p-53; }
  // Box and Muller's way: two even numbers make a normal one.
  double normal(uint64_t place) const {
    const double radius = std::sqrt(-2 * std::log(uniform(2 * place)));
    return radius * std::cos(2 * std::numbers::pi * uniform(2 * place + 1));
  }
};

}  // namespace

InitialWeights::InitialWeights(const Program& program, uint64_t seed) : seed_(seed) {
  const auto rules = start_rules(program);
  for (size_t i = 0; i < program.values.size(); ++i) {
    const ProgramValue& value = program.values[i];
    const bool stored = value.role == Role::parameter || value.role == Role::buffer || value.role == Role::state;
    if (stored && !value.storage.present()) starts_.emplace(value.name, Start{rules[i], value.constant});
  }
}

Status InitialWeights::read(const std::string& name, int64_t first, std::span<float> into) const {
  const Start& start = starts_.at(name);
  if (start.contents) {
    const auto contents = start.contents->doubles();
    PLIM_CHECK(size_t(first) + into.size() <= contents.size(), "a piece of a tensor ends after it");
    std::copy_n(contents.begin() + first, into.size(), into.begin());
    return {};
  }
  const Numbers numbers(seed_, name);
  const double scale = start.rule.scale;
  switch (start.rule.kind) {
    case StartRule::Kind::constant: std::fill(into.begin(), into.end(), float(scale)); break;
    case StartRule::Kind::uniform:
      for (size_t i = 0; i < into.size(); ++i) into[i] = float(scale * (2 * numbers.uniform(uint64_t(first) + i) - 1));
      break;
    case StartRule::Kind::normal:
      for (size_t i = 0; i < into.size(); ++i) into[i] = float(scale * numbers.normal(uint64_t(first) + i));
      break;
  }
  return {};
}

}  // namespace plimsoll
