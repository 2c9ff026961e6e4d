#include "model/hf/qwen_vision.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace plimsoll {
namespace {

constexpr int64_t kSide = 32;  // patches of the picture that is counted

void set_blocks(const Config& config, DecoderSpec& spec, const std::string& up, const std::string& down) {
  spec.layers_name = "blocks";
  spec.norm_names = {"norm1", "norm2"};
  const auto rope = axial_rope(config, spec.layers[0].attention->head);
  for (auto& layer : spec.layers) {
    layer.mixer_scope = "attn";
    layer.attention->packed = "qkv";
    layer.attention->o = "proj";
    layer.attention->rope = rope;
    layer.mlp->up = up;
    layer.mlp->down = down;
  }
}

void read_patches(const Config& config, QwenVision& spec, int64_t patch) {
  const int64_t side = config.side("patch_size", patch), frames = config.side("temporal_patch_size", 2);
  spec.patch_numbers = config.size("in_channels|in_chans", 3) * frames * side * side;
  spec.merge = config.size("spatial_merge_size", 2);
  if (kSide % spec.merge != 0)
    config.fail(fmt::format("spatial_merge_size is {}, which does not divide {} patches", spec.merge, kSide));
  config.ignore({"in_chans", "tokens_per_second", "spatial_patch_size"});
}

// Windows of the second and a half: all but a few blocks see 8 × 8 patches at a time.
void set_vision_windows(const Config& config, DecoderSpec& spec, int64_t patch) {
  const int64_t window = std::max<int64_t>(1, config.size("window_size", 112) / std::max<int64_t>(1, patch));
  const auto full = config.counts("fullatt_block_indexes", {7, 15, 23, 31});
  for (size_t i = 0; i < spec.layers.size(); ++i)
    if (std::find(full.begin(), full.end(), int64_t(i)) == full.end())
      spec.layers[i].attention->chunk = window * window;
}

ValueId merged(Builder& b, const QwenVision& spec, const std::string& name, ValueId x, bool norm_after_merge) {
  const auto scope = b.enter(name);
  const int64_t joined = spec.encoder.width * spec.merge * spec.merge;
  const auto join = [&](ValueId y) { return b.reshape("joined", y, {0, -1, joined}); };
  const NormSpec norm_spec{spec.encoder.norm.kind, 1e-6, spec.encoder.norm.written_as};
  x = norm_after_merge ? norm(b, spec.merger_norm, join(x), norm_spec) : join(norm(b, spec.merger_norm, x, norm_spec));
  x = activate(b, "act", b.linear(spec.merger_up, x, joined), "gelu");
  return b.linear(spec.merger_down, x, spec.output);
}

}  // namespace

QwenVision read_qwen2_vision(const Config& config) {
  QwenVision spec;
  const int64_t width = config.size("embed_dim", 1280);
  spec.encoder =
      vision_layers(config, width, read_layer_count(config, "depth|num_hidden_layers", 32),
                    config.size("num_heads|num_attention_heads", 16), config.multiple(width, "mlp_ratio", 4), 1e-6);
  set_blocks(config, spec.encoder, "fc1", "fc2");
  for (auto& layer : spec.encoder.layers) layer.mlp->activation = read_activation(config, "hidden_act", "quick_gelu");
  spec.output = config.size("hidden_size", 3584);
  read_patches(config, spec, 14);
  return spec;
}

QwenVision read_qwen2_5_vision(const Config& config) {
  QwenVision spec;
  spec.encoder =
      vision_layers(config, config.size("hidden_size", 3584), read_layer_count(config, "depth|num_hidden_layers", 32),
                    config.size("num_heads|num_attention_heads", 16), config.size("intermediate_size", 3420), 1e-6);
  spec.encoder.norm = {NormKind::rms, 1e-6, "llama"};
  set_blocks(config, spec.encoder, "up_proj", "down_proj");
  for (auto& layer : spec.encoder.layers) {
    layer.mlp->gated = true;
    layer.mlp->activation = read_activation(config, "hidden_act", "silu");
  }
  spec.output = config.size("out_hidden_size", 3584);
  read_patches(config, spec, 14);
  set_vision_windows(config, spec.encoder, config.side("patch_size", 14));
  return spec;
}

QwenVision read_qwen3_vision(const Config& config, bool deep) {
  QwenVision spec;
  spec.encoder =
      vision_layers(config, config.size("hidden_size", 1152), read_layer_count(config, "depth|num_hidden_layers", 27),
                    config.size("num_heads|num_attention_heads", 16), config.size("intermediate_size", 4304), 1e-6);
  set_blocks(config, spec.encoder, "linear_fc1", "linear_fc2");
  for (auto& layer : spec.encoder.layers)
    layer.mlp->activation = read_activation(config, "hidden_act", "gelu_pytorch_tanh");
  spec.output = config.size("out_hidden_size", 3584);
  spec.positions = config.size("num_position_embeddings", 2304);
  spec.patch_bias = true;
  spec.merger_norm = "norm";
  spec.merger_up = "linear_fc1";
  spec.merger_down = "linear_fc2";
  if (deep) spec.deeper = config.counts("deepstack_visual_indexes", {8, 16, 24});
  for (const int64_t block : spec.deeper)
    if (block >= int64_t(spec.encoder.layers.size()))
      config.fail(
          fmt::format("deepstack_visual_indexes has {}, and there are {} blocks", block, spec.encoder.layers.size()));
  if (!deep) config.ignore({"deepstack_visual_indexes"});
  read_patches(config, spec, 16);
  return spec;
}

// Patches as rows of numbers: what a convolution over each of them by itself reads.
Seen look(Builder& b, const QwenVision& spec) {
  const ValueId patches = b.add_input("pixel_values", {kSide * kSide, spec.patch_numbers});
  const auto scope = b.enter("visual");
  ValueId x = b.linear("patch_embed.proj", patches, spec.encoder.width, spec.patch_bias);
  if (spec.positions > 0) {
    std::vector<int64_t> rows;
    for (int64_t i = 0; i < kSide * kSide; ++i) rows.push_back(i % spec.positions);
    const ValueId table = b.parameter("pos_embed.weight", {spec.positions, spec.encoder.width});
    x = b.add("add_position", x,
              b.apply("pos_embed", "gather", {table, b.constant("pos_embed.rows", integer_tensor(rows))},
                      {{"axis", int64_t{0}}}));
  }
  std::vector<ValueId> states;
  Surroundings around;
  around.states = &states;
  Seen seen;
  seen.tokens = merged(b, spec, "merger", decode_embedded(b, spec.encoder, x, around), false);
  for (size_t i = 0; i < spec.deeper.size() && !b.failed(); ++i)
    seen.deeper.push_back(
        merged(b, spec, fmt::format("deepstack_merger_list.{}", i), states[size_t(spec.deeper[i])], true));
  return seen;
}

}  // namespace plimsoll
