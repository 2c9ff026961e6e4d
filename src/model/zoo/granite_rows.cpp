// Granite 3.3 (IBM 2025), OLMo 2 (Ai2 2025), SmolLM 3 (Hugging Face 2025).
#include "model/zoo/language_models.h"

namespace plimsoll {

std::vector<LanguageModel> granite_rows() {
  return {
      {"granite-3.3-8b", "Granite and others", "Granite 3.3, 8 B (IBM 2025)",
       R"({"architectures":["GraniteForCausalLM"],"model_type":"granite","hidden_size":4096,
        "num_hidden_layers":40,"intermediate_size":12800,"num_attention_heads":32,"num_key_value_heads":8,
        "vocab_size":49159,"max_position_embeddings":131072,"tie_word_embeddings":true,
        "embedding_multiplier":12.0,"residual_multiplier":0.22,"attention_multiplier":0.0078125,
        "logits_scaling":16.0,"rope_theta":10000000.0})"},
      {"olmo-2-7b", "Granite and others", "OLMo 2, 7 B (Ai2 2025)",
       R"({"architectures":["Olmo2ForCausalLM"],"model_type":"olmo2","hidden_size":4096,
        "num_hidden_layers":32,"intermediate_size":11008,"num_attention_heads":32,"num_key_value_heads":32,
        "vocab_size":100352,"max_position_embeddings":4096,"rope_theta":500000.0})"},
      {"smollm3-3b", "Granite and others", "SmolLM 3, 3 B (Hugging Face 2025)",
       R"({"architectures":["SmolLM3ForCausalLM"],"model_type":"smollm3","hidden_size":2048,
        "num_hidden_layers":36,"intermediate_size":11008,"num_attention_heads":16,"num_key_value_heads":4,
        "vocab_size":128256,"max_position_embeddings":65536,"rope_theta":5000000.0})"},
  };
}

}  // namespace plimsoll
