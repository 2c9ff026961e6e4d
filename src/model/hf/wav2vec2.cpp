// wav2vec 2.0 (Baevski 2020), HuBERT (Hsu 2021), UniSpeech (Wang 2021) and WavLM (Chen 2021), whose heads weigh how far
// away a sound is: seven convolutions over a second of sound or more, then an encoder
// whose positions are a convolution too. A sample is five seconds at 16 kHz.
#include <fmt/format.h>

#include "model/hf/request.h"

namespace plimsoll {
namespace {

constexpr int64_t kSamples = 80'000;

struct SpeechSpec {
  DecoderSpec encoder;
  std::vector<int64_t> channels, kernels, strides;
  bool conv_bias = false, norms_each = false, norms_features = true, masks = true;
  std::string activation;
  int64_t position_kernel = 128, position_groups = 16;
  int64_t buckets = 0, far = 800;  // of distances, which bend the scores of attention; 0: none
};

SpeechSpec read_speech(const Config& config) {
  SpeechSpec spec;
  DecoderSpec& e = spec.encoder;
  e.width = config.size("hidden_size");
  e.root = "";
  e.norm = {NormKind::layer, config.number("layer_norm_eps", 1e-5), ""};
  const bool before = config.flag("do_stable_layer_norm", false);
  e.block = before ? BlockForm::sequential : BlockForm::norm_of_sum;
  e.norm_names = {"layer_norm", "final_layer_norm"};
  e.layers_name = "encoder.layers";
  e.final_norm_name = e.embedding_norm_name = "encoder.layer_norm";
  e.final_norm = before;
  e.embedding_norm = !before;
  const int64_t heads = config.size("num_attention_heads", 12);
  if (e.width % heads != 0) config.fail("num_attention_heads does not divide hidden_size");
  LayerSpec layer;
  layer.mixer_scope = "attention";
  layer.mlp_scope = "feed_forward";
  layer.attention = AttentionSpec{.heads = heads, .kv_heads = heads, .head = std::max<int64_t>(1, e.width / heads)};
  layer.attention->bias = true;
  layer.attention->o = "out_proj";
  layer.attention->causal = layer.attention->upcast = false;
  layer.mlp = FeedForwardSpec{.width = config.size("intermediate_size", 3072), .gated = false, .bias = true};
  layer.mlp->up = "intermediate_dense";
  layer.mlp->down = "output_dense";
  layer.mlp->activation = read_activation(config, "hidden_act", "gelu");
  e.layers.assign(size_t(read_layer_count(config, "num_hidden_layers")), layer);
  spec.channels = config.counts("conv_dim", {512, 512, 512, 512, 512, 512, 512});
  spec.kernels = config.counts("conv_kernel", {10, 3, 3, 3, 3, 2, 2});
  spec.strides = config.counts("conv_stride", {5, 2, 2, 2, 2, 2, 2});
  const size_t convs = spec.channels.size();
  bool good = convs > 0 && convs <= 64 && spec.kernels.size() == convs && spec.strides.size() == convs;
  for (size_t i = 0; good && i < convs; ++i) good = spec.channels[i] > 0 && spec.kernels[i] > 0 && spec.strides[i] > 0;
  if (!good) config.fail("conv_dim, conv_kernel and conv_stride are not lists of the same length of sizes above 0");
  spec.conv_bias = config.flag("conv_bias", false);
  spec.norms_each = config.text("feat_extract_norm", "group") == "layer";
  spec.norms_features = config.flag("feat_proj_layer_norm", true);
  spec.masks = config.number("mask_time_prob", 0.05) > 0 || config.number("mask_feature_prob", 0) > 0;
  spec.activation = read_activation(config, "feat_extract_activation", "gelu");
  spec.position_kernel = config.size("num_conv_pos_embeddings", 128);
  spec.position_groups = config.size("num_conv_pos_embedding_groups", 16);
  for (const auto* flag : {"add_adapter", "use_weighted_layer_sum", "conv_pos_batch_norm"})
    if (config.flag(flag, false)) config.fail(fmt::format("{} is true, which is not supported", flag));
  if (config.has("adapter_attn_dim")) config.fail("adapter_attn_dim is set, which is not supported");
  config.ignore({"num_feat_extract_layers", "num_codevectors_per_group", "num_codevector_groups", "num_negatives",
                 "codevector_dim", "proj_codevector_dim", "tdnn_dim", "tdnn_kernel", "tdnn_dilation",
                 "xvector_output_dim", "adapter_kernel_size", "adapter_stride", "num_adapter_layers",
                 "output_hidden_size", "conv_stride", "num_ctc_classes", "num_clusters"});
  return spec;
}

ValueId features(Builder& b, const SpeechSpec& spec, ValueId sound) {
  ValueId x = sound;
  for (size_t i = 0; i < spec.channels.size() && !b.failed(); ++i) {
    const auto scope = b.enter(fmt::format("feature_extractor.conv_layers.{}", i));
    x = b.conv("conv", x, spec.channels[i],
               {.kernel = {spec.kernels[i]}, .stride = {spec.strides[i]}, .bias = spec.conv_bias});
    if (b.failed()) return x;
    const auto affine = [&](const char* name) { return b.parameter(name, {spec.channels[i]}); };
    if (spec.norms_each) {
      x = norm(b, "layer_norm", b.transpose("last", x, {0, 2, 1}), {NormKind::layer, 1e-5, ""});
      x = b.transpose("first", x, {0, 2, 1});
    } else if (i == 0) {
      x = b.apply("layer_norm", "instance_norm", {x, affine("layer_norm.weight"), affine("layer_norm.bias")},
                  {{"epsilon", 1e-5}});
    }
    x = activate(b, "act", x, spec.activation);
  }
  return b.transpose("channels_last", x, {0, 2, 1});
}

// A convolution whose weight is stored as a direction and a length for each place of the kernel.
ValueId positions(Builder& b, const SpeechSpec& spec, ValueId x) {
  if (b.failed()) return x;
  const auto scope = b.enter("encoder.pos_conv_embed.conv");
  const int64_t width = spec.encoder.width, kernel = spec.position_kernel;
  if (width % spec.position_groups != 0) {
    b.fail(user_error("num_conv_pos_embedding_groups does not divide hidden_size"));
    return x;
  }
  const ValueId length = b.parameter("weight_g", {1, 1, kernel});
  const ValueId direction = b.parameter("weight_v", {width, width / spec.position_groups, kernel});
  const ValueId size = b.apply("size", "reduce_l2", {direction}, {{"axes", Sizes{0, 1}}, {"keepdims", int64_t{1}}});
  const ValueId weight = b.apply("weight", "mul", {direction, b.apply("ratio", "div", {length, size})});
  ValueId y =
      b.apply("conv", "conv", {b.transpose("channels_first", x, {0, 2, 1}), weight, b.parameter("bias", {width})},
              {{"kernel_shape", Sizes{kernel}},
               {"pads", Sizes{kernel / 2, kernel / 2 - (kernel % 2 == 0 ? 1 : 0)}},
               {"group", spec.position_groups}});
  y = activate(b, "act", b.transpose("channels_last", y, {0, 2, 1}), spec.activation);
  return b.add("add", x, y);
}

std::string speech_root(const Request& request) {
  for (const auto& [prefix, root] : {std::pair("Hubert", "hubert"), std::pair("UniSpeechSat", "unispeech_sat"),
                                     std::pair("UniSpeech", "unispeech"), std::pair("WavLM", "wavlm")})
    if (request.architecture.starts_with(prefix)) return root;
  return "wav2vec2";
}

// One table of distances, stored with the first layer.
ValueId speech_distances(Builder& b, const SpeechSpec& spec, ValueId x) {
  if (spec.buckets == 0 || b.failed()) return {};
  const int64_t heads = spec.encoder.layers[0].attention->heads, length = b.shape(x)[1];
  return b.apply("encoder.layers.0.attention.distances", "relative_bias",
                 {b.parameter("encoder.layers.0.attention.rel_attn_embed.weight", {spec.buckets, heads})},
                 {{"queries", length}, {"keys", length}, {"max_distance", spec.far}, {"bidirectional", int64_t{1}}});
}

}  // namespace

Result<Graph> build_wav2vec2(const Request& request) {
  const Config& config = request.config;
  SpeechSpec spec = read_speech(config);
  if (request.architecture.starts_with("WavLM")) {
    spec.buckets = config.size("num_buckets", 320);
    spec.far = config.size("max_bucket_distance", 800);
    if (spec.buckets < 4 || spec.far <= spec.buckets / 4)
      config.fail("num_buckets is below 4 or max_bucket_distance inside of the near ones");
    for (auto& layer : spec.encoder.layers) layer.attention->gated_bias = layer.attention->single_operations = true;
  }
  const int64_t letters = config.size("vocab_size", 32), labels = read_labels(config),
                projected = config.size("classifier_proj_size", 256);
  if (request.ends_with("ForPreTraining")) config.fail("the pre-training head with code vectors is not supported");
  PLIM_TRY(config.finish());
  Builder b(request.name, {1, kSamples});
  ValueId x;
  {
    const auto scope = b.enter(speech_root(request));
    x = features(b, spec, b.input());
    if (spec.norms_features) x = norm(b, "feature_projection.layer_norm", x, spec.encoder.norm);
    x = b.linear("feature_projection.projection", x, spec.encoder.width);
    if (spec.masks) b.parameter("masked_spec_embed", {spec.encoder.width});
    x = positions(b, spec, x);
    Surroundings around;
    around.score_bias = speech_distances(b, spec, x);
    x = decode_embedded(b, spec.encoder, x, around);
  }
  if (request.ends_with("ForCTC")) return b.finish(b.linear("lm_head", x, letters));
  if (request.is_model_alone()) return b.finish(x);
  x = b.linear("projector", x, projected);
  x = b.apply("mean", "reduce_mean", {x}, {{"axes", Sizes{1}}, {"keepdims", int64_t{0}}});
  return b.finish(b.linear("classifier", x, labels));
}

}  // namespace plimsoll
