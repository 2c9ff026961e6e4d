#include "plan/devices/framework.h"

#include <algorithm>
#include <utility>

namespace plimsoll {
namespace {

constexpr std::pair<Framework, std::string_view> kNames[] = {{Framework::plimsoll, "plimsoll"},
                                                             {Framework::pytorch, "pytorch"},
                                                             {Framework::tensorflow, "tensorflow"},
                                                             {Framework::hf, "hf"},
                                                             {Framework::vllm, "vllm"},
                                                             {Framework::llama_cpp, "llama.cpp"},
                                                             {Framework::gpt_fast, "gpt-fast"},
                                                             {Framework::torch7, "torch7"}};

}  // namespace

std::string_view name_of(Framework framework) {
  for (const auto& [value, name] : kNames)
    if (value == framework) return name;
  return {};
}

std::optional<Framework> framework_named(std::string_view name) {
  for (const auto& [value, own] : kNames)
    if (own == name) return value;
  return std::nullopt;
}

}  // namespace plimsoll
