#include "model/gguf/import_gguf.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "base/text.h"
#include "model/gguf/gguf_header.h"

namespace plimsoll {
namespace {

using Json = nlohmann::ordered_json;

struct GgufFamily {
  std::string_view architecture, model_type, class_name;
};

// llama stands for Mistral and, with experts, for Mixtral too.
constexpr GgufFamily kFamilies[] = {
    {"llama", "llama", "LlamaForCausalLM"},
    {"qwen2", "qwen2", "Qwen2ForCausalLM"},
    {"qwen3", "qwen3", "Qwen3ForCausalLM"},
    {"qwen2moe", "qwen2_moe", "Qwen2MoeForCausalLM"},
    {"qwen3moe", "qwen3_moe", "Qwen3MoeForCausalLM"},
    {"gemma", "gemma", "GemmaForCausalLM"},
    {"gemma2", "gemma2", "Gemma2ForCausalLM"},
    {"gemma3", "gemma3_text", "Gemma3ForCausalLM"},
    {"phi2", "phi", "PhiForCausalLM"},
    {"phi3", "phi3", "Phi3ForCausalLM"},
    {"gpt2", "gpt2", "GPT2LMHeadModel"},
    {"gptj", "gptj", "GPTJForCausalLM"},
    {"gptneox", "gpt_neox", "GPTNeoXForCausalLM"},
    {"bloom", "bloom", "BloomForCausalLM"},
    {"falcon", "falcon", "FalconForCausalLM"},
    {"granite", "granite", "GraniteForCausalLM"},
    {"stablelm", "stablelm", "StableLmForCausalLM"},
    {"starcoder2", "starcoder2", "Starcoder2ForCausalLM"},
    {"gpt-oss", "gpt_oss", "GptOssForCausalLM"},
    {"mamba", "mamba", "MambaForCausalLM"},
    {"olmo2", "olmo2", "Olmo2ForCausalLM"},
    {"deepseek2", "deepseek_v2", "DeepseekV2ForCausalLM"},
    {"deepseek", "deepseek", "DeepseekForCausalLM"},
    {"qwen", "qwen", "QWenLMHeadModel"},
    {"qwen2vl", "qwen2", "Qwen2ForCausalLM"},
    {"qwen3vl", "qwen3", "Qwen3ForCausalLM"},
    {"qwen3vlmoe", "qwen3_moe", "Qwen3MoeForCausalLM"},
    {"chatglm", "chatglm", "ChatGLMForConditionalGeneration"},
    {"glm4", "glm4", "Glm4ForCausalLM"},
    {"glm4moe", "glm4_moe", "Glm4MoeForCausalLM"},
    {"command-r", "cohere", "CohereForCausalLM"},
    {"cohere2", "cohere2", "Cohere2ForCausalLM"},
    {"mistral3", "ministral3", "Ministral3ForCausalLM"},
    {"smollm3", "smollm3", "SmolLM3ForCausalLM"},
    {"ernie4_5", "ernie4_5", "Ernie4_5ForCausalLM"},
    {"exaone", "exaone", "ExaoneForCausalLM"},
    {"exaone4", "exaone4", "Exaone4ForCausalLM"},
    {"internlm2", "internlm2", "InternLM2ForCausalLM"},
    {"baichuan", "baichuan", "BaichuanForCausalLM"},
    {"minicpm", "minicpm", "MiniCPMForCausalLM"},
    {"orion", "orion", "OrionForCausalLM"},
    {"xverse", "xverse", "XverseForCausalLM"},
    {"arcee", "arcee", "ArceeForCausalLM"},
    {"seed_oss", "seed_oss", "SeedOssForCausalLM"},
    {"hunyuan-dense", "hunyuan_v1_dense", "HunYuanDenseV1ForCausalLM"},
    {"granitemoe", "granitemoe", "GraniteMoeForCausalLM"},
    {"olmoe", "olmoe", "OlmoeForCausalLM"},
};

// A setting and the keys of config.json that mean the same, in every family that has it.
struct Key {
  std::string_view setting;
  std::vector<std::string_view> keys;
};

std::vector<Key> with(std::vector<Key> keys, const std::vector<Key>& more) {
  keys.insert(keys.end(), more.begin(), more.end());
  return keys;
}

const std::vector<Key>& keys_of(std::string_view architecture) {
  static const std::vector<Key> kUsual = {{"embedding_length", {"hidden_size"}},
                                          {"block_count", {"num_hidden_layers"}},
                                          {"feed_forward_length", {"intermediate_size"}},
                                          {"attention.head_count", {"num_attention_heads"}},
                                          {"attention.head_count_kv", {"num_key_value_heads"}},
                                          {"attention.key_length", {"head_dim"}},
                                          {"context_length", {"max_position_embeddings"}},
                                          {"rope.freq_base", {"rope_theta"}},
                                          {"attention.layer_norm_rms_epsilon", {"rms_norm_eps"}},
                                          {"attention.sliding_window", {"sliding_window"}},
                                          {"expert_count", {"num_local_experts"}},
                                          {"expert_used_count", {"num_experts_per_tok"}},
                                          {"expert_feed_forward_length", {"moe_intermediate_size"}},
                                          {"expert_shared_feed_forward_length", {"shared_expert_intermediate_size"}}};
  static const std::vector<Key> kGpt2 = {{"embedding_length", {"n_embd"}},
                                         {"block_count", {"n_layer"}},
                                         {"feed_forward_length", {"n_inner"}},
                                         {"attention.head_count", {"n_head"}},
                                         {"context_length", {"n_positions"}}};
  static const std::vector<Key> kBloom = {
      {"embedding_length", {"hidden_size"}}, {"block_count", {"n_layer"}}, {"attention.head_count", {"n_head"}}};
  static const std::vector<Key> kMamba = {{"embedding_length", {"hidden_size"}},
                                          {"block_count", {"num_hidden_layers"}},
                                          {"ssm.state_size", {"state_size"}},
                                          {"ssm.conv_kernel", {"conv_kernel"}},
                                          {"ssm.time_step_rank", {"time_step_rank"}}};
  static const std::vector<Key> kFalcon = {{"embedding_length", {"hidden_size"}},
                                           {"block_count", {"num_hidden_layers"}},
                                           {"feed_forward_length", {"ffn_hidden_size"}},
                                           {"attention.head_count", {"num_attention_heads"}},
                                           {"attention.head_count_kv", {"num_kv_heads"}}};
  static const std::vector<Key> kChatGlm = {{"embedding_length", {"hidden_size"}},
                                            {"block_count", {"num_layers"}},
                                            {"feed_forward_length", {"ffn_hidden_size"}},
                                            {"attention.head_count", {"num_attention_heads"}},
                                            {"attention.head_count_kv", {"multi_query_group_num"}},
                                            {"context_length", {"seq_length"}},
                                            {"attention.layer_norm_rms_epsilon", {"layernorm_epsilon"}}};
  // Many narrow experts beside shared ones, the first layers dense.
  static const std::vector<Key> kShared = {{"embedding_length", {"hidden_size"}},
                                           {"block_count", {"num_hidden_layers"}},
                                           {"feed_forward_length", {"intermediate_size"}},
                                           {"attention.head_count", {"num_attention_heads"}},
                                           {"attention.head_count_kv", {"num_key_value_heads"}},
                                           {"context_length", {"max_position_embeddings"}},
                                           {"rope.freq_base", {"rope_theta"}},
                                           {"attention.layer_norm_rms_epsilon", {"rms_norm_eps"}},
                                           {"leading_dense_block_count", {"first_k_dense_replace"}},
                                           {"expert_count", {"n_routed_experts"}},
                                           {"expert_used_count", {"num_experts_per_tok"}},
                                           {"expert_shared_count", {"n_shared_experts"}},
                                           {"expert_feed_forward_length", {"moe_intermediate_size"}},
                                           {"expert_weights_scale", {"routed_scaling_factor"}}};
  static const std::vector<Key> kLatent = with(kShared, {{"attention.q_lora_rank", {"q_lora_rank"}},
                                                         {"attention.kv_lora_rank", {"kv_lora_rank"}},
                                                         {"rope.dimension_count", {"qk_rope_head_dim"}}});
  if (architecture == "chatglm") return kChatGlm;
  if (architecture == "deepseek2") return kLatent;
  if (architecture == "deepseek") return kShared;
  static const std::vector<Key> kGlmMoe = with(kShared, {{"attention.key_length", {"head_dim"}}});
  if (architecture == "glm4moe") return kGlmMoe;
  if (architecture == "gpt2" || architecture == "gptj") return kGpt2;
  if (architecture == "bloom") return kBloom;
  if (architecture == "mamba") return kMamba;
  if (architecture == "falcon") return kFalcon;
  return kUsual;
}

class Translation {
 public:
  Translation(const GgufHeader& header, const GgufFamily& family) : header_(header), family_(family) {}

