// The families of networks that a config.json may name: a line each in all_families.cpp.
#pragma once

#include <span>
#include <string_view>

#include "model/hf/request.h"

namespace plimsoll {

struct Family {
  std::string_view prefix;      // of its architectures: "Llama" of LlamaForCausalLM
  std::string_view model_type;  // as config.json has it
  std::string_view usual;       // the architecture when only the type is given
  BuildFamily build;
};

std::span<const Family> all_families();

}  // namespace plimsoll
