// Networks of transformers known by name: each is the config.json that its makers published, as far as it says anything
// about the shape, and is built as that file would be (model/hf). A new size is a row in its family's file; a new
// family is a file and a line in language_models.cpp.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "model/ir/graph.h"

namespace plimsoll {

struct LanguageModel {
  std::string_view name;     // as it is called where it is published, in lower case
  std::string_view family;   // "Llama"
  std::string_view summary;  // one line, with the source
  std::string_view config;   // JSON
};

std::span<const LanguageModel> all_language_models();
const LanguageModel* find_language_model(std::string_view name);

// `vocabulary`: tokens that it knows, instead of its own.
Result<Graph> build_language_model(const LanguageModel& model, std::optional<int64_t> sequence = std::nullopt,
                                   std::optional<int64_t> vocabulary = std::nullopt);

}  // namespace plimsoll