  Result<Json> config() {
    config_ = Json{{"model_type", family_.model_type}, {"architectures", {family_.class_name}}};
    for (const auto& key : keys_of(family_.architecture)) PLIM_TRY(copy(key));
    if (family_.architecture == "llama" && config_.contains("num_local_experts")) {
      config_["model_type"] = "mixtral";
      config_["architectures"] = {"MixtralForCausalLM"};
    }
    if (family_.architecture == "qwen2moe" && config_.contains("num_local_experts"))
      config_["num_experts"] = config_["num_local_experts"];
    if (family_.architecture == "qwen2moe" || family_.architecture == "stablelm" || family_.architecture == "phi2")
      config_.erase("head_dim");
    if (family_.architecture == "qwen2moe") config_.erase("num_local_experts");
    if (family_.architecture == "falcon") add_falcon();
    if (family_.architecture == "deepseek2") add_latent();
    if (family_.architecture == "glm4moe") add_glm_experts();
    if (family_.architecture == "olmoe") rename("num_local_experts", "num_experts");
    // The larger Baichuan bends scores by distance and states no positions.
    if (family_.architecture == "baichuan" && config_.value("num_hidden_layers", Json()) == 40)
      rename("max_position_embeddings", "model_max_length");
    if (family_.architecture == "qwen" || family_.architecture == "internlm2") config_.erase("sliding_window");
    if (family_.architecture == "internlm2") config_["bias"] = find("blk.0.attn_q.bias") != nullptr;
    if (family_.architecture == "chatglm") {
      config_["multi_query_attention"] = true;
      config_["add_qkv_bias"] = find("blk.0.attn_qkv.bias") != nullptr;
    }
    if (!config_.contains("sliding_window") && family_.architecture != "gemma2" && family_.architecture != "gemma3" &&
        family_.architecture != "gpt-oss")
      config_["sliding_window"] = nullptr;
    if (family_.architecture == "llama" || family_.architecture == "qwen3")
      if (find("blk.0.attn_q.bias")) config_["attention_bias"] = true;
    if (family_.architecture == "glm4") config_["attention_bias"] = find("blk.0.attn_q.bias") != nullptr;
    if (const GgufTensor* words = find("token_embd.weight"); words && words->sizes.size() == 2)
      config_[family_.architecture == "chatglm" ? "padded_vocab_size" : "vocab_size"] = words->sizes[1];
    config_["tie_word_embeddings"] = find("output.weight") == nullptr;
    return config_;
  }

