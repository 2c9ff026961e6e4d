#include "plan/llm/token_optimizer.h"

#include <fmt/format.h>

#include "base/rows/choices.h"

namespace plimsoll {
namespace {

constexpr double kEightBit = 1 + 4.0 / 256;  // a byte, and an f32 scale for each block of 256

constexpr TokenOptimizer kAll[] = {
    {"adamw", 2, 0, 1, false, false, 14},
    {"adam", 2, 0, 1, false, false, 12},
    {"adamw8bit", 0, 2 * kEightBit, 0, false, false, 18},
    {"paged_adamw", 2, 0, 0, true, false, 14},
    {"paged_adamw8bit", 0, 2 * kEightBit, 0, true, false, 18},
    {"adafactor", 0, 0, 2, false, true, 16},
    {"lion", 1, 0, 1, false, false, 8},
    {"lion8bit", 0, kEightBit, 0, false, false, 10},
    {"muon", 1, 0, 1, false, false, 8},
    {"momentum", 1, 0, 0, false, false, 4},
    {"sgd", 0, 0, 0, false, false, 2},
};

std::string plain(const std::string& name) {
  std::string text;
  for (const char c : name)
    if (c != '-' && c != '_') text += char(std::tolower(static_cast<unsigned char>(c)));
  if (text.ends_with("32bit")) text.resize(text.size() - 5);
  return text;
}

}  // namespace

std::span<const TokenOptimizer> all_token_optimizers() { return kAll; }

std::string token_optimizer_names() {
  std::vector<std::string> names;
  for (const auto& optimizer : kAll) names.emplace_back(optimizer.name);
  return listed(names);
}

Result<const TokenOptimizer*> find_token_optimizer(const std::string& called, const std::string& name) {
  for (const auto& optimizer : kAll)
    if (plain(std::string(optimizer.name)) == plain(name)) return &optimizer;
  return user_error(fmt::format("{} is {}, expected {} for a language model on a GPU", called, in_quotes(name),
                                token_optimizer_names()));
}

}  // namespace plimsoll
