// Llama 4 (Meta 2025): attention in chunks with positions, every fourth layer over everything without, one expert a
// token beside a shared one; alone and with its encoder of pictures.
#include <fmt/format.h>

#include <algorithm>

#include "model/hf/llama.h"
#include "model/hf/vision.h"

namespace plimsoll {
namespace {

std::vector<int64_t> layers_with_experts(const Config& config, int64_t layers) {
  const int64_t step = config.size("interleave_moe_layer_step", 1);
  std::vector<int64_t> every;
  for (int64_t i = step - 1; i < layers; i += step) every.push_back(i);
  return config.counts("moe_layers", every);
}

// Layers whose queries and keys are turned, and which see a chunk.
std::vector<bool> layers_with_positions(const Config& config, int64_t layers) {
  const int64_t every = config.size("no_rope_layer_interval", 4);
  auto stated = config.counts("no_rope_layers");
  if (stated.empty())
    for (int64_t i = 0; i < layers; ++i) stated.push_back((i + 1) % every != 0);
  if (int64_t(stated.size()) != layers)
    config.fail(
        fmt::format("no_rope_layers has {} entries, expected one for each of {} layers", stated.size(), layers));
  stated.resize(size_t(layers));
  return {stated.begin(), stated.end()};
}

void set_llama4_attention(const Config& config, DecoderSpec& spec) {
  const auto turned = layers_with_positions(config, int64_t(spec.layers.size()));
  const bool norms = config.flag("use_qk_norm", true);
  const int64_t chunk = config.is_null("attention_chunk_size") ? 0 : config.count("attention_chunk_size", 8192);
  const auto types = config.words("layer_types");
  for (size_t i = 0; i < spec.layers.size(); ++i) {
    AttentionSpec& attention = *spec.layers[i].attention;
    const bool chunked = i < types.size() ? types[i] == "chunked_attention" : turned[i];
    if (chunked) attention.chunk = chunk;
    if (!turned[i]) attention.rope.reset();
    if (!turned[i] || !norms) continue;
    attention.qk_norm = QkNorm::each_head;
    attention.head_norm = {NormKind::rms_without_parameters, spec.norm.epsilon, "llama"};
    attention.q_norm = "qk_norm.q";
    attention.k_norm = "qk_norm.k";
    attention.turned_first = true;
  }
}

DecoderSpec read_llama4(const Config& config) {
  DecoderSpec spec = read_llama(config, {.width = 5120,
                                         .layers = 48,
                                         .inner = 8192,
                                         .heads = 40,
                                         .kv_heads = 8,
                                         .head = 128,
                                         .vocabulary = 202'048,
                                         .rope = {.theta = 500'000, .interleaved = true},
                                         .epsilon = 1e-5});
  MoeSpec moe{.experts = config.size("num_local_experts", 16),
              .top_k = config.size("num_experts_per_tok", 1),
              .width = spec.layers[0].mlp->width};
  moe.activation = spec.layers[0].mlp->activation;
  moe.scores = "sigmoid";
  moe.router = "router";
  moe.shared_width = moe.width;
  moe.shared_name = "shared_expert";
  const auto sparse = layers_with_experts(config, int64_t(spec.layers.size()));
  const int64_t dense = config.size("intermediate_size_mlp", 16'384);
  for (size_t i = 0; i < spec.layers.size(); ++i) {
    LayerSpec& layer = spec.layers[i];
    layer.mlp_scope = "feed_forward";
    layer.mlp->width = dense;
    if (std::find(sparse.begin(), sparse.end(), int64_t(i)) == sparse.end()) continue;
    layer.mlp.reset();
    layer.moe = moe;
  }
  set_llama4_attention(config, spec);
  config.ignore({"attn_temperature_tuning", "floor_scale", "attn_scale"});
  return spec;
}

struct Llama4Vision {
  VisionSpec vision;
  int64_t ratio = 2, projected = 4096, output = 4096;  // so many tokens of each side become one

  int64_t tokens() const { return vision.patch_count() / (ratio * ratio); }
};

Llama4Vision read_llama4_vision(const Config& config) {
  Llama4Vision spec;
  VisionSpec& vision = spec.vision;
  read_image(config, vision, 448, 14);
  vision.encoder =
      vision_layers(config, config.size("hidden_size", 768), read_layer_count(config, "num_hidden_layers", 34),
                    config.size("num_attention_heads", 16), config.size("intermediate_size", 5632), 1e-5);
  vision.encoder.norm_names = {"input_layernorm", "post_attention_layernorm"};
  vision.encoder.layers_name = "model.layers";
  vision.encoder.embedding_norm = vision.encoder.final_norm = true;
  vision.encoder.embedding_norm_name = "layernorm_pre";
  vision.encoder.final_norm_name = "layernorm_post";
  const auto rope = axial_rope(config, vision.encoder.layers[0].attention->head);
  for (auto& layer : vision.encoder.layers) {
    layer.attention->o = "o_proj";
    layer.attention->rope = rope;
  }
  vision.patch_bias = false;
  vision.patches = "patch_embedding.linear";
  vision.positions = "positional_embedding_vlm";
  vision.tokens = {"class_embedding"};
  const double ratio = config.number("pixel_shuffle_ratio", 0.5);
  spec.ratio = ratio > 0 && ratio <= 1 ? int64_t(1 / ratio + 0.5) : 1;
  if (!(ratio > 0) || ratio > 1 || vision.patch_count() % (spec.ratio * spec.ratio) != 0)
    config.fail(
        fmt::format("pixel_shuffle_ratio is {}, which does not divide {} patches", ratio, vision.patch_count()));
  if (vision.encoder.width * spec.ratio * spec.ratio != vision.encoder.layers[0].mlp->width)
    config.fail("intermediate_size of vision_config is not hidden_size times the patches that become one token");
  spec.projected = config.size("projector_input_dim", 4096);
  spec.output = config.size("projector_output_dim", 4096);
  if (spec.projected != spec.output) config.fail("projector_input_dim and projector_output_dim differ");
  if (config.size("vision_output_dim", 7680) != spec.output)
    config.fail("vision_output_dim is not projector_output_dim");
  config.ignore({"hidden_act", "multi_modal_projector_bias", "norm_eps", "rope_theta", "rope_parameters",
                 "vision_feature_layer"});
  return spec;
}

ValueId look_llama4(Builder& b, const Llama4Vision& spec, int64_t width) {
  const ValueId picture = b.add_input("pixel_values", {spec.vision.channels, spec.vision.image, spec.vision.image});
  ValueId x;
  {
    const auto scope = b.enter("vision_model");
    x = decode_embedded(b, spec.vision.encoder, embed_patches(b, spec.vision, picture));
    x = without_first_tokens(b, "patches", x, 1);
    x = b.reshape("vision_adapter.pixel_shuffle", x, {0, spec.tokens(), -1});
    x = activate(b, "vision_adapter.mlp.act_1", b.linear("vision_adapter.mlp.fc1", x, spec.projected, false), "gelu");
    x = activate(b, "vision_adapter.mlp.act_2", b.linear("vision_adapter.mlp.fc2", x, spec.output, false), "gelu");
  }
  return b.linear("multi_modal_projector.linear_1", x, width, false);
}

}  // namespace

Result<Graph> build_llama4_text(const Request& request) {
  return finish_llama(request, read_llama4(request.config), read_positions(request.config, 131'072));
}

Result<Graph> build_llama4(const Request& request) {
  const Config& config = request.config;
  // The text alone may come with the whole's configuration.
  const bool alone = request.ends_with("ForCausalLM");
  const Config text = alone && !config.has("text_config") ? config : config.part("text_config");
  if (alone) {
    config.ignore({"vision_config"});
    return build_text_part(request, text, "llama4_text", text.flag("tie_word_embeddings", false), nullptr);
  }
  const Llama4Vision vision = read_llama4_vision(config.part("vision_config"));
  const int64_t width = text.size("hidden_size", 5120);
  return build_text_part(request, text, "llama4_text", config.flag("tie_word_embeddings", false),
                         [vision, width](Builder& b) {
                           return Seen{look_llama4(b, vision, width), {}};
                         });
}

}  // namespace plimsoll