 private:
  const GgufTensor* find(std::string_view name) const {
    for (const auto& tensor : header_.tensors)
      if (tensor.name == name) return &tensor;
    return nullptr;
  }

  void add_falcon() {
    config_["new_decoder_architecture"] = find("blk.0.attn_norm_2.weight") != nullptr;
    if (config_.value("num_kv_heads", Json()) != 1) config_["multi_query"] = false;
  }

  void rename(const char* from, const char* to) {
    if (!config_.contains(from)) return;
    config_[to] = config_[from];
    config_.erase(from);
  }

  int64_t whole(const std::string& setting, int64_t fallback) const {
    const auto found = header_.settings.find(std::string(family_.architecture) + "." + setting);
    const int64_t* number = found == header_.settings.end() ? nullptr : std::get_if<int64_t>(&found->second);
    return number ? *number : fallback;
  }

  // Files of 2025 and later state the heads as attention sees them, once keys are made of the latent vector.
  void add_latent() {
    const int64_t turned = whole("rope.dimension_count", 64);
    config_["qk_nope_head_dim"] = whole("attention.key_length_mla", whole("attention.key_length", 192)) - turned;
    config_["v_head_dim"] = whole("attention.value_length_mla", whole("attention.value_length", 128));
    if (!config_.contains("q_lora_rank")) config_["q_lora_rank"] = nullptr;
    config_.erase("num_key_value_heads");
    const bool third = std::any_of(header_.tensors.begin(), header_.tensors.end(),
                                   [](const auto& tensor) { return tensor.name.ends_with("exp_probs_b.bias"); }) ||
                       whole("expert_gating_func", 1) == 2;
    if (!third) return;
    config_["model_type"] = "deepseek_v3";
    config_["architectures"] = {"DeepseekV3ForCausalLM"};
  }

