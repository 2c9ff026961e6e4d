// Decoders whose code comes with their files and is never run here: Baichuan (2023), Qwen (Bai 2023), ChatGLM 2 to
// GLM-4 (GLM 2024), InternLM 2 (Cai 2024), DeepSeek MoE (Dai 2024), MiniCPM (Hu 2024), EXAONE 3 (LG 2024), InternLM
// (2023) and Orion (2024). The names are those of their checkpoints.
#include <cmath>

#include "model/hf/llama.h"

namespace plimsoll {

// The smaller one turns heads, the larger one (which states no positions) bends scores by distance.
Result<Graph> build_baichuan(const Request& request) {
  const Config& config = request.config;
  DecoderSpec spec = read_llama(config, {.vocabulary = 125'696});
  const bool turns = config.has("max_position_embeddings");
  for (auto& layer : spec.layers) {
    layer.attention->packed = "W_pack";
    layer.attention->alibi = !turns;
    if (!turns) layer.attention->rope.reset();
  }
  return finish_llama(request, spec, config.size("model_max_length|max_position_embeddings", 4096));
}

// What the file calls intermediate_size is gate and up together.
Result<Graph> build_qwen1(const Request& request) {
  const Config& config = request.config;
  LlamaDefaults defaults{.inner = 22'016, .vocabulary = 151'936};
  defaults.rope.theta = config.number("rotary_emb_base", 10'000);
  DecoderSpec spec = read_llama(config, defaults);
  spec.norm.epsilon = config.number("layer_norm_epsilon", 1e-6);
  spec.root = "transformer";
  spec.embedding = "wte";
  spec.layers_name = "h";
  spec.norm_names = {"ln_1", "ln_2"};
  spec.final_norm_name = "ln_f";
  const int64_t head = config.size("kv_channels", spec.layers[0].attention->head);
  if (head != spec.layers[0].attention->head) config.fail("kv_channels is not hidden_size / num_attention_heads");
  const bool bias = !config.flag("no_bias", true);
  for (auto& layer : spec.layers) {
    layer.mixer_scope = "attn";
    layer.attention->packed = "c_attn";
    layer.attention->o = "c_proj";
    layer.attention->bias = true;
    layer.attention->output_bias = bias;
    layer.mlp->width = std::max<int64_t>(1, layer.mlp->width / 2);
    layer.mlp->bias = bias;
    layer.mlp->gate = "w2";
    layer.mlp->up = "w1";
    layer.mlp->down = "c_proj";
  }
  return finish_llama(request, spec, config.size("seq_length|max_position_embeddings", 8192));
}

Result<Graph> build_chatglm(const Request& request) {
  const Config& config = request.config;
  DecoderSpec spec;
  spec.vocabulary = config.size("padded_vocab_size|vocab_size", 65'024);
  spec.width = config.size("hidden_size");
  spec.tied = config.flag("tie_word_embeddings", false);
  spec.root = "transformer";
  spec.embedding = "embedding.word_embeddings";
  spec.layers_name = "encoder.layers";
  spec.final_norm = config.flag("post_layer_norm", true);
  spec.final_norm_name = "encoder.final_layernorm";
  spec.head = "transformer.output_layer";
  spec.norm.epsilon = config.number("layernorm_epsilon", 1e-5);
  if (!config.flag("rmsnorm", true)) spec.norm.kind = NormKind::layer;
  const int64_t heads = config.size("num_attention_heads", 32), head = config.size("kv_channels", 128);
  const int64_t shared = config.size("multi_query_group_num", 1);
  const int64_t kv_heads = config.flag("multi_query_attention", false) ? shared : heads;
  if (heads % kv_heads != 0) config.fail("multi_query_group_num does not divide num_attention_heads");
  const bool bias = config.flag("add_bias_linear", false);
  LayerSpec layer;
  layer.mixer_scope = "self_attention";
  layer.attention = AttentionSpec{.heads = heads, .kv_heads = kv_heads, .head = head, .packed = "query_key_value"};
  layer.attention->bias = bias || config.flag("add_qkv_bias", false);
  layer.attention->output_bias = bias;
  layer.attention->o = "dense";
  RopeDefaults rope{.fraction = 0.5, .interleaved = true};
  rope.theta *= config.number("rope_ratio", 1);
  if (!(rope.theta > 0)) config.fail("rope_ratio is not above 0");
  layer.attention->rope = read_rope(config, head, rope);
  layer.mlp = FeedForwardSpec{.width = config.size("ffn_hidden_size"), .bias = bias};
  layer.mlp->packed = "dense_h_to_4h";
  layer.mlp->down = "dense_4h_to_h";
  spec.layers.assign(size_t(read_layer_count(config, "num_layers|num_hidden_layers")), layer);
  HeadSpec head_spec = read_head(request);
  if (request.is_model_alone()) head_spec.kind = Head::language;  // the class of this name has the head inside
  const int64_t positions = config.size("seq_length", 2048);
  PLIM_TRY(config.finish());
  return build_decoder(request.name, spec, head_spec, request.tokens(positions));
}

Result<Graph> build_internlm2(const Request& request) {
  const Config& config = request.config;
  DecoderSpec spec = read_llama(config, {.vocabulary = 103'168});
  const bool bias = config.flag("bias", true);
  spec.embedding = "tok_embeddings";
  spec.head = "output";
  spec.norm_names = {"attention_norm", "ffn_norm"};
  for (auto& layer : spec.layers) {
    layer.mixer_scope = "attention";
    layer.attention->packed = "wqkv";
    layer.attention->o = "wo";
    layer.attention->bias = bias;
    layer.mlp_scope = "feed_forward";
    layer.mlp->gate = "w1";
    layer.mlp->up = "w3";
    layer.mlp->down = "w2";
  }
  return finish_llama(request, spec, read_positions(config, 2048));
}

Result<Graph> build_deepseek_moe(const Request& request) {
  const Config& config = request.config;
  DecoderSpec spec = read_llama(config, {.vocabulary = 102'400});
  const bool has_experts = config.has("n_routed_experts");
  MoeSpec moe{.experts = config.size("n_routed_experts", 64),
              .top_k = config.size("num_experts_per_tok", 6),
              .width = config.size("moe_intermediate_size", 1407)};
  moe.shared_width = moe.width * config.count("n_shared_experts", 0);
  moe.normalise = config.flag("norm_topk_prob", false);
  moe.scores = config.text("scoring_func", "softmax");
  moe.activation = spec.layers[0].mlp->activation;
  const auto dense = size_t(config.count("first_k_dense_replace", 0)), every = size_t(config.size("moe_layer_freq", 1));
  for (size_t i = dense; has_experts && i < spec.layers.size(); ++i) {
    if (i % every != 0) continue;
    spec.layers[i].mlp.reset();
    spec.layers[i].moe = moe;
  }
  return finish_llama(request, spec, read_positions(config, 2048));
}

Result<Graph> build_minicpm(const Request& request) {
  const Config& config = request.config;
  DecoderSpec spec = read_llama(config, {.tied = true});
  spec.embedding_scale = config.number("scale_emb", 1);
  spec.residual_scale = config.number("scale_depth", 1) / std::sqrt(double(spec.layers.size()));
  const double base = config.number("dim_model_base", 1);
  spec.logit_scale = base > 0 ? base / double(spec.width) : 1;
  return finish_llama(request, spec, read_positions(config, 2048));
}

Result<Graph> build_exaone3(const Request& request) {
  const Config& config = request.config;
  LlamaDefaults defaults{.vocabulary = 102'400, .epsilon = 1e-5};
  defaults.layers_key = "num_layers|num_hidden_layers";
  DecoderSpec spec = read_llama(config, defaults);
  spec.norm.epsilon = config.number("layer_norm_epsilon", 1e-5);
  for (auto& layer : spec.layers) {
    layer.mixer_scope = "attn.attention";
    layer.attention->o = "out_proj";
    layer.mlp->activation = read_activation(config, "activation_function", "silu");
    layer.mlp->gate = "c_fc_0";
    layer.mlp->up = "c_fc_1";
    layer.mlp->down = "c_proj";
  }
  spec.root = "transformer";
  spec.embedding = "wte";
  spec.layers_name = "h";
  spec.norm_names = {"ln_1", "ln_2"};
  spec.final_norm_name = "ln_f";
  return finish_llama(request, spec, read_positions(config, 2048));
}

// A Llama whose attention has biases.
Result<Graph> build_internlm1(const Request& request) {
  DecoderSpec spec = read_llama(request.config, {.vocabulary = 103'168});
  const bool bias = request.config.flag("bias", true);
  for (auto& layer : spec.layers) layer.attention->bias = bias;
  return finish_llama(request, spec, read_positions(request.config, 2048));
}

// A Llama with layer norms.
Result<Graph> build_orion(const Request& request) {
  DecoderSpec spec = read_llama(request.config, {.inner = 15'360, .vocabulary = 84'608, .epsilon = 1e-5});
  spec.norm.kind = NormKind::layer;
  return finish_llama(request, spec, read_positions(request.config, 4096));
}

}  // namespace plimsoll
