#include "model/hf/all_families.h"

namespace plimsoll {

// clang-format off
#define PLIM_ALL_FAMILIES(PLIM_FAMILY) \
  PLIM_FAMILY("Afmoe", "afmoe", "AfmoeForCausalLM", afmoe) \
  PLIM_FAMILY("Albert", "albert", "AlbertForMaskedLM", albert) \
  PLIM_FAMILY("Aquila", "aquila", "AquilaForCausalLM", llama) \
  PLIM_FAMILY("Arcee", "arcee", "ArceeForCausalLM", arcee) \
  PLIM_FAMILY("AST", "audio-spectrogram-transformer", "ASTForAudioClassification", ast) \
  PLIM_FAMILY("AyaVision", "aya_vision", "AyaVisionForConditionalGeneration", cohere_vision) \
  PLIM_FAMILY("Baichuan", "baichuan", "BaichuanForCausalLM", baichuan) \
  PLIM_FAMILY("BaiChuan", "baichuan", "BaichuanForCausalLM", baichuan) \
  PLIM_FAMILY("Bamba", "bamba", "BambaForCausalLM", bamba) \
  PLIM_FAMILY("Bart", "bart", "BartForConditionalGeneration", bart) \
  PLIM_FAMILY("Bert", "bert", "BertForMaskedLM", bert) \
  PLIM_FAMILY("BigBird", "big_bird", "BigBirdForPreTraining", big_bird) \
  PLIM_FAMILY("BioGpt", "biogpt", "BioGptForCausalLM", biogpt) \
  PLIM_FAMILY("BlenderbotSmall", "blenderbot-small", "BlenderbotSmallForConditionalGeneration", bart) \
  PLIM_FAMILY("Blenderbot", "blenderbot", "BlenderbotForConditionalGeneration", bart) \
  PLIM_FAMILY("Blip", "blip", "BlipForConditionalGeneration", blip) \
  PLIM_FAMILY("Bloom", "bloom", "BloomForCausalLM", bloom) \
  PLIM_FAMILY("Camembert", "camembert", "CamembertForMaskedLM", roberta) \
  PLIM_FAMILY("ChatGLM", "chatglm", "ChatGLMForConditionalGeneration", chatglm) \
  PLIM_FAMILY("ChineseCLIP", "chinese_clip", "ChineseCLIPModel", chinese_clip) \
  PLIM_FAMILY("Clap", "clap", "ClapModel", clap) \
  PLIM_FAMILY("CLIP", "clip", "CLIPModel", clip) \
  PLIM_FAMILY("CLIPText", "clip_text_model", "CLIPTextModel", clip_text) \
  PLIM_FAMILY("CLIPVision", "clip_vision_model", "CLIPVisionModel", clip_vision) \
  PLIM_FAMILY("CodeGen", "codegen", "CodeGenForCausalLM", gptj) \
  PLIM_FAMILY("Cohere", "cohere", "CohereForCausalLM", cohere) \
  PLIM_FAMILY("Cohere2", "cohere2", "Cohere2ForCausalLM", cohere) \
  PLIM_FAMILY("Cohere2Vision", "cohere2_vision", "Cohere2VisionForConditionalGeneration", cohere_vision) \
  PLIM_FAMILY("ConvNext", "convnext", "ConvNextForImageClassification", convnext) \
  PLIM_FAMILY("ConvNextV2", "convnextv2", "ConvNextV2ForImageClassification", convnext) \
  PLIM_FAMILY("Cwm", "cwm", "CwmForCausalLM", cwm) \
  PLIM_FAMILY("Data2VecText", "data2vec-text", "Data2VecTextForMaskedLM", roberta) \
  PLIM_FAMILY("Dbrx", "dbrx", "DbrxForCausalLM", dbrx) \
  PLIM_FAMILY("Deberta", "deberta", "DebertaForMaskedLM", deberta) \
  PLIM_FAMILY("DebertaV2", "deberta-v2", "DebertaV2ForMaskedLM", deberta) \
  PLIM_FAMILY("Deepseek", "deepseek", "DeepseekForCausalLM", deepseek_moe) \
  PLIM_FAMILY("DeepseekV2", "deepseek_v2", "DeepseekV2ForCausalLM", deepseek_v2) \
  PLIM_FAMILY("DeepseekV3", "deepseek_v3", "DeepseekV3ForCausalLM", deepseek_v3) \
  PLIM_FAMILY("DeepseekV3", "kimi_k2", "DeepseekV3ForCausalLM", deepseek_v3) \
  PLIM_FAMILY("DeepseekV32", "deepseek_v32", "DeepseekV32ForCausalLM", deepseek_v32) \
  PLIM_FAMILY("DeiT", "deit", "DeiTForImageClassification", vit) \
  PLIM_FAMILY("Dinov2", "dinov2", "Dinov2Model", dinov2) \
  PLIM_FAMILY("Dinov2WithRegisters", "dinov2_with_registers", "Dinov2WithRegistersModel", dinov2) \
  PLIM_FAMILY("DINOv3ViT", "dinov3_vit", "DINOv3ViTModel", dinov3) \
  PLIM_FAMILY("DistilBert", "distilbert", "DistilBertForMaskedLM", distilbert) \
  PLIM_FAMILY("Dots1", "dots1", "Dots1ForCausalLM", dots1) \
  PLIM_FAMILY("DPR", "dpr", "DPRQuestionEncoder", dpr) \
  PLIM_FAMILY("Electra", "electra", "ElectraForPreTraining", electra) \
  PLIM_FAMILY("Ernie", "ernie", "ErnieForMaskedLM", bert) \
  PLIM_FAMILY("Ernie4_5", "ernie4_5", "Ernie4_5ForCausalLM", ernie4_5) \
  PLIM_FAMILY("Ernie4_5_Moe", "ernie4_5_moe", "Ernie4_5_MoeForCausalLM", ernie4_5_moe) \
  PLIM_FAMILY("Esm", "esm", "EsmForMaskedLM", esm) \
  PLIM_FAMILY("EuroBert", "eurobert", "EuroBertForMaskedLM", eurobert) \
  PLIM_FAMILY("Exaone", "exaone", "ExaoneForCausalLM", exaone3) \
  PLIM_FAMILY("Exaone4", "exaone4", "Exaone4ForCausalLM", exaone4) \
  PLIM_FAMILY("ExaoneMoe", "exaone_moe", "ExaoneMoeForCausalLM", exaone_moe) \
  PLIM_FAMILY("Falcon", "falcon", "FalconForCausalLM", falcon) \
  PLIM_FAMILY("FalconH1", "falcon_h1", "FalconH1ForCausalLM", falcon_h1) \
  PLIM_FAMILY("FalconMamba", "falcon_mamba", "FalconMambaForCausalLM", mamba) \
  PLIM_FAMILY("FlexOlmo", "flex_olmo", "FlexOlmoForCausalLM", flex_olmo) \
  PLIM_FAMILY("Gemma", "gemma", "GemmaForCausalLM", gemma) \
  PLIM_FAMILY("Gemma2", "gemma2", "Gemma2ForCausalLM", gemma2) \
  PLIM_FAMILY("Gemma3ForCausalLM", "gemma3_text", "Gemma3ForCausalLM", gemma3_text) \
  PLIM_FAMILY("Gemma3ForConditionalGeneration", "gemma3", "Gemma3ForConditionalGeneration", gemma3) \
  PLIM_FAMILY("Gemma3Model", "gemma3", "Gemma3ForConditionalGeneration", gemma3) \
  PLIM_FAMILY("Gemma3Text", "gemma3_text", "Gemma3ForCausalLM", gemma3_text) \
  PLIM_FAMILY("Gemma4", "gemma4", "Gemma4ForConditionalGeneration", gemma4) \
  PLIM_FAMILY("Gemma4Text", "gemma4_text", "Gemma4ForCausalLM", gemma4_text) \
  PLIM_FAMILY("Glm", "glm", "GlmForCausalLM", glm4) \
  PLIM_FAMILY("Glm4", "glm4", "Glm4ForCausalLM", glm4) \
  PLIM_FAMILY("Glm46V", "glm46v", "Glm46VForConditionalGeneration", glm4v) \
  PLIM_FAMILY("Glm4Moe", "glm4_moe", "Glm4MoeForCausalLM", glm4_moe) \
  PLIM_FAMILY("Glm4MoeLite", "glm4_moe_lite", "Glm4MoeLiteForCausalLM", glm4_moe_lite) \
  PLIM_FAMILY("Glm4v", "glm4v", "Glm4vForConditionalGeneration", glm4v) \
  PLIM_FAMILY("Glm4vMoe", "glm4v_moe", "Glm4vMoeForConditionalGeneration", glm4v) \
  PLIM_FAMILY("Glm4vMoeText", "glm4v_moe_text", "Glm4vMoeForCausalLM", glm4_moe) \
  PLIM_FAMILY("Glm4vText", "glm4v_text", "Glm4vForCausalLM", glm4) \
  PLIM_FAMILY("GlmMoeDsa", "glm_moe_dsa", "GlmMoeDsaForCausalLM", glm_moe_dsa) \
  PLIM_FAMILY("GPT2", "gpt2", "GPT2LMHeadModel", gpt2) \
  PLIM_FAMILY("GPT2", "gpt-sw3", "GPT2LMHeadModel", gpt2) \
  PLIM_FAMILY("GPTBigCode", "gpt_bigcode", "GPTBigCodeForCausalLM", gpt_bigcode) \
  PLIM_FAMILY("GPTJ", "gptj", "GPTJForCausalLM", gptj) \
  PLIM_FAMILY("GPTNeo", "gpt_neo", "GPTNeoForCausalLM", gpt_neo) \
  PLIM_FAMILY("GPTNeoX", "gpt_neox", "GPTNeoXForCausalLM", gpt_neox) \
  PLIM_FAMILY("GptOss", "gpt_oss", "GptOssForCausalLM", gpt_oss) \
  PLIM_FAMILY("Granite", "granite", "GraniteForCausalLM", granite) \
  PLIM_FAMILY("GraniteMoe", "granitemoe", "GraniteMoeForCausalLM", granite_moe) \
  PLIM_FAMILY("GraniteMoeHybrid", "granitemoehybrid", "GraniteMoeHybridForCausalLM", granite_hybrid) \
  PLIM_FAMILY("GraniteMoeShared", "granitemoeshared", "GraniteMoeSharedForCausalLM", granite_moe) \
  PLIM_FAMILY("Gte", "gte", "GteForMaskedLM", gte) \
  PLIM_FAMILY("Helium", "helium", "HeliumForCausalLM", helium) \
  PLIM_FAMILY("Hubert", "hubert", "HubertModel", wav2vec2) \
  PLIM_FAMILY("HunYuanDenseV1", "hunyuan_v1_dense", "HunYuanDenseV1ForCausalLM", hunyuan) \
  PLIM_FAMILY("HunYuanMoEV1", "hunyuan_v1_moe", "HunYuanMoEV1ForCausalLM", hunyuan_moe) \
  PLIM_FAMILY("HYV3", "hy_v3", "HYV3ForCausalLM", hy_v3) \
  PLIM_FAMILY("Idefics3", "idefics3", "Idefics3ForConditionalGeneration", idefics3) \
  PLIM_FAMILY("InternLM", "internlm", "InternLMForCausalLM", internlm1) \
  PLIM_FAMILY("InternLM2", "internlm2", "InternLM2ForCausalLM", internlm2) \
  PLIM_FAMILY("InternLM3", "internlm3", "InternLM3ForCausalLM", internlm3) \
  PLIM_FAMILY("InternVL", "internvl", "InternVLForConditionalGeneration", internvl) \
  PLIM_FAMILY("Jamba", "jamba", "JambaForCausalLM", jamba) \
  PLIM_FAMILY("Kimi_K25", "kimi_k25", "Kimi_K25ForConditionalGeneration", kimi_k2_5) \
  PLIM_FAMILY("KimiK25", "kimi_k25", "Kimi_K25ForConditionalGeneration", kimi_k2_5) \
  PLIM_FAMILY("Laguna", "laguna", "LagunaForCausalLM", laguna) \
  PLIM_FAMILY("LayoutLM", "layoutlm", "LayoutLMForMaskedLM", layoutlm) \
  PLIM_FAMILY("LayoutLMv3", "layoutlmv3", "LayoutLMv3Model", layoutlmv3) \
  PLIM_FAMILY("Lfm2", "lfm2", "Lfm2ForCausalLM", lfm2) \
  PLIM_FAMILY("Lfm2Moe", "lfm2_moe", "Lfm2MoeForCausalLM", lfm2_moe) \
  PLIM_FAMILY("Lfm2Vl", "lfm2_vl", "Lfm2VlForConditionalGeneration", lfm2_vl) \
  PLIM_FAMILY("Llama", "llama", "LlamaForCausalLM", llama) \
  PLIM_FAMILY("Llama4", "llama4", "Llama4ForConditionalGeneration", llama4) \
  PLIM_FAMILY("Llama4Text", "llama4_text", "Llama4ForCausalLM", llama4_text) \
  PLIM_FAMILY("Llava", "llava", "LlavaForConditionalGeneration", llava) \
  PLIM_FAMILY("LlavaNext", "llava_next", "LlavaNextForConditionalGeneration", llava) \
  PLIM_FAMILY("LlavaOnevision", "llava_onevision", "LlavaOnevisionForConditionalGeneration", llava) \
  PLIM_FAMILY("Longformer", "longformer", "LongformerForMaskedLM", roberta) \
  PLIM_FAMILY("Mamba", "mamba", "MambaForCausalLM", mamba) \
  PLIM_FAMILY("Mamba2", "mamba2", "Mamba2ForCausalLM", mamba2) \
  PLIM_FAMILY("M2M100", "m2m_100", "M2M100ForConditionalGeneration", bart) \
  PLIM_FAMILY("Marian", "marian", "MarianMTModel", bart) \
  PLIM_FAMILY("MBart", "mbart", "MBartForConditionalGeneration", bart) \
  PLIM_FAMILY("MetaClip2", "metaclip_2", "MetaClip2Model", clip) \
  PLIM_FAMILY("MetaClip2Text", "metaclip_2_text_model", "MetaClip2TextModel", clip_text) \
  PLIM_FAMILY("MetaClip2Vision", "metaclip_2_vision_model", "MetaClip2VisionModel", clip_vision) \
  PLIM_FAMILY("MiniCPM", "minicpm", "MiniCPMForCausalLM", minicpm) \
  PLIM_FAMILY("MiniCPM3", "minicpm3", "MiniCPM3ForCausalLM", minicpm3) \
  PLIM_FAMILY("MiniMax", "minimax", "MiniMaxForCausalLM", minimax) \
  PLIM_FAMILY("MiniMaxM2", "minimax_m2", "MiniMaxM2ForCausalLM", minimax_m2) \
  PLIM_FAMILY("MiniMaxText01", "minimax_text_01", "MiniMaxForCausalLM", minimax) \
  PLIM_FAMILY("Ministral", "ministral", "MinistralForCausalLM", ministral) \
  PLIM_FAMILY("Ministral3", "ministral3", "Ministral3ForCausalLM", ministral3) \
  PLIM_FAMILY("Mistral", "mistral", "MistralForCausalLM", mistral) \
  PLIM_FAMILY("Mistral3", "mistral3", "Mistral3ForConditionalGeneration", mistral3) \
  PLIM_FAMILY("Mistral4", "mistral4", "Mistral4ForCausalLM", mistral4) \
  PLIM_FAMILY("Mixtral", "mixtral", "MixtralForCausalLM", mixtral) \
  PLIM_FAMILY("Mllama", "mllama", "MllamaForConditionalGeneration", mllama) \
  PLIM_FAMILY("ModernBert", "modernbert", "ModernBertForMaskedLM", modernbert) \
  PLIM_FAMILY("MPNet", "mpnet", "MPNetForMaskedLM", mpnet) \
  PLIM_FAMILY("Mpt", "mpt", "MptForCausalLM", mpt) \
  PLIM_FAMILY("MPT", "mpt", "MptForCausalLM", mpt) \
  PLIM_FAMILY("MT5", "mt5", "MT5ForConditionalGeneration", t5) \
  PLIM_FAMILY("Nemotron", "nemotron", "NemotronForCausalLM", nemotron) \
  PLIM_FAMILY("NemotronH", "nemotron_h", "NemotronHForCausalLM", nemotron_h) \
  PLIM_FAMILY("New", "new", "NewModel", gte) \
  PLIM_FAMILY("NomicBert", "nomic_bert", "NomicBertForMaskedLM", nomic_bert) \
  PLIM_FAMILY("Olmo", "olmo", "OlmoForCausalLM", olmo) \
  PLIM_FAMILY("Olmo2", "olmo2", "Olmo2ForCausalLM", olmo) \
  PLIM_FAMILY("Olmo3", "olmo3", "Olmo3ForCausalLM", olmo) \
  PLIM_FAMILY("Olmoe", "olmoe", "OlmoeForCausalLM", olmoe) \
  PLIM_FAMILY("OpenAIGPT", "openai-gpt", "OpenAIGPTLMHeadModel", openai_gpt) \
  PLIM_FAMILY("OPT", "opt", "OPTForCausalLM", opt) \
  PLIM_FAMILY("Orion", "orion", "OrionForCausalLM", orion) \
  PLIM_FAMILY("Owlv2", "owlv2", "Owlv2ForObjectDetection", owlvit) \
  PLIM_FAMILY("OwlViT", "owlvit", "OwlViTForObjectDetection", owlvit) \
  PLIM_FAMILY("PaliGemma", "paligemma", "PaliGemmaForConditionalGeneration", paligemma) \
  PLIM_FAMILY("Pegasus", "pegasus", "PegasusForConditionalGeneration", bart) \
  PLIM_FAMILY("Persimmon", "persimmon", "PersimmonForCausalLM", persimmon) \
  PLIM_FAMILY("Phi", "phi", "PhiForCausalLM", phi) \
  PLIM_FAMILY("Phi3", "phi3", "Phi3ForCausalLM", phi3) \
  PLIM_FAMILY("PhiMoE", "phimoe", "PhimoeForCausalLM", phimoe) \
  PLIM_FAMILY("Phimoe", "phimoe", "PhimoeForCausalLM", phimoe) \
  PLIM_FAMILY("PLBart", "plbart", "PLBartForConditionalGeneration", bart) \
  PLIM_FAMILY("QWen", "qwen", "QWenLMHeadModel", qwen1) \
  PLIM_FAMILY("Qwen2", "qwen2", "Qwen2ForCausalLM", qwen2) \
  PLIM_FAMILY("Qwen2_5_VL", "qwen2_5_vl", "Qwen2_5_VLForConditionalGeneration", qwen2_5_vl) \
  PLIM_FAMILY("Qwen2Audio", "qwen2_audio", "Qwen2AudioForConditionalGeneration", qwen2_audio) \
  PLIM_FAMILY("Qwen2Moe", "qwen2_moe", "Qwen2MoeForCausalLM", qwen2_moe) \
  PLIM_FAMILY("Qwen2VL", "qwen2_vl", "Qwen2VLForConditionalGeneration", qwen2_vl) \
  PLIM_FAMILY("Qwen3", "qwen3", "Qwen3ForCausalLM", qwen3) \
  PLIM_FAMILY("Qwen3_5", "qwen3_5", "Qwen3_5ForConditionalGeneration", qwen3_5) \
  PLIM_FAMILY("Qwen3_5Moe", "qwen3_5_moe", "Qwen3_5MoeForConditionalGeneration", qwen3_5) \
  PLIM_FAMILY("Qwen3_5MoeText", "qwen3_5_moe_text", "Qwen3_5MoeForCausalLM", qwen3_5_text) \
  PLIM_FAMILY("Qwen3_5Text", "qwen3_5_text", "Qwen3_5ForCausalLM", qwen3_5_text) \
  PLIM_FAMILY("Qwen3Moe", "qwen3_moe", "Qwen3MoeForCausalLM", qwen3_moe) \
  PLIM_FAMILY("Qwen3Next", "qwen3_next", "Qwen3NextForCausalLM", qwen3_next) \
  PLIM_FAMILY("Qwen3VL", "qwen3_vl", "Qwen3VLForConditionalGeneration", qwen3_vl) \
  PLIM_FAMILY("Qwen3VLMoe", "qwen3_vl_moe", "Qwen3VLMoeForConditionalGeneration", qwen3_vl) \
  PLIM_FAMILY("ResNet", "resnet", "ResNetForImageClassification", hf_resnet) \
  PLIM_FAMILY("Roberta", "roberta", "RobertaForMaskedLM", roberta) \
  PLIM_FAMILY("RW", "RefinedWeb", "FalconForCausalLM", falcon) \
  PLIM_FAMILY("RW", "RefinedWebModel", "FalconForCausalLM", falcon) \
  PLIM_FAMILY("SeedOss", "seed_oss", "SeedOssForCausalLM", seed_oss) \
  PLIM_FAMILY("Segformer", "segformer", "SegformerForSemanticSegmentation", segformer) \
  PLIM_FAMILY("Siglip", "siglip", "SiglipModel", siglip) \
  PLIM_FAMILY("Siglip2", "siglip2", "Siglip2Model", siglip) \
  PLIM_FAMILY("Siglip2Text", "siglip2_text_model", "Siglip2TextModel", siglip_text) \
  PLIM_FAMILY("Siglip2Vision", "siglip2_vision_model", "Siglip2VisionModel", siglip_vision) \
  PLIM_FAMILY("SiglipText", "siglip_text_model", "SiglipTextModel", siglip_text) \
  PLIM_FAMILY("SiglipVision", "siglip_vision_model", "SiglipVisionModel", siglip_vision) \
  PLIM_FAMILY("SmolLM3", "smollm3", "SmolLM3ForCausalLM", smollm3) \
  PLIM_FAMILY("SmolVLM", "smolvlm", "SmolVLMForConditionalGeneration", idefics3) \
  PLIM_FAMILY("SolarOpen", "solar_open", "SolarOpenForCausalLM", solar_open) \
  PLIM_FAMILY("StableLm", "stablelm", "StableLmForCausalLM", stablelm) \
  PLIM_FAMILY("Starcoder2", "starcoder2", "Starcoder2ForCausalLM", starcoder2) \
  PLIM_FAMILY("Swin", "swin", "SwinForImageClassification", swin) \
  PLIM_FAMILY("Swinv2", "swinv2", "Swinv2ForImageClassification", swin) \
  PLIM_FAMILY("T5", "t5", "T5ForConditionalGeneration", t5) \
  PLIM_FAMILY("UMT5", "umt5", "UMT5ForConditionalGeneration", t5) \
  PLIM_FAMILY("UniSpeech", "unispeech", "UniSpeechModel", wav2vec2) \
  PLIM_FAMILY("UniSpeechSat", "unispeech-sat", "UniSpeechSatModel", wav2vec2) \
  PLIM_FAMILY("VaultGemma", "vaultgemma", "VaultGemmaForCausalLM", vaultgemma) \
  PLIM_FAMILY("VisionEncoderDecoder", "vision-encoder-decoder", "VisionEncoderDecoderModel", vision_encoder_decoder) \
  PLIM_FAMILY("ViT", "vit", "ViTForImageClassification", vit) \
  PLIM_FAMILY("ViTMAE", "vit_mae", "ViTMAEForPreTraining", vit_mae) \
  PLIM_FAMILY("ViTMSN", "vit_msn", "ViTMSNForImageClassification", vit_msn) \
  PLIM_FAMILY("Voxtral", "voxtral", "VoxtralForConditionalGeneration", voxtral) \
  PLIM_FAMILY("Wav2Vec2", "wav2vec2", "Wav2Vec2Model", wav2vec2) \
  PLIM_FAMILY("Wav2Vec2Bert", "wav2vec2-bert", "Wav2Vec2BertModel", w2v_bert) \
  PLIM_FAMILY("WavLM", "wavlm", "WavLMModel", wav2vec2) \
  PLIM_FAMILY("Whisper", "whisper", "WhisperForConditionalGeneration", whisper) \
  PLIM_FAMILY("XGLM", "xglm", "XGLMForCausalLM", xglm) \
  PLIM_FAMILY("XLMRoberta", "xlm-roberta", "XLMRobertaForMaskedLM", roberta) \
  PLIM_FAMILY("Xverse", "xverse", "XverseForCausalLM", llama) \
  PLIM_FAMILY("Yi", "Yi", "YiForCausalLM", llama)

#define PLIM_DECLARE(prefix, type, usual, family) Result<Graph> build_##family(const Request& request);
PLIM_ALL_FAMILIES(PLIM_DECLARE)
Result<Graph> build_unet(const Request& request);
Result<Graph> build_vae(const Request& request);
Result<Graph> build_flux(const Request& request);
Result<Graph> build_sd3(const Request& request);
Result<Graph> build_qwen_image(const Request& request);

std::span<const Family> all_families() {
#define PLIM_ENTRY(prefix, type, usual, family) {prefix, type, usual, build_##family},
  static const Family kFamilies[] = {
      PLIM_ALL_FAMILIES(PLIM_ENTRY)
      {"UNet2DConditionModel", "", "UNet2DConditionModel", build_unet},
      {"AutoencoderKL", "", "AutoencoderKL", build_vae},
      {"FluxTransformer2DModel", "", "FluxTransformer2DModel", build_flux},
      {"SD3Transformer2DModel", "", "SD3Transformer2DModel", build_sd3},
      {"QwenImageTransformer2DModel", "", "QwenImageTransformer2DModel", build_qwen_image},
  };
  return kFamilies;
}
// clang-format on

}  // namespace plimsoll
