// GPT-2 (Radford 2019), GPT-J (Wang 2021), GPT-NeoX and Pythia (Black 2022, Biderman 2023), OPT (Zhang 2022).
#include "model/zoo/language_models.h"

namespace plimsoll {

std::vector<LanguageModel> gpt_rows() {
  return {
      {"gpt2-small", "GPT", "GPT-2, 124 M (Radford 2019)",
       R"({"architectures":["GPT2LMHeadModel"],"model_type":"gpt2","n_embd":768,"n_layer":12,"n_head":12,
        "n_positions":1024,"vocab_size":50257})"},
      {"gpt-10m", "GPT", "GPT-2's form at 10 M, to be trained on a text of one's own on a CPU",
       R"({"architectures":["GPT2LMHeadModel"],"model_type":"gpt2","n_embd":320,"n_layer":7,"n_head":5,
        "n_positions":512,"vocab_size":4096})"},
      {"gpt2-medium", "GPT", "GPT-2, 355 M (Radford 2019)",
       R"({"architectures":["GPT2LMHeadModel"],"model_type":"gpt2","n_embd":1024,"n_layer":24,"n_head":16,
        "n_positions":1024,"vocab_size":50257})"},
      {"gpt2-large", "GPT", "GPT-2, 774 M (Radford 2019)",
       R"({"architectures":["GPT2LMHeadModel"],"model_type":"gpt2","n_embd":1280,"n_layer":36,"n_head":20,
        "n_positions":1024,"vocab_size":50257})"},
      {"gpt2-xl", "GPT", "GPT-2, 1.6 B (Radford 2019)",
       R"({"architectures":["GPT2LMHeadModel"],"model_type":"gpt2","n_embd":1600,"n_layer":48,"n_head":25,
        "n_positions":1024,"vocab_size":50257})"},
      {"gpt-j-6b", "GPT", "GPT-J, 6 B (Wang 2021)",
       R"({"architectures":["GPTJForCausalLM"],"model_type":"gptj","n_embd":4096,"n_layer":28,"n_head":16,
        "rotary_dim":64,"vocab_size":50400})"},
      {"pythia-160m", "GPT", "Pythia, 160 M (Biderman 2023)",
       R"({"architectures":["GPTNeoXForCausalLM"],"model_type":"gpt_neox","hidden_size":768,
        "num_hidden_layers":12,"num_attention_heads":12,"intermediate_size":3072,"vocab_size":50304,
        "rotary_pct":0.25})"},
      {"pythia-1b", "GPT", "Pythia, 1 B (Biderman 2023)",
       R"({"architectures":["GPTNeoXForCausalLM"],"model_type":"gpt_neox","hidden_size":2048,
        "num_hidden_layers":16,"num_attention_heads":8,"intermediate_size":8192,"vocab_size":50304,
        "rotary_pct":0.25})"},
      {"pythia-6.9b", "GPT", "Pythia, 6.9 B (Biderman 2023)",
       R"({"architectures":["GPTNeoXForCausalLM"],"model_type":"gpt_neox","hidden_size":4096,
        "num_hidden_layers":32,"num_attention_heads":32,"intermediate_size":16384,"vocab_size":50432,
        "rotary_pct":0.25})"},
      {"gpt-neox-20b", "GPT", "GPT-NeoX, 20 B (Black 2022)",
       R"({"architectures":["GPTNeoXForCausalLM"],"model_type":"gpt_neox","hidden_size":6144,
        "num_hidden_layers":44,"num_attention_heads":64,"intermediate_size":24576,"vocab_size":50432,
        "rotary_pct":0.25})"},
      {"opt-125m", "GPT", "OPT, 125 M (Zhang 2022)",
       R"({"architectures":["OPTForCausalLM"],"model_type":"opt","hidden_size":768,"num_hidden_layers":12,
        "num_attention_heads":12,"ffn_dim":3072,"vocab_size":50272})"},
      {"opt-1.3b", "GPT", "OPT, 1.3 B (Zhang 2022)",
       R"({"architectures":["OPTForCausalLM"],"model_type":"opt","hidden_size":2048,"num_hidden_layers":24,
        "num_attention_heads":32,"ffn_dim":8192,"vocab_size":50272})"},
      {"opt-6.7b", "GPT", "OPT, 6.7 B (Zhang 2022)",
       R"({"architectures":["OPTForCausalLM"],"model_type":"opt","hidden_size":4096,"num_hidden_layers":32,
        "num_attention_heads":32,"ffn_dim":16384,"vocab_size":50272})"},
  };
}

}  // namespace plimsoll
