#include "model/zoo/language_models.h"

#include "base/loose_name.h"
#include "model/hf/import_config.h"
#include "model/zoo/all_models.h"

namespace plimsoll {

// Each family's file gives its sizes.
std::vector<LanguageModel> bert_rows();
std::vector<LanguageModel> bloom_rows();
std::vector<LanguageModel> deepseek_rows();
std::vector<LanguageModel> gemma_rows();
std::vector<LanguageModel> gpt_rows();
std::vector<LanguageModel> gpt_oss_rows();
std::vector<LanguageModel> granite_rows();
std::vector<LanguageModel> llama_rows();
std::vector<LanguageModel> mamba_rows();
std::vector<LanguageModel> mistral_rows();
std::vector<LanguageModel> phi_rows();
std::vector<LanguageModel> qwen_rows();
std::vector<LanguageModel> qwen_sparse_rows();
std::vector<LanguageModel> smollm_rows();
std::vector<LanguageModel> stable_diffusion_rows();
std::vector<LanguageModel> t5_rows();
std::vector<LanguageModel> whisper_rows();

std::span<const LanguageModel> all_language_models() {
  static const std::vector<LanguageModel> kModels = [] {
    std::vector<LanguageModel> models;
    // clang-format off
    for (const auto family : {
             bert_rows,
             bloom_rows,
             deepseek_rows,
             gemma_rows,
             gpt_rows,
             gpt_oss_rows,
             granite_rows,
             llama_rows,
             mamba_rows,
             mistral_rows,
             phi_rows,
             qwen_rows,
             qwen_sparse_rows,
             smollm_rows,
             stable_diffusion_rows,
             t5_rows,
             whisper_rows,
         }) {
      // clang-format on
      for (const auto& model : family()) models.push_back(model);
    }
    return models;
  }();
  return kModels;
}

const LanguageModel* find_language_model(std::string_view name) {
  for (const auto& model : all_language_models())
    if (model.name == name) return &model;
  if (find_model(name) || name.find('/') != std::string_view::npos) return nullptr;
  const std::string loose = loose_name(name);  // "Llama-3.1-8B"
  for (const auto& model : all_language_models())
    if (loose_name(model.name) == loose) return &model;
  return nullptr;
}

Result<Graph> build_language_model(const LanguageModel& model, std::optional<int64_t> sequence,
                                   std::optional<int64_t> vocabulary) {
  return import_config_text(model.config, {sequence, std::string(model.name), vocabulary});
}

}  // namespace plimsoll
