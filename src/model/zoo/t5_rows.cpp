// T5 (Raffel 2020), FLAN-T5 (Chung 2022) and BART (Lewis 2019).
#include "model/zoo/language_models.h"

namespace plimsoll {

std::vector<LanguageModel> t5_rows() {
  return {
      {"t5-small", "T5 and BART", "T5 small (Raffel 2020)",
       R"({"architectures":["T5ForConditionalGeneration"],"model_type":"t5","d_model":512,"d_kv":64,
        "d_ff":2048,"num_layers":6,"num_heads":8,"vocab_size":32128})"},
      {"t5-base", "T5 and BART", "T5 base (Raffel 2020)",
       R"({"architectures":["T5ForConditionalGeneration"],"model_type":"t5","d_model":768,"d_kv":64,
        "d_ff":3072,"num_layers":12,"num_heads":12,"vocab_size":32128})"},
      {"t5-large", "T5 and BART", "T5 large (Raffel 2020)",
       R"({"architectures":["T5ForConditionalGeneration"],"model_type":"t5","d_model":1024,"d_kv":64,
        "d_ff":4096,"num_layers":24,"num_heads":16,"vocab_size":32128})"},
      {"flan-t5-xl", "T5 and BART", "FLAN-T5 XL (Chung 2022)",
       R"({"architectures":["T5ForConditionalGeneration"],"model_type":"t5","d_model":2048,"d_kv":64,
        "d_ff":5120,"num_layers":24,"num_heads":32,"vocab_size":32128,"feed_forward_proj":"gated-gelu",
        "tie_word_embeddings":false})"},
      {"bart-base", "T5 and BART", "BART base (Lewis 2019)",
       R"({"architectures":["BartForConditionalGeneration"],"model_type":"bart","d_model":768,
        "encoder_layers":6,"decoder_layers":6,"encoder_ffn_dim":3072,"decoder_ffn_dim":3072,
        "encoder_attention_heads":12,"decoder_attention_heads":12,"vocab_size":50265})"},
      {"bart-large", "T5 and BART", "BART large (Lewis 2019)",
       R"({"architectures":["BartForConditionalGeneration"],"model_type":"bart","d_model":1024,
        "vocab_size":50265})"},
  };
}

}  // namespace plimsoll
