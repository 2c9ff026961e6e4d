// Gemma 1 to 3, of text (Google 2024, 2025).
#include "model/zoo/language_models.h"

namespace plimsoll {

std::vector<LanguageModel> gemma_rows() {
  return {
      {"gemma-2b", "Gemma", "Gemma, 2 B (Google 2024)",
       R"({"architectures":["GemmaForCausalLM"],"model_type":"gemma","hidden_size":2048,
        "num_hidden_layers":18,"intermediate_size":16384,"num_attention_heads":8,"num_key_value_heads":1,
        "head_dim":256,"vocab_size":256000,"max_position_embeddings":8192})"},
      {"gemma-7b", "Gemma", "Gemma, 7 B (Google 2024)",
       R"({"architectures":["GemmaForCausalLM"],"model_type":"gemma","hidden_size":3072,
        "num_hidden_layers":28,"intermediate_size":24576,"num_attention_heads":16,"num_key_value_heads":16,
        "head_dim":256,"vocab_size":256000,"max_position_embeddings":8192})"},
      {"gemma-2-2b", "Gemma", "Gemma 2, 2 B (Google 2024)",
       R"({"architectures":["Gemma2ForCausalLM"],"model_type":"gemma2","hidden_size":2304,
        "num_hidden_layers":26,"intermediate_size":9216,"num_attention_heads":8,"num_key_value_heads":4,
        "head_dim":256,"vocab_size":256000,"max_position_embeddings":8192})"},
      {"gemma-2-9b", "Gemma", "Gemma 2, 9 B (Google 2024)",
       R"({"architectures":["Gemma2ForCausalLM"],"model_type":"gemma2","hidden_size":3584,
        "num_hidden_layers":42,"intermediate_size":14336,"num_attention_heads":16,"num_key_value_heads":8,
        "head_dim":256,"vocab_size":256000,"max_position_embeddings":8192})"},
      {"gemma-3-1b", "Gemma", "Gemma 3, 1 B, text only (Google 2025)",
       R"({"architectures":["Gemma3ForCausalLM"],"model_type":"gemma3_text","hidden_size":1152,
        "num_hidden_layers":26,"intermediate_size":6912,"num_attention_heads":4,"num_key_value_heads":1,
        "head_dim":256,"vocab_size":262144,"max_position_embeddings":32768,"sliding_window":512})"},
  };
}

}  // namespace plimsoll
