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
      {"deepseek-r1", "DeepSeek", "DeepSeek R1, which has V3's shape (DeepSeek-AI 2025)",
       R"({"architectures":["DeepseekV3ForCausalLM"],"model_type":"deepseek_v3","num_attention_heads":128,
        "n_routed_experts":256,"num_experts_per_tok":8,"first_k_dense_replace":3,"vocab_size":129280,
        "max_position_embeddings":163840,"hidden_size":7168,"num_hidden_layers":61,
        "moe_intermediate_size":2048,"intermediate_size":18432})"},
      {"deepseek-r1-distill-qwen-1.5b", "DeepSeek",
       "DeepSeek R1's answers learnt by Qwen 2.5, 1.5 B (DeepSeek-AI 2025)",
       R"({"architectures":["Qwen2ForCausalLM"],"model_type":"qwen2","hidden_size":1536,"num_hidden_layers":28,
        "intermediate_size":8960,"num_attention_heads":12,"num_key_value_heads":2,"vocab_size":151936,
        "max_position_embeddings":131072,"rope_theta":10000})"},
      {"deepseek-r1-distill-qwen-7b", "DeepSeek", "DeepSeek R1's answers learnt by Qwen 2.5, 7 B (DeepSeek-AI 2025)",
       R"({"architectures":["Qwen2ForCausalLM"],"model_type":"qwen2","hidden_size":3584,"num_hidden_layers":28,
        "intermediate_size":18944,"num_attention_heads":28,"num_key_value_heads":4,"vocab_size":152064,
        "max_position_embeddings":131072,"rope_theta":10000})"},
      {"deepseek-r1-distill-qwen-14b", "DeepSeek", "DeepSeek R1's answers learnt by Qwen 2.5, 14 B (DeepSeek-AI 2025)",
       R"({"architectures":["Qwen2ForCausalLM"],"model_type":"qwen2","hidden_size":5120,"num_hidden_layers":48,
        "intermediate_size":13824,"num_attention_heads":40,"num_key_value_heads":8,"vocab_size":152064,
        "max_position_embeddings":131072,"rope_theta":1000000.0})"},
      {"deepseek-r1-distill-qwen-32b", "DeepSeek", "DeepSeek R1's answers learnt by Qwen 2.5, 32 B (DeepSeek-AI 2025)",
       R"({"architectures":["Qwen2ForCausalLM"],"model_type":"qwen2","hidden_size":5120,"num_hidden_layers":64,
        "intermediate_size":27648,"num_attention_heads":40,"num_key_value_heads":8,"vocab_size":152064,
        "max_position_embeddings":131072,"rope_theta":1000000.0})"},
      {"deepseek-r1-distill-llama-8b", "DeepSeek", "DeepSeek R1's answers learnt by Llama 3, 8 B (DeepSeek-AI 2025)",
       R"({"architectures":["LlamaForCausalLM"],"model_type":"llama","hidden_size":4096,"num_hidden_layers":32,
        "intermediate_size":14336,"num_attention_heads":32,"num_key_value_heads":8,"vocab_size":128256,
        "max_position_embeddings":131072,"rope_theta":500000.0})"},
      {"deepseek-r1-distill-llama-70b", "DeepSeek", "DeepSeek R1's answers learnt by Llama 3, 70 B (DeepSeek-AI 2025)",
       R"({"architectures":["LlamaForCausalLM"],"model_type":"llama","hidden_size":8192,"num_hidden_layers":80,
        "intermediate_size":28672,"num_attention_heads":64,"num_key_value_heads":8,"vocab_size":128256,
        "max_position_embeddings":131072,"rope_theta":500000.0})"},
  };
}

}  // namespace plimsoll
