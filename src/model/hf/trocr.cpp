// TrOCR (Li 2021): a ViT or DeiT that reads a line of text from a picture, and a decoder like BART's that writes it
// down, as a VisionEncoderDecoderModel.
#include <fmt/format.h>

#include <cmath>

#include "base/text.h"
#include "model/hf/vision.h"

namespace plimsoll {
namespace {

struct WriterSpec {
  DecoderSpec layers;
  bool computed_positions = false;
};

WriterSpec read_writer(const Config& config) {
  WriterSpec writer;
  DecoderSpec& spec = writer.layers;
  spec.width = config.size("d_model|hidden_size", 1024);
  spec.vocabulary = config.size("vocab_size", 50'265);
  const int64_t heads = config.size("decoder_attention_heads|num_attention_heads", 16);
  if (spec.width % heads != 0)
    config.fail(fmt::format("{} attention heads do not divide d_model {}", heads, spec.width));
  spec.block = BlockForm::norm_of_sum;
  spec.root = "decoder.model.decoder";
  spec.norm = {NormKind::layer, 1e-5, ""};
  spec.norm_names = {"self_attn_layer_norm", "final_layer_norm"};
  spec.final_norm = false;
  spec.embedding_norm = config.flag("layernorm_embedding", true);
  spec.embedding_norm_name = "layernorm_embedding";
  writer.computed_positions = !config.flag("use_learned_position_embeddings", true);
  const int64_t positions = config.size("max_position_embeddings", 512);
  if (!writer.computed_positions) {
    spec.learned_positions = positions;
    spec.position_offset = 2;
  }
  spec.embedding_scale = config.flag("scale_embedding", false) ? std::sqrt(double(spec.width)) : 1;
  spec.head = "decoder.output_projection";
  spec.tied = config.flag("tie_word_embeddings", true);
  LayerSpec layer;
  layer.attention =
      AttentionSpec{.heads = heads, .kv_heads = heads, .head = std::max<int64_t>(1, spec.width / heads), .bias = true};
  layer.attention->o = "out_proj";
  layer.attention->upcast = false;
  layer.attention->single_operations = true;
  layer.cross = layer.attention;
  layer.cross->causal = false;
  layer.mlp_scope = "";
  layer.mlp = FeedForwardSpec{
      .width = config.size("decoder_ffn_dim", 4096), .gated = false, .bias = true, .up = "fc1", .down = "fc2"};
  layer.mlp->activation = read_activation(config, "activation_function", "gelu");
  spec.layers.assign(size_t(read_layer_count(config, "decoder_layers|num_hidden_layers", 12)), layer);
  config.ignore({"num_hidden_layers", "num_attention_heads", "max_position_embeddings", "hidden_size"});
  return writer;
}

}  // namespace

Result<Graph> build_vision_encoder_decoder(const Request& request) {
  const Config& config = request.config;
  const Config pictures = config.part("encoder", true), text = config.part("decoder", true);
  const std::string seen_by = pictures.text("model_type", "vit"), written_by = text.text("model_type", "trocr");
  if (seen_by != "vit" && seen_by != "deit")
    config.fail(fmt::format("the encoder is of the type {}, expected vit or deit", in_quotes(seen_by)),
                "export it as .onnx, which works");
  if (written_by != "trocr")
    config.fail(fmt::format("the decoder is of the type {}, expected trocr", in_quotes(written_by)),
                "export it as .onnx, which works");
  PLIM_TRY(config.broken());
  VisionSpec vision = read_vit_layers(pictures);
  read_image(pictures, vision, 224, 16);
  if (seen_by == "deit") vision.tokens = {"cls_token", "distillation_token"};
  const int64_t pooled = pictures.size("pooler_output_size", vision.encoder.width);
  pictures.ignore({"encoder_stride"});
  const WriterSpec writer = read_writer(text);
  const int64_t width = vision.encoder.width;
  const bool stated = text.has("cross_attention_hidden_size");
  if (stated && text.size("cross_attention_hidden_size") != width)
    config.fail("cross_attention_hidden_size of the decoder is not hidden_size of the encoder");
  config.ignore({"tie_word_embeddings"});
  PLIM_TRY(config.finish());
  const int64_t tokens = request.sequence.value_or(128);  // a line of text
  Builder b(request.name, {vision.channels, vision.image, vision.image});
  ValueId x;
  {
    const auto scope = b.enter("encoder");
    {
      const auto inside = b.enter("embeddings");
      x = embed_patches(b, vision, b.input());
    }
    x = decode_embedded(b, vision.encoder, x);
    b.apply("pooler.activation", "tanh", {b.linear("pooler.dense", take_token(b, "pooler.token", x, 0), pooled)});
  }
  if (!stated && width != writer.layers.width) x = b.linear("enc_to_dec_proj", x, writer.layers.width);
  const ValueId words =
      b.parameter(writer.layers.root + ".embed_tokens.weight", {writer.layers.vocabulary, writer.layers.width});
  const ValueId said = b.apply(writer.layers.root + ".embed_tokens", "gather",
                               {words, b.add_input("decoder_input", {tokens}, DType::i64)}, {{"axis", int64_t{0}}});
  const ValueId written = decode_embedded(
      b, writer.layers, scaled_by(b, writer.layers.root + ".embedding_scale", said, writer.layers.embedding_scale),
      {x, {}});
  return b.finish(language_head(b, writer.layers, written, words));
}

}  // namespace plimsoll
