// Networks of text whose encoder of pictures is their own: Kimi K2.5 (Moonshot AI 2026), and GLM-4.1V to 4.6V (Zhipu AI
// 2025), text of which may have experts. A sample has one picture of 32 × 32 patches.
#include <fmt/format.h>

#include "model/hf/vision.h"

namespace plimsoll {
namespace {

constexpr int64_t kPatchSide = 32;  // on a side

// Rows of a learned square, taken again from its beginning where the picture has more patches.
ValueId square_positions(Builder& b, const std::string& name, ValueId table, int64_t rows) {
  std::vector<int64_t> index;
  for (int64_t i = 0; i < kPatchSide * kPatchSide; ++i) index.push_back(i % std::max<int64_t>(1, rows));
  return b.apply(name, "gather", {table, b.constant(name + ".rows", integer_tensor(index))}, {{"axis", int64_t{0}}});
}

struct KimiVision {
  DecoderSpec encoder;
  int64_t patch = 14, high = 64, wide = 64, merge_high = 2, merge_wide = 2, projected = 1152;
  double epsilon = 1e-5;
};

KimiVision read_kimi_vision(const Config& config) {
  KimiVision spec;
  const int64_t heads = config.size("num_attention_heads|vt_num_attention_heads", 16);
  spec.encoder = vision_layers(config, config.size("hidden_size|vt_hidden_size", 1152),
                               read_layer_count(config, "num_hidden_layers|vt_num_hidden_layers", 27), heads,
                               config.size("intermediate_size|vt_intermediate_size", 4304), 1e-5);
  spec.encoder.norm_names = {"norm0", "norm1"};
  spec.encoder.final_norm = true;
  spec.encoder.final_norm_name = "final_layernorm";
  const std::string activation = read_activation(config, "hidden_act", "gelu_pytorch_tanh");
  const auto rope = axial_rope(config, spec.encoder.layers[0].attention->head);
  for (auto& layer : spec.encoder.layers) {
    layer.mixer_scope = "attn";
    layer.attention->o = "proj";
    layer.attention->rope = rope;
    layer.mlp->activation = activation;
  }
  spec.patch = config.side("patch_size", 14);
  spec.high = config.size("pos_emb_height|init_pos_emb_height", 64);
  spec.wide = config.size("pos_emb_width|init_pos_emb_width", 64);
  if (spec.high > 4096 || spec.wide > 4096 || spec.patch > 1024)
    config.fail("patch_size, pos_emb_height or pos_emb_width is too large");
  const auto merge = config.counts("merge_kernel_size", {2, 2});
  const bool good =
      merge.size() == 2 && merge[0] >= 1 && merge[1] >= 1 && kPatchSide % merge[0] == 0 && kPatchSide % merge[1] == 0;
  if (!good) config.fail("merge_kernel_size is not two numbers that divide 32 patches");
  if (good) {
    spec.merge_high = merge[0];
    spec.merge_wide = merge[1];
  }
  config.ignore({"pos_emb_time", "init_pos_emb_time", "mm_hidden_size", "text_hidden_size", "pos_emb_type"});
  return spec;
}

ValueId look_kimi(Builder& b, const KimiVision& spec, int64_t text_width) {
  const int64_t width = spec.encoder.width, joined = width * spec.merge_high * spec.merge_wide;
  const ValueId patches = b.add_input("pixel_values", {kPatchSide * kPatchSide, 3 * spec.patch * spec.patch});
  ValueId x;
  {
    const auto scope = b.enter("vision_tower");
    x = b.linear("patch_embed.proj", patches, width);
    const ValueId square = b.parameter("patch_embed.pos_emb.position_embeddings", {spec.high * spec.wide, width});
    x = b.add("add_position", x, square_positions(b, "positions", square, spec.high * spec.wide));
    x = decode_embedded(b, spec.encoder, x);
  }
  const auto scope = b.enter("mm_projector");
  x = norm(b, "pre_norm", x, {NormKind::layer, spec.epsilon, ""});
  x = b.linear("in_proj", b.reshape("joined", x, {0, -1, joined}), joined);
  return b.linear("out_proj", b.apply("act", "gelu", {x}), text_width);
}

struct GlmVision {
  DecoderSpec encoder;
  int64_t numbers = 1176, merge = 2, output = 4096, inner = 13'696, positions = 576;
  std::string activation = "silu";
};

GlmVision read_glm_vision(const Config& config) {
  GlmVision spec;
  const int64_t width = config.size("hidden_size", 1536), heads = config.size("num_heads|num_attention_heads", 12);
  spec.output = config.size("out_hidden_size", 4096);
  spec.inner = config.size("intermediate_size", 13'696);
  spec.encoder = vision_layers(config, width, read_layer_count(config, "depth|num_hidden_layers", 24), heads,
                               spec.output, config.number("rms_norm_eps", 1e-5));
  spec.encoder.norm.kind = NormKind::rms;
  spec.encoder.norm.written_as = "llama";
  spec.encoder.layers_name = "blocks";
  spec.encoder.norm_names = {"norm1", "norm2"};
  spec.encoder.final_norm = true;
  spec.encoder.final_norm_name = "post_layernorm";
  spec.activation = read_activation(config, "hidden_act", "silu");
  const bool bias = config.flag("attention_bias", false);
  const auto rope = axial_rope(config, spec.encoder.layers[0].attention->head);
  for (auto& layer : spec.encoder.layers) {
    layer.mixer_scope = "attn";
    layer.attention->packed = "qkv";
    layer.attention->o = "proj";
    layer.attention->bias = bias;
    layer.attention->output_bias = false;
    layer.attention->rope = rope;
    layer.mlp = FeedForwardSpec{.width = spec.output, .activation = spec.activation};
  }
  const int64_t patch = config.side("patch_size", 14), image = config.side("image_size", 336),
                frames = config.side("temporal_patch_size", 2);
  spec.numbers = config.size("in_channels", 3) * frames * patch * patch;
  spec.positions = std::max<int64_t>(1, (image / patch) * (image / patch));
  spec.merge = config.size("spatial_merge_size", 2);
  if (kPatchSide % spec.merge != 0 || image > 16'384 || patch > image)
    config.fail("image_size, patch_size and spatial_merge_size do not make patches that can be merged");
  return spec;
}

ValueId look_glm(Builder& b, const GlmVision& spec) {
  const int64_t width = spec.encoder.width;
  const ValueId patches = b.add_input("pixel_values", {kPatchSide * kPatchSide, spec.numbers});
  const auto scope = b.enter("visual");
  ValueId x = norm(b, "post_conv_layernorm", b.linear("patch_embed.proj", patches, width), spec.encoder.norm);
  const ValueId square = b.parameter("embeddings.position_embedding.weight", {spec.positions, width});
  x = b.add("add_position", x, square_positions(b, "embeddings.position_embedding", square, spec.positions));
  x = decode_embedded(b, spec.encoder, x);
  x = b.linear("downsample", b.reshape("joined", x, {0, -1, width * spec.merge * spec.merge}), spec.output);
  const auto inside = b.enter("merger");
  x = norm(b, "post_projection_norm", b.linear("proj", x, spec.output, false), {NormKind::layer, 1e-5, ""});
  return feed_forward_block(b, {.width = spec.inner, .activation = spec.activation}, b.apply("act1", "gelu", {x}));
}

}  // namespace

Result<Graph> build_kimi_k2_5(const Request& request) {
  const Config& config = request.config;
  const Config text = config.part("text_config"), pictures = config.part("vision_config");
  KimiVision vision = read_kimi_vision(pictures);
  vision.epsilon = config.number("projection_layer_norm_eps", 1e-5);
  vision.projected = config.size("projection_hidden_size", 1152);
  if (vision.projected != vision.encoder.width)
    config.fail("projection_hidden_size is not hidden_size of vision_config");
  const int64_t width = text.size("hidden_size", 7168);
  config.ignore({"hidden_size", "vocab_size"});
  const Sight sight = [=](Builder& b) { return Seen{look_kimi(b, vision, width), {}}; };
  return build_text_part(request, text, "deepseek_v3", config.flag("tie_word_embeddings", true), sight);
}

Result<Graph> build_glm4v(const Request& request) {
  const Config& config = request.config;
  const Config text = config.part("text_config");
  const GlmVision vision = read_glm_vision(config.part("vision_config"));
  const bool experts = request.architecture.starts_with("Glm4vMoe");
  if (text.size("hidden_size", 4096) != vision.output)
    config.fail("the vision part does not end in the width of the text: out_hidden_size is not hidden_size");
  config.ignore({"hidden_size", "vocab_size"});
  const bool tied = config.flag("tie_word_embeddings", false) || text.flag("tie_word_embeddings", false);
  const Sight sight = [=](Builder& b) { return Seen{look_glm(b, vision), {}}; };
  return build_text_part(request, text, experts ? "glm4v_moe_text" : "glm4v_text", tied, sight);
}

}  // namespace plimsoll