  // Layers that only guess further tokens are in the file and not in the network.
  void add_glm_experts() {
    const int64_t layers = whole("block_count", 0) - whole("nextn_predict_layers", 0);
    if (layers > 0) config_["num_hidden_layers"] = layers;
    config_["use_qk_norm"] = find("blk.0.attn_q_norm.weight") != nullptr;
    config_["attention_bias"] = find("blk.0.attn_q.bias") != nullptr;
  }

  Status copy(const Key& key) {
    const auto found = header_.settings.find(std::string(family_.architecture) + "." + std::string(key.setting));
    if (found == header_.settings.end()) return {};
    Json value;
    if (const auto* whole = std::get_if<int64_t>(&found->second)) value = *whole;
    else if (const auto* real = std::get_if<double>(&found->second)) value = *real;
    else if (const auto* many = std::get_if<GgufList>(&found->second);
             many && !many->numbers.empty() &&
             std::equal(many->numbers.begin() + 1, many->numbers.end(), many->numbers.begin()))
      value = many->numbers[0];
    else
      return user_error(
          fmt::format("{} is not one number, and layers that differ are not supported", in_quotes(found->first)),
          "its config.json can be read");
    for (const auto name : key.keys) config_[std::string(name)] = value;
    return {};
  }

  const GgufHeader& header_;
  const GgufFamily& family_;
  Json config_;
};

Result<const GgufFamily*> family_of(const GgufHeader& header) {
  const auto found = header.settings.find("general.architecture");
  const std::string* name = found == header.settings.end() ? nullptr : std::get_if<std::string>(&found->second);
  if (!name) return user_error("has no general.architecture, expected the name of a family");
  for (const auto& family : kFamilies)
    if (family.architecture == *name) return &family;
  return user_error(fmt::format("the architecture {} is not known", in_quotes(*name)),
                    "export it as .onnx, which works");
}

Count params_of(const Graph& graph) {
  Count params;
  for (const auto& value : graph.values) {
    if (value.role != Role::parameter) continue;
    Count numbers(1);
    for (const auto& dim : *value.shape) numbers = numbers * dim.size;
    params += numbers;
  }
  return params;
}

// Frequencies of rotary positions and corrections of routers are stored with the weights and learned by nobody.
Count params_of(const GgufHeader& header) {
  Count params;
  for (const auto& tensor : header.tensors)
    if (!tensor.name.starts_with("rope_") && !tensor.name.ends_with("exp_probs_b.bias")) params += tensor.numbers;
  return params;
}

// A file that is cut into several has the tensors of some blocks only.
Status check_blocks(const GgufHeader& header, std::string_view architecture) {
  const auto number = [&](const std::string& name) -> int64_t {
    const auto found = header.settings.find(name);
    const int64_t* whole = found == header.settings.end() ? nullptr : std::get_if<int64_t>(&found->second);
    return whole ? *whole : 0;
  };
  const int64_t stated = number(std::string(architecture) + ".block_count");
  std::set<std::string_view> blocks;
  for (const auto& tensor : header.tensors)
    if (tensor.name.starts_with("blk."))
      blocks.insert(std::string_view(tensor.name).substr(0, tensor.name.find('.', 4)));
  if (blocks.empty() || number("split.count") > 1 || stated == int64_t(blocks.size())) return {};
  return user_error(fmt::format("says that it has {} blocks, and its tensors are of {}", stated, blocks.size()),
                    "download it again, or use its config.json");
}

}  // namespace

Result<Graph> import_gguf(const ByteSource& source, const ConfigOptions& options) {
  PLIM_ASSIGN(const GgufHeader header, read_gguf_header(source));
  PLIM_ASSIGN(const GgufFamily* family, family_of(header));
  PLIM_TRY(check_blocks(header, family->architecture));
  PLIM_ASSIGN(const Json config, Translation(header, *family).config());
  PLIM_ASSIGN(Graph graph, import_config_text(config.dump(), options));
  if (header.tensors.empty()) return graph;
  const Count stored = params_of(header), built = params_of(graph);
  if (stored.overflowed()) return user_error("its tensors have more numbers than can be counted");
  if (stored != built)
    graph.notes.push_back(fmt::format("the file's tensors hold {} parameters, {} has {}", with_commas(stored.value()),
                                      family->class_name, with_commas(built.value())));
  return graph;
}

namespace {

struct GgufFormat {
  int64_t file_type, tensor_type;  // -1: none
  std::string_view name;
};

// Formats of llama.cpp: general.file_type of a whole file, and the type of one tensor. Of the larger and smaller mixes
// of a kind the middle one stands for all.
constexpr GgufFormat kFormats[] = {{1, 1, "f16"},      {2, 2, "q4_0"},     {3, 3, "q4_1"},     {7, 8, "q8_0"},
                                   {8, 6, "q5_0"},     {10, 10, "q2_k"},   {12, 11, "q3_k_m"}, {11, -1, "q3_k_m"},
                                   {13, -1, "q3_k_m"}, {14, -1, "q4_k_s"}, {15, 12, "q4_k_m"}, {17, 13, "q5_k_m"},
                                   {16, -1, "q5_k_m"}, {18, 14, "q6_k"},   {30, 23, "iq4_xs"}, {32, 30, "bf16"}};

int64_t most_used_type(const GgufHeader& header) {
  std::map<int64_t, double> numbers;
  for (const auto& tensor : header.tensors)
    if (tensor.sizes.size() > 1 && !tensor.numbers.overflowed())
      numbers[int64_t(tensor.type)] += double(tensor.numbers.value());
  int64_t most = -2;
  for (const auto& [type, count] : numbers)
    if (most == -2 || count > numbers[most]) most = type;
  return most;
}

}  // namespace

std::string gguf_weights(const std::string& path) {
  const auto source = open_regular_file(path, ".gguf");
  return source.ok() ? gguf_weights(**source) : "";
}

std::string gguf_weights(const ByteSource& source) {
  const auto header = read_gguf_header(source);
  if (!header.ok()) return "";
  const auto stated = header->settings.find("general.file_type");
  const int64_t* file = stated == header->settings.end() ? nullptr : std::get_if<int64_t>(&stated->second);
  const int64_t tensor = most_used_type(*header);
  for (const auto& format : kFormats)
    if (file ? format.file_type == *file : format.tensor_type == tensor) return std::string(format.name);
  return "";
}

Result<Graph> import_gguf(const std::string& path, const ConfigOptions& options) {
  PLIM_ASSIGN(const auto source, open_regular_file(path, ".gguf"));
  return import_gguf(*source, options);
}

}  // namespace plimsoll
