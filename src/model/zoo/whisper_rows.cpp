// Whisper (Radford 2022).
#include "model/zoo/language_models.h"

namespace plimsoll {

std::vector<LanguageModel> whisper_rows() {
  return {
      {"whisper-tiny", "Whisper", "Whisper tiny (Radford 2022)",
       R"({"architectures":["WhisperForConditionalGeneration"],"model_type":"whisper","d_model":384,
        "encoder_layers":4,"decoder_layers":4,"encoder_attention_heads":6,"decoder_attention_heads":6,
        "encoder_ffn_dim":1536,"decoder_ffn_dim":1536,"vocab_size":51865})"},
      {"whisper-base", "Whisper", "Whisper base (Radford 2022)",
       R"({"architectures":["WhisperForConditionalGeneration"],"model_type":"whisper","d_model":512,
        "encoder_layers":6,"decoder_layers":6,"encoder_attention_heads":8,"decoder_attention_heads":8,
        "encoder_ffn_dim":2048,"decoder_ffn_dim":2048,"vocab_size":51865})"},
      {"whisper-small", "Whisper", "Whisper small (Radford 2022)",
       R"({"architectures":["WhisperForConditionalGeneration"],"model_type":"whisper","d_model":768,
        "encoder_layers":12,"decoder_layers":12,"encoder_attention_heads":12,"decoder_attention_heads":12,
        "encoder_ffn_dim":3072,"decoder_ffn_dim":3072,"vocab_size":51865})"},
      {"whisper-medium", "Whisper", "Whisper medium (Radford 2022)",
       R"({"architectures":["WhisperForConditionalGeneration"],"model_type":"whisper","d_model":1024,
        "encoder_layers":24,"decoder_layers":24,"encoder_attention_heads":16,"decoder_attention_heads":16,
        "encoder_ffn_dim":4096,"decoder_ffn_dim":4096,"vocab_size":51865})"},
      {"whisper-large-v3", "Whisper", "Whisper large, version 3 (OpenAI 2023)",
       R"({"architectures":["WhisperForConditionalGeneration"],"model_type":"whisper","d_model":1280,
        "encoder_layers":32,"decoder_layers":32,"encoder_attention_heads":20,"decoder_attention_heads":20,
        "encoder_ffn_dim":5120,"decoder_ffn_dim":5120,"vocab_size":51866,"num_mel_bins":128})"},
  };
}

}  // namespace plimsoll
