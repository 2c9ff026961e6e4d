#include "model/hf/all_families.h"

namespace plimsoll {

// clang-format off
#define PLIM_ALL_FAMILIES(PLIM_FAMILY) \
  PLIM_FAMILY("Bart", "bart", "BartForConditionalGeneration", bart) \
  PLIM_FAMILY("Bert", "bert", "BertForMaskedLM", bert) \
  PLIM_FAMILY("Bloom", "bloom", "BloomForCausalLM", bloom) \
  PLIM_FAMILY("CLIPText", "clip_text_model", "CLIPTextModel", clip_text) \
  PLIM_FAMILY("CLIPVision", "clip_vision_model", "CLIPVisionModel", clip_vision) \
  PLIM_FAMILY("CLIP", "clip", "CLIPModel", clip) \
  PLIM_FAMILY("Camembert", "camembert", "CamembertForMaskedLM", roberta) \
  PLIM_FAMILY("Cohere2", "cohere2", "Cohere2ForCausalLM", cohere) \
  PLIM_FAMILY("Cohere", "cohere", "CohereForCausalLM", cohere) \
  PLIM_FAMILY("DeepseekV2", "deepseek_v2", "DeepseekV2ForCausalLM", deepseek_v2) \
  PLIM_FAMILY("DeepseekV3", "deepseek_v3", "DeepseekV3ForCausalLM", deepseek_v3) \
  PLIM_FAMILY("DeepseekV3", "kimi_k2", "DeepseekV3ForCausalLM", deepseek_v3) \
  PLIM_FAMILY("DeiT", "deit", "DeiTForImageClassification", vit) \
  PLIM_FAMILY("DistilBert", "distilbert", "DistilBertForMaskedLM", distilbert) \
  PLIM_FAMILY("Electra", "electra", "ElectraForPreTraining", electra) \
  PLIM_FAMILY("Falcon", "falcon", "FalconForCausalLM", falcon) \
  PLIM_FAMILY("RW", "RefinedWebModel", "FalconForCausalLM", falcon) \
  PLIM_FAMILY("RW", "RefinedWeb", "FalconForCausalLM", falcon) \
  PLIM_FAMILY("GPT2", "gpt2", "GPT2LMHeadModel", gpt2) \
  PLIM_FAMILY("GPTBigCode", "gpt_bigcode", "GPTBigCodeForCausalLM", gpt_bigcode) \
  PLIM_FAMILY("GPTJ", "gptj", "GPTJForCausalLM", gptj) \
  PLIM_FAMILY("GPTNeoX", "gpt_neox", "GPTNeoXForCausalLM", gpt_neox) \
  PLIM_FAMILY("Gemma2", "gemma2", "Gemma2ForCausalLM", gemma2) \
  PLIM_FAMILY("Gemma3ForCausalLM", "gemma3_text", "Gemma3ForCausalLM", gemma3_text) \
  PLIM_FAMILY("Gemma3Text", "gemma3_text", "Gemma3ForCausalLM", gemma3_text) \
  PLIM_FAMILY("Gemma", "gemma", "GemmaForCausalLM", gemma) \
  PLIM_FAMILY("Glm4", "glm4", "Glm4ForCausalLM", glm4) \
  PLIM_FAMILY("Glm", "glm", "GlmForCausalLM", glm4) \
  PLIM_FAMILY("GptOss", "gpt_oss", "GptOssForCausalLM", gpt_oss) \
  PLIM_FAMILY("GraniteMoeShared", "granitemoeshared", "GraniteMoeSharedForCausalLM", granite_moe) \
  PLIM_FAMILY("GraniteMoe", "granitemoe", "GraniteMoeForCausalLM", granite_moe) \
  PLIM_FAMILY("Granite", "granite", "GraniteForCausalLM", granite) \
  PLIM_FAMILY("Llama", "llama", "LlamaForCausalLM", llama) \
  PLIM_FAMILY("MBart", "mbart", "MBartForConditionalGeneration", bart) \
  PLIM_FAMILY("MT5", "mt5", "MT5ForConditionalGeneration", t5) \
  PLIM_FAMILY("Mamba2", "mamba2", "Mamba2ForCausalLM", mamba2) \
  PLIM_FAMILY("Mamba", "mamba", "MambaForCausalLM", mamba) \
  PLIM_FAMILY("MiniMaxM2", "minimax_m2", "MiniMaxM2ForCausalLM", minimax_m2) \
  PLIM_FAMILY("Mistral", "mistral", "MistralForCausalLM", mistral) \
  PLIM_FAMILY("Mixtral", "mixtral", "MixtralForCausalLM", mixtral) \
  PLIM_FAMILY("NemotronH", "nemotron_h", "NemotronHForCausalLM", nemotron_h) \
  PLIM_FAMILY("OPT", "opt", "OPTForCausalLM", opt) \
  PLIM_FAMILY("Olmo2", "olmo2", "Olmo2ForCausalLM", olmo) \
  PLIM_FAMILY("Olmo3", "olmo3", "Olmo3ForCausalLM", olmo) \
  PLIM_FAMILY("Olmo", "olmo", "OlmoForCausalLM", olmo) \
  PLIM_FAMILY("Phi3", "phi3", "Phi3ForCausalLM", phi3) \
  PLIM_FAMILY("PhiMoE", "phimoe", "PhimoeForCausalLM", phimoe) \
  PLIM_FAMILY("Phimoe", "phimoe", "PhimoeForCausalLM", phimoe) \
  PLIM_FAMILY("Phi", "phi", "PhiForCausalLM", phi) \
  PLIM_FAMILY("Qwen2Moe", "qwen2_moe", "Qwen2MoeForCausalLM", qwen2_moe) \
  PLIM_FAMILY("Qwen2", "qwen2", "Qwen2ForCausalLM", qwen2) \
  PLIM_FAMILY("Qwen3Moe", "qwen3_moe", "Qwen3MoeForCausalLM", qwen3_moe) \
  PLIM_FAMILY("Qwen3", "qwen3", "Qwen3ForCausalLM", qwen3) \
  PLIM_FAMILY("Roberta", "roberta", "RobertaForMaskedLM", roberta) \
  PLIM_FAMILY("SmolLM3", "smollm3", "SmolLM3ForCausalLM", smollm3) \
  PLIM_FAMILY("StableLm", "stablelm", "StableLmForCausalLM", stablelm) \
  PLIM_FAMILY("Starcoder2", "starcoder2", "Starcoder2ForCausalLM", starcoder2) \
  PLIM_FAMILY("Swin", "swin", "SwinForImageClassification", swin) \
  PLIM_FAMILY("T5", "t5", "T5ForConditionalGeneration", t5) \
  PLIM_FAMILY("ViT", "vit", "ViTForImageClassification", vit) \
  PLIM_FAMILY("Whisper", "whisper", "WhisperForConditionalGeneration", whisper) \
  PLIM_FAMILY("XLMRoberta", "xlm-roberta", "XLMRobertaForMaskedLM", roberta)

#define PLIM_DECLARE(prefix, type, usual, family) Result<Graph> build_##family(const Request& request);
PLIM_ALL_FAMILIES(PLIM_DECLARE)
Result<Graph> build_unet(const Request& request);
Result<Graph> build_vae(const Request& request);

std::span<const Family> all_families() {
#define PLIM_ENTRY(prefix, type, usual, family) {prefix, type, usual, build_##family},
  static const Family kFamilies[] = {
      PLIM_ALL_FAMILIES(PLIM_ENTRY)
      {"UNet2DConditionModel", "", "UNet2DConditionModel", build_unet},
      {"AutoencoderKL", "", "AutoencoderKL", build_vae},
  };
  return kFamilies;
}
// clang-format on

}  // namespace plimsoll
