// BLOOM (Scao 2022) and Falcon (Almazrouei 2023).
#include "model/zoo/language_models.h"

namespace plimsoll {

std::vector<LanguageModel> bloom_rows() {
  return {
      {"bloom-560m", "BLOOM and Falcon", "BLOOM, 560 M (Scao 2022)",
       R"({"architectures":["BloomForCausalLM"],"model_type":"bloom","hidden_size":1024,"n_layer":24,
        "n_head":16,"vocab_size":250880})"},
      {"bloom-7b1", "BLOOM and Falcon", "BLOOM, 7.1 B (Scao 2022)",
       R"({"architectures":["BloomForCausalLM"],"model_type":"bloom","hidden_size":4096,"n_layer":30,
        "n_head":32,"vocab_size":250880})"},
      {"bloom-176b", "BLOOM and Falcon", "BLOOM, 176 B (Scao 2022)",
       R"({"architectures":["BloomForCausalLM"],"model_type":"bloom","hidden_size":14336,"n_layer":70,
        "n_head":112,"vocab_size":250880})"},
      {"falcon-7b", "BLOOM and Falcon", "Falcon, 7 B (Almazrouei 2023)",
       R"({"architectures":["FalconForCausalLM"],"model_type":"falcon","hidden_size":4544,
        "num_hidden_layers":32,"num_attention_heads":71,"vocab_size":65024})"},
      {"falcon-40b", "BLOOM and Falcon", "Falcon, 40 B (Almazrouei 2023)",
       R"({"architectures":["FalconForCausalLM"],"model_type":"falcon","hidden_size":8192,
        "num_hidden_layers":60,"num_attention_heads":128,"num_kv_heads":8,"new_decoder_architecture":true,
        "vocab_size":65024})"},
  };
}

}  // namespace plimsoll
