// BLIP (Li 2022): a BERT whose layers also look at a picture, to say what it sees, to answer or to compare.
#include "model/hf/bert.h"
#include "model/hf/vision.h"

namespace plimsoll {
namespace {

VisionSpec read_blip_vision(const Config& config) {
  VisionSpec spec;
  const int64_t width = config.size("hidden_size", 768);
  spec.encoder = vision_layers(config, width, read_layer_count(config, "num_hidden_layers", 12),
                               config.size("num_attention_heads", 12), config.size("intermediate_size", 3072),
                               config.number("layer_norm_eps", 1e-5));
  const std::string activation = read_activation(config, "hidden_act", "gelu");
  for (auto& layer : spec.encoder.layers) {
    layer.attention->packed = "qkv";
    layer.attention->single_operations = true;
    layer.attention->o = "projection";
    layer.mlp->activation = activation;
  }
  spec.encoder.layers_name = "encoder.layers";
  spec.encoder.norm_names = {"layer_norm1", "layer_norm2"};
  spec.encoder.final_norm = true;
  spec.encoder.final_norm_name = "post_layernorm";
  spec.patches = "embeddings.patch_embedding";
  spec.positions = "embeddings.position_embedding";
  spec.tokens = {"embeddings.class_embedding"};
  read_image(config, spec, 384, 16);
  config.ignore({"projection_dim", "num_channels"});
  return spec;
}

// `looks`: layers have a second attention, over the picture.
BertSpec read_blip_text(const Config& config, bool looks) {
  BertSpec spec;
  const int64_t width = config.size("hidden_size", 768);
  spec.encoder = read_bert_layers(config, width, 8, 3072);
  spec.encoder.vocabulary = config.size("vocab_size", 30'524);
  spec.encoder.cross_norm = "crossattention.output.LayerNorm";
  spec.embedding = width;
  spec.types = 0;
  spec.positions = config.size("max_position_embeddings", 512);
  for (auto& layer : spec.encoder.layers) {
    layer.attention->causal = looks;
    layer.attention->single_operations = true;
    if (!looks) continue;
    layer.cross = layer.attention;
    layer.cross->causal = false;
    layer.cross_scope = "crossattention";
  }
  config.ignore({"encoder_hidden_size", "projection_dim", "type_vocab_size"});
  return spec;
}

ValueId see(Builder& b, const VisionSpec& spec, ValueId picture) {
  const auto scope = b.enter("vision_model");
  return decode_embedded(b, spec.encoder, embed_patches(b, spec, picture));
}

ValueId say(Builder& b, const BertSpec& spec, const std::string& root, ValueId memory, ValueId& words) {
  const auto scope = b.enter(root);
  const ValueId x = embed_bert(b, spec, words, 0);
  DecoderSpec layers = spec.encoder;
  layers.root = "";
  return decode_embedded(b, layers, x, {memory, {}});
}

ValueId said_words(Builder& b, const BertSpec& spec, ValueId x, ValueId words) {
  const auto scope = b.enter("text_decoder");
  return masked_words(b, spec, x, words);
}

}  // namespace

Result<Graph> build_blip(const Request& request) {
  const Config& config = request.config;
  if (request.ends_with("TextModel")) config.fail("its text part alone is not supported");
  const Config words_part = config.part("text_config"), pictures = config.part("vision_config");
  const VisionSpec vision = read_blip_vision(pictures);
  const bool compares = request.is_model_alone();
  const bool looks = words_part.flag("is_decoder", true);
  if (!looks) config.fail("is_decoder is false in text_config, which is not supported");
  BertSpec text = read_blip_text(words_part, true);
  text.encoder.tied = config.flag("tie_word_embeddings", true);
  words_part.ignore({"tie_word_embeddings"});
  const int64_t joint = config.size("image_text_hidden_size", 256), projected = config.size("projection_dim", 512);
  config.ignore({"text_config_dict", "vision_config_dict"});
  PLIM_TRY(config.finish());
  Builder b(request.name, {request.tokens(text.positions)}, DType::i64);
  const ValueId seen = see(b, vision, b.add_input("pixel_values", {vision.channels, vision.image, vision.image}));
  ValueId words, x;
  if (request.ends_with("ForConditionalGeneration")) {
    x = say(b, text, "text_decoder.bert", seen, words);
    return b.finish(said_words(b, text, x, words));
  }
  if (request.ends_with("ForQuestionAnswering")) {
    const ValueId asked = say(b, text, "text_encoder", seen, words);
    x = say(b, text, "text_decoder.bert", asked, words);
    return b.finish(said_words(b, text, x, words));
  }
  if (compares) {
    x = say(b, text, "text_model", seen, words);
    const ValueId said = b.linear("text_projection", pool_first(b, "text_model", x), projected, false);
    const ValueId shown = b.linear("visual_projection", take_token(b, "class_token", seen, 0), projected, false);
    const ValueId scale = b.apply("logit_scale.exp", "exp", {b.parameter("logit_scale", Shape{})});
    const ValueId alike = b.apply("logits", "matmul", {said, shown}, {{"transB", int64_t{1}}});
    return b.finish(b.apply("scaled_logits", "mul", {alike, scale}));
  }
  x = say(b, text, "text_encoder", seen, words);
  b.linear("vision_proj", take_token(b, "class_token", seen, 0), joint);
  b.linear("text_proj", first_token(b, x), joint);
  return b.finish(b.linear("itm_head", first_token(b, x), 2));
}

}  // namespace plimsoll
