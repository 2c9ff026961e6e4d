// SegFormer (Xie 2021): an encoder of pictures in stages whose keys are fewer than its queries, and a head that joins
// what all stages have left to a class for each pixel of a quarter of the picture.
#include <fmt/format.h>

#include "model/hf/vision.h"

namespace plimsoll {
namespace {

struct SegformerStage {
  int64_t width, depth, heads, patch, stride, fewer, ratio;
};
struct SegformerSpec {
  std::vector<SegformerStage> stages;
  int64_t channels, image, decoder;
  std::string activation;
};

SegformerSpec read_segformer(const Config& config) {
  SegformerSpec spec;
  const auto widths = config.counts("hidden_sizes", {32, 64, 160, 256}), depths = config.counts("depths", {2, 2, 2, 2}),
             heads = config.counts("num_attention_heads", {1, 2, 5, 8}),
             patches = config.counts("patch_sizes", {7, 3, 3, 3}), strides = config.counts("strides", {4, 2, 2, 2}),
             fewer = config.counts("sr_ratios", {8, 4, 2, 1}), ratios = config.counts("mlp_ratios", {4, 4, 4, 4});
  const size_t count = depths.size();
  bool good = count >= 1 && count <= 8;
  for (const auto* list : {&widths, &heads, &patches, &strides, &fewer, &ratios}) good = good && list->size() == count;
  for (size_t i = 0; good && i < count; ++i) {
    spec.stages.push_back({widths[i], depths[i], heads[i], patches[i], strides[i], fewer[i], ratios[i]});
    const SegformerStage& s = spec.stages.back();
    good = s.width >= 1 && s.width <= 1 << 20 && s.depth <= 1000 && s.heads >= 1 && s.width % s.heads == 0 &&
           s.patch >= 1 && s.patch <= 64 && s.stride >= 1 && s.fewer >= 1 && s.fewer <= 64 && s.ratio >= 1 &&
           s.ratio <= 1000;
  }
  if (!good || config.size("num_encoder_blocks", int64_t(count)) != int64_t(count)) {
    config.fail(
        "hidden_sizes, depths, num_attention_heads, patch_sizes, strides, sr_ratios and mlp_ratios do not make "
        "num_encoder_blocks stages");
    spec.stages = {{32, 2, 1, 7, 4, 8, 4}};
  }
  spec.channels = config.size("num_channels", 3);
  spec.image = config.side("image_size", 512);
  if (spec.image > 4096 || spec.image < 32) config.fail("image_size is not from 32 to 4096");
  spec.decoder = config.size("decoder_hidden_size", 256);
  spec.activation = read_activation(config, "hidden_act", "gelu");
  config.ignore({"downsampling_rates", "reshape_last_stage"});
  return spec;
}

struct Side {
  int64_t height, columns;
};

ValueId to_tokens(Builder& b, const std::string& name, ValueId x, int64_t width) {
  return b.transpose(name + ".tokens", b.reshape(name + ".flat", x, {0, width, -1}), {0, 2, 1});
}
ValueId to_picture(Builder& b, const std::string& name, ValueId x, int64_t width, Side side) {
  return b.reshape(name + ".picture", b.transpose(name + ".channels_first", x, {0, 2, 1}),
                   {0, width, side.height, side.columns});
}

ValueId segformer_layer(Builder& b, const SegformerSpec& spec, const SegformerStage& stage, Side side, ValueId x) {
  const NormSpec layer_norm{NormKind::layer, 1e-5, ""};
  const ValueId seen = norm(b, "layer_norm_1", x, layer_norm);
  ValueId y;
  {
    const auto scope = b.enter("attention");
    ValueId memory = seen;
    if (stage.fewer > 1) {
      memory = b.conv("self.sr", to_picture(b, "self.sr", seen, stage.width, side), stage.width,
                      {.kernel = {stage.fewer, stage.fewer}, .stride = {stage.fewer, stage.fewer}});
      memory = norm(b, "self.layer_norm", to_tokens(b, "self.sr", memory, stage.width), layer_norm);
    }
    AttentionSpec attention{.heads = stage.heads,
                            .kv_heads = stage.heads,
                            .head = std::max<int64_t>(1, stage.width / stage.heads),
                            .bias = true};
    attention.causal = attention.upcast = false;
    attention.q = "self.query";
    attention.k = "self.key";
    attention.v = "self.value";
    attention.o = "output.dense";
    y = attention_block(b, attention, seen, memory);
  }
  x = b.add("add_1", x, y);
  const int64_t inner = stage.width * stage.ratio;
  y = b.linear("mlp.dense1", norm(b, "layer_norm_2", x, layer_norm), inner);
  y = b.conv("mlp.dwconv.dwconv", to_picture(b, "mlp.dwconv", y, inner, side), inner,
             {.kernel = {3, 3}, .padding = {1, 1}, .groups = inner});
  y = activate(b, "mlp.act", to_tokens(b, "mlp.dwconv", y, inner), spec.activation);
  return b.add("add_2", x, b.linear("mlp.dense2", y, stage.width));
}

// What each stage leaves, as pictures.
std::vector<ValueId> segformer_stages(Builder& b, const SegformerSpec& spec) {
  std::vector<ValueId> left;
  ValueId x = b.input();
  for (size_t i = 0; i < spec.stages.size() && !b.failed(); ++i) {
    const SegformerStage& stage = spec.stages[i];
    const std::string name = fmt::format("encoder.patch_embeddings.{}", i);
    x = b.conv(name + ".proj", x, stage.width,
               {.kernel = {stage.patch, stage.patch},
                .stride = {stage.stride, stage.stride},
                .padding = {stage.patch / 2, stage.patch / 2}});
    if (b.failed()) break;
    const Side side{b.shape(x)[2], b.shape(x)[3]};
    x = norm(b, name + ".layer_norm", to_tokens(b, name, x, stage.width), {NormKind::layer, 1e-5, ""});
    for (int64_t k = 0; k < stage.depth && !b.failed(); ++k) {
      const auto scope = b.enter(fmt::format("encoder.block.{}.{}", i, k));
      x = segformer_layer(b, spec, stage, side, x);
    }
    const std::string last = fmt::format("encoder.layer_norm.{}", i);
    x = to_picture(b, last, norm(b, last, x, {NormKind::layer, 1e-5, ""}), stage.width, side);
    left.push_back(x);
  }
  return left;
}

ValueId classes_of_pixels(Builder& b, const SegformerSpec& spec, const std::vector<ValueId>& left, int64_t labels) {
  const auto scope = b.enter("decode_head");
  const Side first{b.shape(left[0])[2], b.shape(left[0])[3]};
  std::vector<ValueId> joined;
  for (size_t i = 0; i < left.size(); ++i) {
    const std::string name = fmt::format("linear_c.{}", i);
    const Side side{b.shape(left[i])[2], b.shape(left[i])[3]};
    ValueId x = b.linear(name + ".proj", to_tokens(b, name, left[i], spec.stages[i].width), spec.decoder);
    x = to_picture(b, name, x, spec.decoder, side);
    if (i > 0)
      x = b.apply(name + ".larger", "resize",
                  {x, {}, {}, b.constant(name + ".size", integer_tensor({first.height, first.columns}))},
                  {{"mode", std::string("linear")}, {"axes", Sizes{2, 3}}});
    joined.insert(joined.begin(), x);
  }
  ValueId x = b.conv("linear_fuse", b.concat("all_stages", joined), spec.decoder, {.kernel = {1, 1}, .bias = false});
  x = b.relu("activation", b.batch_norm("batch_norm", x));
  return b.conv("classifier", x, labels, {.kernel = {1, 1}});
}

}  // namespace

Result<Graph> build_segformer(const Request& request) {
  const Config& config = request.config;
  const SegformerSpec spec = read_segformer(config);
  const int64_t labels = read_labels(config);
  PLIM_TRY(config.finish());
  Builder b(request.name, {spec.channels, spec.image, spec.image});
  std::vector<ValueId> left;
  {
    const auto scope = b.enter(request.is_model_alone() ? "" : "segformer");
    left = segformer_stages(b, spec);
  }
  if (b.failed() || left.empty()) return b.finish(b.input());
  if (request.is_model_alone()) return b.finish(left.back());
  if (request.ends_with("ForSemanticSegmentation")) return b.finish(classes_of_pixels(b, spec, left, labels));
  const ValueId tokens = to_tokens(b, "last", left.back(), spec.stages.back().width);
  const ValueId mean = b.apply("mean", "reduce_mean", {tokens}, {{"axes", Sizes{1}}, {"keepdims", int64_t{0}}});
  return b.finish(b.linear("classifier", mean, labels));
}

}  // namespace plimsoll
