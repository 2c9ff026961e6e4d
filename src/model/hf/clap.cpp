// CLAP (Wu 2022): an encoder of text like RoBERTa's and one of sound, a Swin transformer over a spectrogram folded into
// a square, and how alike the two are. A sample is ten seconds.
#include "model/hf/bert.h"
#include "model/hf/swin.h"

namespace plimsoll {
namespace {

// Positions are numbered from after the padding token.
constexpr int64_t kClapFirst = 2;

struct ClapSound {
  SwinSpec swin;
  int64_t bins = 64, side = 256, stride = 4, weighed = 4;
  bool normed = true, fused = false;
};

ClapSound read_clap_sound(const Config& config) {
  ClapSound spec;
  spec.bins = config.size("num_mel_bins", 64);
  spec.side = config.size("spec_size", 256);
  spec.stride = config.is_list("patch_stride") ? config.side("patch_stride", 4) : config.size("patch_stride", 4);
  spec.weighed = config.size("aff_block_r", 4);
  spec.normed = config.flag("enable_patch_layer_norm", true);
  spec.fused = config.flag("enable_fusion", false);
  SwinSpec& swin = spec.swin;
  swin = {config.counts("depths", {2, 2, 6, 2}),
          config.counts("num_attention_heads", {4, 8, 16, 32}),
          config.size("patch_embeds_hidden_size", 96),
          spec.side,
          config.side("patch_size", 4),
          config.size("patch_embed_input_channels", 1),
          config.size("window_size", 8),
          config.number("mlp_ratio", 4),
          config.number("layer_norm_eps", 1e-5),
          config.flag("qkv_bias", true),
          false,
          read_activation(config, "hidden_act", "gelu")};
  swin.single_operations = true;
  check_swin(config, swin);
  if (spec.side > 4096 || spec.side % spec.bins != 0 || swin.patch != spec.stride || spec.side % swin.patch != 0)
    config.fail("spec_size, num_mel_bins, patch_size and patch_stride do not make patches of a folded spectrogram");
  if (config.has("fusion_type") && config.text("fusion_type", "") == "channel_map")
    config.fail("fusion_type is channel_map, which is not supported");
  if (swin.width % spec.weighed != 0) config.fail("aff_block_r does not divide patch_embeds_hidden_size");
  config.ignore({"hidden_size", "projection_dim", "num_hidden_layers", "num_classes"});
  return spec;
}

// What sounds longer than ten seconds are joined by.
void add_fusion(Builder& b, const ClapSound& spec) {
  const int64_t width = spec.swin.width, narrow = width / spec.weighed;
  const auto conv = [&](const std::string& name, int64_t out, int64_t in) {
    b.parameter(name + ".weight", {out, in, 1, 1});
    b.parameter(name + ".bias", {out});
  };
  const auto batch_norm = [&](const std::string& name, int64_t channels) {
    b.parameter(name + ".weight", {channels});
    b.parameter(name + ".bias", {channels});
    b.buffer(name + ".running_mean", {channels});
    b.buffer(name + ".running_var", {channels});
  };
  for (const std::string part : {"fusion_model.local_att.", "fusion_model.global_att."}) {
    const int64_t first = part.find("global") != std::string::npos ? 1 : 0;  // after a pooling
    const auto name = [&](int64_t i) { return part + std::to_string(first + i); };
    conv(name(0), narrow, width);
    batch_norm(name(1), narrow);
    conv(name(3), width, narrow);
    batch_norm(name(4), width);
  }
  b.parameter("mel_conv2d.weight", {width, spec.swin.channels, spec.swin.patch, 3 * spec.swin.patch});
  b.parameter("mel_conv2d.bias", {width});
}

ValueId hear_clap(Builder& b, const ClapSound& spec, ValueId sound) {
  const SwinSpec& swin = spec.swin;
  const auto scope = b.enter("audio_model.audio_encoder");
  ValueId x = b.batch_norm("batch_norm", sound);
  x = b.reshape("folded", x, {0, 1, spec.side, spec.side});
  if (swin.channels > 1) x = b.concat("channels", std::vector<ValueId>(size_t(swin.channels), x));
  x = b.conv("patch_embed.proj", x, swin.width,
             {.kernel = {swin.patch, swin.patch}, .stride = {spec.stride, spec.stride}});
  x = b.transpose("patch_embed.channels_last", x, {0, 2, 3, 1});
  if (spec.normed) x = b.layer_norm("patch_embed.norm", x);
  if (spec.fused) {
    const auto inside = b.enter("patch_embed");
    add_fusion(b, spec);
  }
  x = swin_stages(b, swin, x, "layers", "norm");
  return b.apply("avgpool", "reduce_mean", {x}, {{"axes", Sizes{1, 2}}, {"keepdims", int64_t{0}}});
}

ValueId clap_projected(Builder& b, const std::string& name, ValueId x, int64_t width, const std::string& activation) {
  x = activate(b, name + ".activation", b.linear(name + ".linear1", x, width), activation);
  return b.linear(name + ".linear2", x, width);
}

}  // namespace

Result<Graph> build_clap(const Request& request) {
  const Config& config = request.config;
  const Config words_part = config.part("text_config"), sounds = config.part("audio_config");
  BertSpec text = read_bert(words_part, 50'265);
  text.root = "text_model";
  text.types = words_part.count("type_vocab_size", 1);
  text.positions = words_part.size("max_position_embeddings", 514);
  const ClapSound spec = read_clap_sound(sounds);
  const int64_t width = config.size("projection_dim", 512);
  const std::string activation = read_activation(config, "projection_hidden_act", "relu");
  words_part.ignore({"projection_dim"});
  config.ignore({"hidden_size", "num_hidden_layers"});
  PLIM_TRY(config.finish());
  Builder b(request.name, {request.tokens(std::max<int64_t>(1, text.positions - kClapFirst))}, DType::i64);
  ValueId words;
  ValueId said = pool_first(b, text.root, encode_bert(b, text, words, kClapFirst));
  said = clap_projected(b, "text_projection", said, width, activation);
  const int64_t frames = spec.side * (spec.side / spec.bins);
  ValueId heard = hear_clap(b, spec, b.add_input("input_features", {spec.bins, frames}));
  heard = clap_projected(b, "audio_projection", heard, width, activation);
  const auto scale = [&](const std::string& name) {
    return b.apply(name + ".exp", "exp", {b.parameter(name, Shape{})});
  };
  const ValueId text_scale = scale("logit_scale_t"), sound_scale = scale("logit_scale_a");
  const ValueId alike = b.apply("logits", "matmul", {said, heard}, {{"transB", int64_t{1}}});
  return b.finish(
      b.apply("scaled_logits", "mul", {b.apply("logits_of_text", "mul", {alike, text_scale}), sound_scale}));
}

}  // namespace plimsoll
