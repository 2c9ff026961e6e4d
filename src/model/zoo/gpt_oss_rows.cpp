// gpt-oss (OpenAI 2025).
#include "model/zoo/language_models.h"

namespace plimsoll {

std::vector<LanguageModel> gpt_oss_rows() {
  return {
      {"gpt-oss-20b", "gpt-oss", "gpt-oss, 21 B of which 3.6 B are active (OpenAI 2025)",
       R"({"architectures":["GptOssForCausalLM"],"model_type":"gpt_oss","hidden_size":2880,
        "num_hidden_layers":24,"num_local_experts":32})"},
      {"gpt-oss-120b", "gpt-oss", "gpt-oss, 117 B of which 5.1 B are active (OpenAI 2025)",
       R"({"architectures":["GptOssForCausalLM"],"model_type":"gpt_oss","hidden_size":2880,
        "num_hidden_layers":36,"num_local_experts":128})"},
  };
}

}  // namespace plimsoll
