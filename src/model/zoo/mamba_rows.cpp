// Mamba (Gu 2023) and Mamba 2 (Dao 2024).
#include "model/zoo/language_models.h"

namespace plimsoll {

std::vector<LanguageModel> mamba_rows() {
  return {
      {"mamba-130m", "Mamba", "Mamba, 130 M (Gu 2023)",
       R"({"architectures":["MambaForCausalLM"],"model_type":"mamba","hidden_size":768,"num_hidden_layers":24,
        "time_step_rank":48,"vocab_size":50280})"},
      {"mamba-2.8b", "Mamba", "Mamba, 2.8 B (Gu 2023)",
       R"({"architectures":["MambaForCausalLM"],"model_type":"mamba","hidden_size":2560,
        "num_hidden_layers":64,"time_step_rank":160,"vocab_size":50280})"},
      {"mamba2-2.7b", "Mamba", "Mamba 2, 2.7 B (Dao 2024)",
       R"({"architectures":["Mamba2ForCausalLM"],"model_type":"mamba2","hidden_size":2560,
        "num_hidden_layers":64,"num_heads":80,"n_groups":1,"vocab_size":50288,"tie_word_embeddings":true})"},
  };
}

}  // namespace plimsoll
