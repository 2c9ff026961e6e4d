#include "model/hf/towers.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/text.h"

namespace plimsoll {

ValueId siglip_pooling(Builder& b, const VisionSpec& spec, ValueId x) {
  if (b.failed()) return x;
  const auto scope = b.enter("head");
  const int64_t width = spec.encoder.width, heads = spec.encoder.layers[0].attention->heads;
  // One query for every sample: its product is taken once and repeated by what it is added to.
  const ValueId probe = b.parameter("probe", {1, 1, width});
  const ValueId zero = scaled_by(b, "batch", take_token(b, "batch.token", x, 0), 0);
  const ValueId query = b.add("query", b.reshape("batch.row", zero, {0, 1, width}), probe);
  AttentionSpec attention{.heads = heads, .kv_heads = heads, .head = width / heads, .bias = true};
  attention.causal = false;
  attention.o = "out_proj";
  ValueId y;
  {
    const auto inner = b.enter("attention");
    y = attention_block(b, attention, query, x);
  }
  ValueId z = norm(b, "layernorm", y, spec.encoder.norm);
  {
    const auto inner = b.enter("mlp");
    z = feed_forward_block(b, *spec.encoder.layers[0].mlp, z);
  }
  return b.reshape("pooled", b.add("add", y, z), {0, width});
}

VisionSpec read_internvl_vision(const Config& config) {
  VisionSpec spec;
  spec.encoder =
      vision_layers(config, config.size("hidden_size", 1024), read_layer_count(config, "num_hidden_layers", 24),
                    config.size("num_attention_heads", 16), config.size("intermediate_size", 4096),
                    config.number("layer_norm_eps", 1e-6));
  DecoderSpec& encoder = spec.encoder;
  if (config.text("norm_type", "layer_norm") == "rms_norm") encoder.norm = {NormKind::rms, 1e-6, "llama"};
  encoder.norm_names = {"layernorm_before", "layernorm_after"};
  encoder.layers_name = "encoder.layer";
  encoder.final_norm = !config.flag("use_mean_pooling", true);
  encoder.final_norm_name = "layernorm";
  const bool bias = config.flag("attention_bias", false), norms = config.flag("use_qk_norm", false);
  for (auto& layer : encoder.layers) {
    layer.mixer_scope = "attention";
    layer.attention->bias = bias;
    layer.attention->output_bias = true;
    layer.attention->o = "projection_layer";
    layer.attention->qk_norm = norms ? QkNorm::whole : QkNorm::none;
    layer.attention->head_norm = {NormKind::rms, 1e-6, "llama"};
    layer.mlp->activation = read_activation(config, "hidden_act", "gelu");
    layer.mixer_scale = "lambda_1";
    layer.mlp_scale = "lambda_2";
  }
  if (config.flag("use_mask_token", false)) spec.unread = {"mask_token"};
  if (!config.flag("use_absolute_position_embeddings", true)) spec.positions = "";
  read_image(config, spec, 448, 14);
  return spec;
}

Config usual_part(const std::string& family) {
  Config::Json part = {{"hidden_size", 1024}, {"intermediate_size", 4096}, {"patch_size", 14},
                       {"image_size", 336},   {"num_hidden_layers", 24},   {"num_attention_heads", 16}};
  part["model_type"] = "clip_vision_model";
  if (family == "mistral3") part.update({{"model_type", "pixtral"}, {"image_size", 1540}});
  if (family == "llava_onevision" || family == "paligemma")
    part.update({{"model_type", "siglip_vision_model"}, {"hidden_size", 1152}, {"vision_use_head", false}});
  if (family == "llava_onevision")
    part.update({{"intermediate_size", 4304}, {"image_size", 384}, {"num_hidden_layers", 26}});
  if (family == "cohere2_vision")
    part.update({{"model_type", "siglip_vision_model"},
                 {"hidden_size", 1152},
                 {"intermediate_size", 3072},
                 {"image_size", 512},
                 {"patch_size", 16},
                 {"num_hidden_layers", 27},
                 {"num_attention_heads", 12}});
  if (family == "paligemma") part.update({{"image_size", 224}, {"num_hidden_layers", 27}});
  return Config(part);
}

Tower read_tower(const Config& config, const std::string& usual) {
  const std::string type = config.text("model_type", usual);
  Tower tower;
  if (type == "clip_vision_model") {
    tower.vision = read_clip_vision(config, false);
    tower.post_norm = true;
  } else if (type == "siglip_vision_model") {
    tower.vision = read_siglip_vision(config, false);
    tower.pools = config.flag("vision_use_head", true);
  } else if (type == "siglip2_vision_model") {
    tower.vision = read_siglip2_vision(config);
    tower.pools = config.flag("vision_use_head", true);
  } else if (type == "idefics3_vision" || type == "smolvlm_vision" || type == "idefics3" || type == "smolvlm") {
    tower.vision = read_siglip_vision(config, false, {.width = 1152, .heads = 16, .patch = 32});
    tower.scope = "vision_model";
  } else if (type == "pixtral") {
    tower.vision = read_pixtral_vision(config);
  } else if (type == "internvl_vision") {
    tower.vision = read_internvl_vision(config);
  } else {
    config.fail(fmt::format("the vision part is of the type {}, which is not supported", in_quotes(type)),
                "export it as .onnx, which works");
    tower.vision = read_siglip_vision(Config(Config::Json::object()), false);
  }
  config.ignore({"vocab_size", "projection_dim", "tie_word_embeddings", "num_image_tokens", "num_positions",
                 "max_image_size", "size", "use_base_siglip", "num_image_embeds", "head_dim"});
  return tower;
}

ValueId look_through(Builder& b, const Tower& tower, const std::vector<int64_t>& layers) {
  const VisionSpec& spec = tower.vision;
  const ValueId picture = b.add_input("pixel_values", {spec.channels, spec.image, spec.image});
  const auto scope = b.enter(tower.scope);
  std::vector<ValueId> states, chosen;
  Surroundings around;
  around.states = &states;
  const ValueId last = decode_embedded(b, spec.encoder, embed_patches(b, spec, picture), around);
  if (b.failed()) return last;
  if (tower.post_norm) norm(b, "post_layernorm", take_token(b, "class_token", last, 0), spec.encoder.norm);
  if (tower.pools) siglip_pooling(b, spec, last);
  const auto count = int64_t(states.size());
  for (const int64_t layer : layers) {
    // Counted from the end, or from the embedding, which is layer 0.
    const int64_t at = layer < 0 ? count + layer : layer - 1;
    if (at < 0 || at >= count) {
      b.fail(user_error(fmt::format("vision_feature_layer is {}, and there are {} layers", layer, count)));
      return last;
    }
    chosen.push_back(at == count - 1 ? last : states[size_t(at)]);
  }
  return chosen.size() == 1 ? chosen[0] : b.concat("features", chosen, -1);
}

}  // namespace plimsoll
