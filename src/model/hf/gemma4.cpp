// Gemma 4 (Google 2026): layers over everything have wider heads than those that see a window, the last layers may read
// the keys and values of earlier ones, each layer may get an embedding of its own, and experts may stand beside the
// MLP.
#include "model/hf/gemma4.h"

#include <fmt/format.h>

#include <cmath>
#include <map>

#include "model/hf/gemma.h"
#include "model/hf/llama.h"

namespace plimsoll {
namespace {

struct Gemma4Layer {
  AttentionSpec attention;
  bool full = false, shared = false, keys_are_values = false;
  int64_t inner = 1;
};

struct Gemma4Text {
  DecoderSpec outer;  // vocabulary, width, norm, head
  std::vector<Gemma4Layer> layers;
  std::optional<MoeSpec> moe;
  std::string activation;
  int64_t own_vocabulary = 0, own_width = 0;  // of each layer's embedding; 0: none
  int64_t positions = 131'072;
};

std::shared_ptr<const RopeSpec> gemma4_rope(const Config& config, int64_t head, bool full) {
  const RopeDefaults near{.theta = 10'000, .kind = "sliding_attention"},
      far{.theta = 1e6, .fraction = 0.25, .kind = "full_attention"};
  return read_rope(config, head, full ? far : near);
}

std::vector<std::string> gemma4_kinds(const Config& config, int64_t layers) {
  auto kinds = read_layer_types(
      config, layers,
      [](int64_t i, int64_t every) {
        return std::string((i + 1) % every != 0 ? "sliding_attention" : "full_attention");
      },
      6);
  kinds.back() = "full_attention";
  return kinds;
}

Gemma4Text read_gemma4(const Config& config) {
  Gemma4Text spec;
  spec.outer.vocabulary = config.size("vocab_size", 262'144);
  spec.outer.width = config.size("hidden_size", 2304);
  spec.outer.norm = {NormKind::rms, config.number("rms_norm_eps", 1e-6), "llama"};
  spec.outer.tied = config.flag("tie_word_embeddings", true);
  spec.outer.embedding_scale = std::sqrt(double(spec.outer.width));
  spec.outer.logit_softcap = config.number("final_logit_softcapping", 0);
  spec.activation = read_activation(config, "hidden_activation|hidden_act", "gelu_pytorch_tanh");
  spec.positions = read_positions(config, 131'072);
  const int64_t layers = read_layer_count(config, "num_hidden_layers", 30),
                heads = config.size("num_attention_heads", 8), kv = config.size("num_key_value_heads", 4),
                head = config.size("head_dim", 256), wide = config.size("global_head_dim", 512),
                shared = config.count("num_kv_shared_layers", 0), inner = config.size("intermediate_size", 9216),
                window = config.count("sliding_window", 512);
  const bool equal = config.flag("attention_k_eq_v", false), doubled = config.flag("use_double_wide_mlp", false),
             bias = config.flag("attention_bias", false);
  const int64_t wide_kv =
      equal && config.has("num_global_key_value_heads") ? config.size("num_global_key_value_heads", kv) : kv;
  config.ignore({"num_global_key_value_heads", "use_bidirectional_attention", "num_experts", "top_k_experts",
                 "moe_intermediate_size", "vocab_size_per_layer_input", "expert_intermediate_size"});
  if (shared >= layers) config.fail("num_kv_shared_layers leaves no layer with keys of its own");
  if (heads % kv != 0 || heads % wide_kv != 0) config.fail("num_key_value_heads does not divide num_attention_heads");
  const auto kinds = gemma4_kinds(config, layers);
  const auto near = gemma4_rope(config, head, false), far = gemma4_rope(config, wide, true);
  for (int64_t i = 0; i < layers; ++i) {
    Gemma4Layer layer;
    layer.full = kinds[size_t(i)] == "full_attention";
    layer.shared = i >= layers - shared;
    layer.keys_are_values = equal && layer.full;
    layer.inner = inner * (doubled && layer.shared ? 2 : 1);
    layer.attention =
        AttentionSpec{.heads = heads, .kv_heads = layer.full ? wide_kv : kv, .head = layer.full ? wide : head};
    layer.attention.bias = bias;
    layer.attention.scale = 1;
    layer.attention.window = layer.full ? 0 : window;
    layer.attention.rope = layer.full ? far : near;
    layer.attention.qk_norm = QkNorm::each_head;
    layer.attention.head_norm = spec.outer.norm;
    spec.layers.push_back(std::move(layer));
  }
  spec.own_width = config.count("hidden_size_per_layer_input", 256);
  spec.own_vocabulary = config.size("vocab_size_per_layer_input", 262'144);
  if (config.flag("enable_moe_block", false)) {
    spec.moe = MoeSpec{.experts = config.size("num_experts"),
                       .top_k = config.size("top_k_experts"),
                       .width = config.size("moe_intermediate_size|expert_intermediate_size")};
    spec.moe->activation = spec.activation;
    spec.moe->normalise = true;
  }
  return spec;
}

struct KeysAndValues {
  ValueId keys, values;
};

class Gemma4Stack {
 public:
  Gemma4Stack(Builder& b, const Gemma4Text& spec) : b_(b), spec_(spec) {}

  // `own`: batch × tokens × (layers × numbers of each), or absent.
  ValueId run(ValueId x, ValueId tokens) {
    const ValueId own = spec_.own_width > 0 ? own_inputs(x, tokens) : ValueId{};
    for (size_t i = 0; i < spec_.layers.size() && !b_.failed(); ++i) {
      const auto scope = b_.enter(fmt::format("layers.{}", i));
      x = b_.add("add_0", x,
                 normed("post_attention_layernorm", attention(spec_.layers[i], normed("input_layernorm", x))));
      x = b_.add("add_1", x, normed("post_feedforward_layernorm", forward(spec_.layers[i], x)));
      if (own.present()) x = b_.add("add_own", x, own_part(own, int64_t(i), x));
      x = b_.apply("layer_scalar.times", "mul", {x, b_.buffer("layer_scalar", {1})});
    }
    return normed("norm", x);
  }

 private:
  ValueId normed(const std::string& name, ValueId x) { return norm(b_, name, x, spec_.outer.norm); }

  ValueId heads_normed(const std::string& name, ValueId x, int64_t heads, int64_t head, NormKind kind) {
    x = b_.reshape(name + ".heads", x, {0, 0, heads, head});
    return b_.reshape(name + ".joined", norm(b_, name, x, {kind, spec_.outer.norm.epsilon, "llama"}),
                      {0, 0, heads * head});
  }

  ValueId attention(const Gemma4Layer& layer, ValueId x) {
    const auto scope = b_.enter("self_attn");
    const AttentionSpec& a = layer.attention;
    ValueId q =
        heads_normed("q_norm", b_.linear("q_proj", x, a.heads * a.head, a.bias), a.heads, a.head, NormKind::rms);
    q = turn(b_, "rope_q", q, a.heads, *a.rope);
    KeysAndValues& last = last_[layer.full];
    if (!layer.shared) {
      const int64_t width = a.kv_heads * a.head;
      const ValueId k = b_.linear("k_proj", x, width, a.bias);
      const ValueId v = layer.keys_are_values ? k : b_.linear("v_proj", x, width, a.bias);
      last.keys = turn(b_, "rope_k", heads_normed("k_norm", k, a.kv_heads, a.head, NormKind::rms), a.kv_heads, *a.rope);
      last.values = heads_normed("v_norm", v, a.kv_heads, a.head, NormKind::rms_without_parameters);
    }
    Attributes attributes = attention_attributes(a);
    if (layer.shared) attributes.set("shares_cache", int64_t{1});
    x = b_.apply_many("attention", "grouped_attention", {q, last.keys, last.values}, std::move(attributes), 2)[0];
    return b_.linear("o_proj", x, spec_.outer.width, a.bias);
  }

  ValueId forward(const Gemma4Layer& layer, ValueId x) {
    FeedForwardSpec mlp{.width = layer.inner};
    mlp.activation = spec_.activation;
    ValueId y = normed("pre_feedforward_layernorm", x);
    {
      const auto scope = b_.enter("mlp");
      y = feed_forward_block(b_, mlp, y);
    }
    if (!spec_.moe) return y;
    return b_.add("add_experts", normed("post_feedforward_layernorm_1", y),
                  normed("post_feedforward_layernorm_2", experts(x)));
  }

  // The router reads the states themselves, the experts their norm.
  ValueId experts(ValueId x) {
    if (b_.failed()) return x;
    const MoeSpec& moe = *spec_.moe;
    const int64_t width = spec_.outer.width;
    ValueId seen = norm(b_, "router.norm", x, {NormKind::rms_without_parameters, spec_.outer.norm.epsilon, "llama"});
    seen = b_.apply("router.scaled", "mul", {seen, b_.parameter("router.scale", {width})});
    const ValueId scores =
        b_.linear("router.proj", scaled_by(b_, "router.root", seen, 1 / std::sqrt(double(width))), moe.experts, false);
    const auto route =
        b_.apply_many("route", "route_top_k", {scores},
                      {{"top_k", moe.top_k}, {"scores", std::string("softmax")}, {"normalise", int64_t{1}}}, 2);
    const ValueId each = b_.parameter("router.per_expert_scale", {moe.experts});
    const ValueId factor = b_.apply("router.chosen_scale", "gather", {each, route[1]}, {{"axis", int64_t{0}}});
    const ValueId weights = b_.apply("router.weights", "mul", {route[0], factor});
    return b_.apply("experts", "experts",
                    {normed("pre_feedforward_layernorm_2", x), weights, route[1],
                     b_.parameter("experts.gate_up_proj", {moe.experts, width, 2 * moe.width}),
                     b_.parameter("experts.down_proj", {moe.experts, moe.width, width})},
                    {{"gated", int64_t{1}}, {"activation", std::string("tanh_gelu")}});
  }

  // What each layer reads of the words themselves and of the states before the first layer.
  ValueId own_inputs(ValueId x, ValueId tokens) {
    if (b_.failed()) return x;
    const int64_t width = spec_.own_width, layers = int64_t(spec_.layers.size());
    const ValueId table = b_.parameter("embed_tokens_per_layer.weight", {spec_.own_vocabulary, layers * width});
    ValueId words = b_.apply("embed_tokens_per_layer", "gather", {table, tokens}, {{"axis", int64_t{0}}});
    words = scaled_by(b_, "embed_tokens_per_layer.scale", words, std::sqrt(double(width)));
    ValueId states = b_.linear("per_layer_model_projection", x, layers * width, false);
    states = scaled_by(b_, "per_layer_model_projection.scale", states, 1 / std::sqrt(double(spec_.outer.width)));
    states = normed("per_layer_projection_norm", b_.reshape("per_layer_heads", states, {0, 0, layers, width}));
    const ValueId sum = b_.add("per_layer_sum", states, b_.reshape("per_layer_words", words, {0, 0, layers, width}));
    return scaled_by(b_, "per_layer_scale", sum, std::sqrt(0.5));
  }

  ValueId own_part(ValueId own, int64_t layer, ValueId x) {
    if (b_.failed()) return x;
    const ValueId mine =
        b_.apply("own", "gather", {own, b_.constant("own.index", integer_scalar(layer))}, {{"axis", int64_t{2}}});
    const ValueId gate =
        activate(b_, "per_layer_act", b_.linear("per_layer_input_gate", x, spec_.own_width, false), spec_.activation);
    const ValueId y =
        b_.linear("per_layer_projection", b_.apply("per_layer_times", "mul", {gate, mine}), spec_.outer.width, false);
    return normed("post_per_layer_input_norm", y);
  }

  Builder& b_;
  const Gemma4Text& spec_;
  std::map<bool, KeysAndValues> last_;  // by whether the layer is over everything
};

Result<Graph> build_stack(const Request& request, const Gemma4Text& spec, const Sight& sight,
                          std::optional<bool> tied) {
  DecoderSpec outer = spec.outer;
  outer.tied = tied.value_or(outer.tied);
  const HeadSpec head = read_head(request);
  PLIM_TRY(request.config.finish());
  Builder b(request.name, {request.tokens(spec.positions)}, DType::i64);
  ValueId words, x;
  {
    const auto scope = b.enter("language_model");
    words = b.parameter("embed_tokens.weight", {outer.vocabulary, outer.width});
    x = b.apply("embed_tokens", "gather", {words, b.input()}, {{"axis", int64_t{0}}});
    x = scaled_by(b, "embedding_scale", x, outer.embedding_scale);
  }
  if (sight) x = place_picture(b, x, sight(b).tokens);
  {
    const auto scope = b.enter("language_model");
    x = Gemma4Stack(b, spec).run(x, b.input());
  }
  return b.finish(head.kind == Head::language ? language_head(b, outer, x, words) : other_head(b, head, x));
}

}  // namespace

Result<Graph> build_gemma4_text(const Request& request) {
  return build_stack(request, read_gemma4(request.config), nullptr, std::nullopt);
}

Result<Graph> build_gemma4(const Request& request) {
  const Config& config = request.config;
  const bool alone = request.ends_with("ForCausalLM");
  const Config text = config.has("text_config") || !alone ? config.part("text_config") : config;
  const Gemma4Text spec = read_gemma4(text);
  std::optional<Gemma4Vision> vision;
  std::optional<Gemma4Audio> audio;
  if (!alone && config.has("vision_config")) vision = read_gemma4_vision(config.part("vision_config"));
  if (!alone && config.has("audio_config")) audio = read_gemma4_audio(config.part("audio_config"));
  const int64_t width = spec.outer.width;
  const Sight sight = [=](Builder& b) {
    std::vector<ValueId> parts;
    if (vision) parts.push_back(look_gemma4(b, *vision, width));
    if (audio) parts.push_back(listen_gemma4(b, *audio, width));
    return Seen{parts.size() == 1 ? parts[0] : b.concat("picture_and_sound", parts), {}};
  };
  config.ignore({"vision_soft_tokens_per_image", "audio_ms_per_token"});
  const Request part{text, request.name, request.architecture, request.model_type, request.sequence};
  return build_stack(part, spec, vision || audio ? sight : Sight(), config.flag("tie_word_embeddings", true));
}

}  // namespace plimsoll
