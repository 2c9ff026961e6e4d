// Framework: what runs a network, ours or another.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace plimsoll {

// hf to gpt_fast serve language models (plan/serving). torch7 stands for the frameworks of 2015 to 2017, of which there
// are measured times; nobody can ask for it.
enum class Framework : uint8_t { plimsoll, pytorch, tensorflow, hf, vllm, llama_cpp, gpt_fast, torch7 };

std::string_view name_of(Framework framework);
std::optional<Framework> framework_named(std::string_view name);

}  // namespace plimsoll
