// Phi 2 to 4 (Microsoft 2023 to 2024).
#include "model/zoo/language_models.h"

namespace plimsoll {

std::vector<LanguageModel> phi_rows() {
  return {
      {"phi-2", "Phi", "Phi 2, 2.7 B (Microsoft 2023)",
       R"({"architectures":["PhiForCausalLM"],"model_type":"phi","hidden_size":2560,"num_hidden_layers":32,
        "intermediate_size":10240,"num_attention_heads":32,"vocab_size":51200,"partial_rotary_factor":0.4})"},
      {"phi-3-mini", "Phi", "Phi 3 mini, 3.8 B (Abdin 2024)",
       R"({"architectures":["Phi3ForCausalLM"],"model_type":"phi3","hidden_size":3072,"num_hidden_layers":32,
        "intermediate_size":8192,"num_attention_heads":32,"num_key_value_heads":32,"vocab_size":32064,
        "max_position_embeddings":4096})"},
      {"phi-4", "Phi", "Phi 4, 14 B (Abdin 2024)",
       R"({"architectures":["Phi3ForCausalLM"],"model_type":"phi3","hidden_size":5120,"num_hidden_layers":40,
        "intermediate_size":17920,"num_attention_heads":40,"num_key_value_heads":10,"vocab_size":100352,
        "max_position_embeddings":16384,"rope_theta":250000.0})"},
      {"phi-4-mini", "Phi", "Phi 4 mini, 3.8 B (Microsoft 2025)",
       R"({"architectures":["Phi3ForCausalLM"],"model_type":"phi3","hidden_size":3072,"num_hidden_layers":32,
        "intermediate_size":8192,"num_attention_heads":24,"num_key_value_heads":8,"vocab_size":200064,
        "max_position_embeddings":131072,"partial_rotary_factor":0.75,"tie_word_embeddings":true})"},
  };
}

}  // namespace plimsoll
