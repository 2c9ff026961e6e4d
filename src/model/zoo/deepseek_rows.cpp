// DeepSeek V2 and V3 (DeepSeek-AI 2024), Kimi K2 (Moonshot AI 2025).
#include "model/zoo/language_models.h"

namespace plimsoll {

std::vector<LanguageModel> deepseek_rows() {
  return {
      {"deepseek-v2-lite", "DeepSeek", "DeepSeek V2 Lite, 16 B of which 2.4 B are active (DeepSeek-AI 2024)",
       R"({"architectures":["DeepseekV2ForCausalLM"],"model_type":"deepseek_v2","hidden_size":2048,
        "num_hidden_layers":27,"num_attention_heads":16,"intermediate_size":10944,
        "moe_intermediate_size":1408,"n_routed_experts":64,"n_shared_experts":2,"num_experts_per_tok":6,
        "first_k_dense_replace":1,"q_lora_rank":null,"vocab_size":102400,"max_position_embeddings":163840})"},
      {"deepseek-v3", "DeepSeek", "DeepSeek V3, 671 B of which 37 B are active (DeepSeek-AI 2024)",
       R"({"architectures":["DeepseekV3ForCausalLM"],"model_type":"deepseek_v3","num_attention_heads":128,
        "n_routed_experts":256,"num_experts_per_tok":8,"first_k_dense_replace":3,"vocab_size":129280,
        "max_position_embeddings":163840,"hidden_size":7168,"num_hidden_layers":61,
        "moe_intermediate_size":2048,"intermediate_size":18432})"},
      {"kimi-k2", "DeepSeek", "Kimi K2, 1 T of which 32 B are active (Moonshot AI 2025)",
       R"({"architectures":["DeepseekV3ForCausalLM"],"model_type":"kimi_k2","num_attention_heads":64,
        "n_routed_experts":384,"num_experts_per_tok":8,"first_k_dense_replace":1,"n_group":1,"topk_group":1,
        "vocab_size":163840,"max_position_embeddings":131072,"hidden_size":7168,"num_hidden_layers":61,
        "moe_intermediate_size":2048,"intermediate_size":18432})"},
  };
}

}  // namespace plimsoll
