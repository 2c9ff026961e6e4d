// Mistral and Mixtral (Jiang 2023, 2024).
#include "model/zoo/language_models.h"

namespace plimsoll {

std::vector<LanguageModel> mistral_rows() {
  return {
      {"mistral-7b", "Mistral", "Mistral 7B, version 0.3 (Jiang 2023)",
       R"({"architectures":["MistralForCausalLM"],"model_type":"mistral","hidden_size":4096,
        "num_hidden_layers":32,"intermediate_size":14336,"num_attention_heads":32,"num_key_value_heads":8,
        "vocab_size":32768,"max_position_embeddings":32768,"rope_theta":1000000.0,"sliding_window":null})"},
      {"mistral-nemo-12b", "Mistral", "Mistral NeMo, 12 B (Mistral 2024)",
       R"({"architectures":["MistralForCausalLM"],"model_type":"mistral","hidden_size":5120,
        "num_hidden_layers":40,"intermediate_size":14336,"num_attention_heads":32,"num_key_value_heads":8,
        "vocab_size":131072,"max_position_embeddings":131072,"head_dim":128,"rope_theta":1000000.0,
        "sliding_window":null})"},
      {"mistral-small-24b", "Mistral", "Mistral Small 3, 24 B (Mistral 2025)",
       R"({"architectures":["MistralForCausalLM"],"model_type":"mistral","hidden_size":5120,
        "num_hidden_layers":40,"intermediate_size":32768,"num_attention_heads":32,"num_key_value_heads":8,
        "vocab_size":131072,"max_position_embeddings":32768,"head_dim":128,"rope_theta":100000000.0,
        "sliding_window":null})"},
      {"mixtral-8x7b", "Mistral", "Mixtral, 8 experts of 7 B (Jiang 2024)",
       R"({"architectures":["MixtralForCausalLM"],"model_type":"mixtral","hidden_size":4096,
        "num_hidden_layers":32,"intermediate_size":14336,"num_attention_heads":32,"num_key_value_heads":8,
        "vocab_size":32000,"max_position_embeddings":32768,"num_local_experts":8,"num_experts_per_tok":2,
        "rope_theta":1000000.0})"},
      {"mixtral-8x22b", "Mistral", "Mixtral, 8 experts of 22 B (Mistral 2024)",
       R"({"architectures":["MixtralForCausalLM"],"model_type":"mixtral","hidden_size":6144,
        "num_hidden_layers":56,"intermediate_size":16384,"num_attention_heads":48,"num_key_value_heads":8,
        "vocab_size":32768,"max_position_embeddings":65536,"num_local_experts":8,"num_experts_per_tok":2,
        "rope_theta":1000000.0})"},
  };
}

}  // namespace plimsoll
