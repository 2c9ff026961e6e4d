// Transformers of image diffusion in which words and pixels attend to each other as one sequence: Stable Diffusion 3
// (Esser 2024), FLUX.1 (Black Forest Labs 2024) and Qwen-Image (Wu 2025), as diffusers builds them. Every norm is bent
// by the time step. The time step comes in as its sines and cosines; a sample is a picture of sample_size (SD 3) or of
// 1024 × 1024.
#include <fmt/format.h>

#include <algorithm>

#include "model/hf/diffusion.h"

namespace plimsoll {
namespace {

constexpr int64_t kTimeChannels = 256;

struct JointSpec {
  int64_t heads = 24, head = 128, joint = 4096, pooled = 768, layers = 19, single_layers = 0;
  int64_t words = 512;
  bool head_norms = true, guided = false, first_alone = false, last_forgets = false;
  bool reads_pooled = true;    // the text as one vector bends the norms too
  bool plain_names = false;    // as Qwen-Image has them
  std::vector<int64_t> twice;  // layers in which pixels attend to themselves once more
  std::shared_ptr<const RopeSpec> rope;

  int64_t width() const { return heads * head; }
};

// The two halves of the sequence.
struct Both {
  ValueId pixels, words;
};

class JointNetwork {
 public:
  JointNetwork(Builder& b, const JointSpec& spec) : b_(b), spec_(spec) {}

  // What bends the norms: the time step, how closely the text is followed, and the text as one vector.
  void embed_conditions() {
    const auto scope = b_.enter("time_text_embed");
    ValueId sum = two_layers("timestep_embedder", b_.add_input("timestep", {kTimeChannels}));
    if (spec_.guided)
      sum = b_.add("add_guidance", sum, two_layers("guidance_embedder", b_.add_input("guidance", {kTimeChannels})));
    if (spec_.reads_pooled)
      sum = b_.add("add_text", sum, two_layers("text_embedder", b_.add_input("pooled_projections", {spec_.pooled})));
    condition_ = b_.apply("condition", "silu", {sum});
  }

  Both joint_block(int64_t index, Both in) {
    const auto scope = b_.enter(fmt::format("transformer_blocks.{}", index));
    const bool last = spec_.last_forgets && index + 1 == spec_.layers;
    const bool again = std::find(spec_.twice.begin(), spec_.twice.end(), index) != spec_.twice.end();
    const auto name = [&](const char* usual, const char* plain) { return spec_.plain_names ? plain : usual; };
    const auto pixel = bends(name("norm1.linear", "img_mod.1"), again ? 9 : 6),
               word = bends(name("norm1_context.linear", "txt_mod.1"), last ? 2 : 6);
    const ValueId seen = bent("norm1", in.pixels, pixel[0], pixel[1]);
    // Where it reads words for the last time, the factor comes before the shift.
    const ValueId said =
        last ? bent("norm1_context", in.words, word[1], word[0]) : bent("norm1_context", in.words, word[0], word[1]);
    const Both left = attend("attn", seen, said, last);
    Both out{gated("gate_attn", in.pixels, left.pixels, pixel[2]), in.words};
    if (again) {
      const ValueId once_more = bent("norm1_2", in.pixels, pixel[6], pixel[7]);
      out.pixels = gated("gate_attn2", out.pixels, attend("attn2", once_more, {}, true).pixels, pixel[8]);
    }
    out.pixels = gated("gate_mlp", out.pixels,
                       feed_forward(name("ff", "img_mlp"), bent("norm2", out.pixels, pixel[3], pixel[4])), pixel[5]);
    if (last) return out;
    out.words = gated("gate_context", in.words, left.words, word[2]);
    out.words =
        gated("gate_context_mlp", out.words,
              feed_forward(name("ff_context", "txt_mlp"), bent("norm2_context", out.words, word[3], word[4])), word[5]);
    return out;
  }

  // Attention and MLP side by side over both as one sequence.
  ValueId single_block(int64_t index, ValueId x) {
    const auto scope = b_.enter(fmt::format("single_transformer_blocks.{}", index));
    const auto by = bends("norm.linear", 3);
    const ValueId seen = bent("norm", x, by[0], by[1]);
    const ValueId mlp = b_.apply("act_mlp", "gelu", {b_.linear("proj_mlp", seen, 4 * spec_.width())},
                                 {{"approximate", std::string("tanh")}});
    ValueId mixed;
    {
      const auto inner = b_.enter("attn");
      mixed = scores(project("to_q", "to_k", "to_v", "norm_q", "norm_k", seen));
    }
    return gated("gate", x, b_.linear("proj_out", b_.concat("both", {mixed, mlp}, -1), spec_.width()), by[2]);
  }

  ValueId out(ValueId x, int64_t numbers) {
    const auto by = bends("norm_out.linear", 2);
    return b_.linear("proj_out", bent("norm_out", x, by[1], by[0]), numbers);
  }

 private:
  struct Projected3 {
    ValueId q, k, v;
  };

  ValueId two_layers(const std::string& name, ValueId x) {
    x = b_.apply(name + ".act", "silu", {b_.linear(name + ".linear_1", x, spec_.width())});
    return b_.linear(name + ".linear_2", x, spec_.width());
  }

  // Shifts, factors and gates from the condition, each a row for all tokens.
  std::vector<ValueId> bends(const std::string& name, int64_t count) {
    const ValueId all = b_.linear(name, condition_, count * spec_.width());
    auto parts = split_last(b_, name + ".parts", all, Sizes(size_t(count), spec_.width()));
    for (size_t i = 0; i < parts.size(); ++i)
      parts[i] = b_.reshape(fmt::format("{}.row_{}", name, i), parts[i], {0, 1, spec_.width()});
    return parts;
  }
  ValueId bent(const std::string& name, ValueId x, ValueId shift, ValueId factor) {
    x = norm(b_, name, x, {NormKind::without_parameters, 1e-6, ""});
    if (b_.failed()) return x;
    const ValueId one = b_.constant(name + ".one", float_tensor({}, {1}));
    return b_.add(name + ".shifted", b_.apply(name + ".scaled", "mul", {x, b_.add(name + ".factor", factor, one)}),
                  shift);
  }
  ValueId gated(const std::string& name, ValueId x, ValueId y, ValueId gate) {
    return b_.add(name + ".add", x, b_.apply(name, "mul", {y, gate}));
  }

  ValueId head_norm(const std::string& name, ValueId x) {
    if (!spec_.head_norms) return x;
    x = b_.reshape(name + ".heads", x, {0, 0, spec_.heads, spec_.head});
    return b_.reshape(name + ".joined", norm(b_, name, x, {NormKind::rms, 1e-6, "llama"}), {0, 0, spec_.width()});
  }
  Projected3 project(const std::string& q, const std::string& k, const std::string& v, const std::string& q_norm,
                     const std::string& k_norm, ValueId x) {
    return {head_norm(q_norm, b_.linear(q, x, spec_.width())), head_norm(k_norm, b_.linear(k, x, spec_.width())),
            b_.linear(v, x, spec_.width())};
  }
  ValueId scores(Projected3 p) {
    if (spec_.rope) {
      p.q = turn(b_, "rope_q", p.q, spec_.heads, *spec_.rope);
      p.k = turn(b_, "rope_k", p.k, spec_.heads, *spec_.rope);
    }
    AttentionSpec attention{.heads = spec_.heads, .kv_heads = spec_.heads, .head = spec_.head};
    attention.causal = attention.upcast = false;
    return b_.apply_many("attention", "grouped_attention", {p.q, p.k, p.v}, attention_attributes(attention), 2)[0];
  }

  // Words absent: pixels among themselves. `last`: what the words have seen is not read any more.
  Both attend(const std::string& name, ValueId pixels, ValueId words, bool last) {
    const auto scope = b_.enter(name);
    const Projected3 seen = project("to_q", "to_k", "to_v", "norm_q", "norm_k", pixels);
    if (!words.present()) return {b_.linear("to_out.0", scores(seen), spec_.width()), {}};
    const Projected3 said = project("add_q_proj", "add_k_proj", "add_v_proj", "norm_added_q", "norm_added_k", words);
    if (b_.failed()) return {pixels, words};
    const auto joined = [&](const char* what, ValueId a, ValueId b) { return b_.concat(what, {a, b}); };
    const ValueId all = scores({joined("q", said.q, seen.q), joined("k", said.k, seen.k), joined("v", said.v, seen.v)});
    if (b_.failed()) return {pixels, words};
    const auto parts = b_.apply_many(
        "apart", "split", {all, b_.constant("apart.sizes", integer_tensor({b_.shape(words)[1], b_.shape(pixels)[1]}))},
        {{"axis", int64_t{1}}}, 2);
    const ValueId left = b_.linear("to_out.0", parts[1], spec_.width());
    return {left, last ? ValueId{} : b_.linear("to_add_out", parts[0], spec_.width())};
  }

  ValueId feed_forward(const std::string& name, ValueId x) {
    x = b_.apply(name + ".net.0.gelu", "gelu", {b_.linear(name + ".net.0.proj", x, 4 * spec_.width())},
                 {{"approximate", std::string("tanh")}});
    return b_.linear(name + ".net.2", x, spec_.width());
  }

  Builder& b_;
  const JointSpec& spec_;
  ValueId condition_;
};

void check_joint(const Config& config, const JointSpec& spec) {
  if (spec.width() > 1 << 20) config.fail("num_attention_heads times attention_head_dim is above 2^20");
}

}  // namespace

Result<Graph> build_flux(const Request& request) {
  const Config& config = request.config;
  JointSpec spec;
  spec.heads = config.size("num_attention_heads", 24);
  spec.head = config.size("attention_head_dim", 128);
  spec.layers = read_layer_count(config, "num_layers", 19);
  spec.single_layers = config.count("num_single_layers", 38);
  spec.joint = config.size("joint_attention_dim", 4096);
  spec.pooled = config.size("pooled_projection_dim", 768);
  spec.guided = config.flag("guidance_embeds", false);
  spec.rope = read_rope(config, spec.head, {.interleaved = true});
  const int64_t in = config.size("in_channels", 64), patch = config.size("patch_size", 1);
  const int64_t out = config.size("out_channels", in);
  config.ignore({"axes_dims_rope"});
  check_joint(config, spec);
  if (spec.single_layers > 10'000) config.fail("num_single_layers is above 10000");
  PLIM_TRY(config.finish());
  constexpr int64_t kTokens = 4096;  // of 16 × 16 pixels
  Builder b(request.name, {kTokens, in});
  JointNetwork network(b, spec);
  network.embed_conditions();
  const ValueId text = b.add_input("encoder_hidden_states", {spec.words, spec.joint});
  Both x{b.linear("x_embedder", b.input(), spec.width()), b.linear("context_embedder", text, spec.width())};
  for (int64_t i = 0; i < spec.layers && !b.failed(); ++i) x = network.joint_block(i, x);
  ValueId all = b.concat("words_and_pixels", {x.words, x.pixels});
  for (int64_t i = 0; i < spec.single_layers && !b.failed(); ++i) all = network.single_block(i, all);
  if (b.failed()) return b.finish(all);
  const ValueId cut = b.constant("pixels.sizes", integer_tensor({spec.words, kTokens}));
  const ValueId pixels = b.apply_many("pixels", "split", {all, cut}, {{"axis", int64_t{1}}}, 2)[1];
  return b.finish(network.out(pixels, patch * patch * out));
}

Result<Graph> build_sd3(const Request& request) {
  const Config& config = request.config;
  JointSpec spec;
  spec.heads = config.size("num_attention_heads", 18);
  spec.head = config.size("attention_head_dim", 64);
  spec.layers = read_layer_count(config, "num_layers", 18);
  spec.joint = config.size("joint_attention_dim", 4096);
  spec.pooled = config.size("pooled_projection_dim", 2048);
  spec.head_norms = config.has("qk_norm");
  spec.last_forgets = true;
  spec.twice = config.counts("dual_attention_layers");
  spec.words = 333;  // 77 of two CLIPs side by side and 256 of a T5
  const int64_t in = config.size("in_channels", 16), patch = config.size("patch_size", 2);
  const int64_t out = config.size("out_channels", in), sample = config.size("sample_size", 128),
                positions = config.size("pos_embed_max_size", 96);
  if (config.has("qk_norm") && config.text("qk_norm", "") != "rms_norm")
    config.fail("qk_norm is not rms_norm, the only one that is supported");
  if (config.size("caption_projection_dim", spec.width()) != spec.width())
    config.fail("caption_projection_dim is not num_attention_heads times attention_head_dim");
  check_joint(config, spec);
  if (sample > 4096 || sample % patch != 0 || sample / patch > positions || positions > 4096)
    config.fail("sample_size, patch_size and pos_embed_max_size do not make patches with a position each");
  PLIM_TRY(config.finish());
  const int64_t width = spec.width(), tokens = (sample / patch) * (sample / patch);
  Builder b(request.name, {in, sample, sample});
  JointNetwork network(b, spec);
  network.embed_conditions();
  ValueId x = b.conv("pos_embed.proj", b.input(), width, {.kernel = {patch, patch}, .stride = {patch, patch}});
  x = b.transpose("tokens", b.reshape("flat", x, {0, width, -1}), {0, 2, 1});
  // Positions of the largest picture, of which the middle is taken.
  const ValueId table = b.buffer("pos_embed.pos_embed", {1, positions * positions, width});
  x = b.add("add_position", x,
            b.apply("positions", "slice",
                    {table, b.constant("positions.starts", integer_tensor({0})),
                     b.constant("positions.ends", integer_tensor({tokens})),
                     b.constant("positions.axes", integer_tensor({1}))}));
  const ValueId text = b.add_input("encoder_hidden_states", {spec.words, spec.joint});
  Both both{x, b.linear("context_embedder", text, width)};
  for (int64_t i = 0; i < spec.layers && !b.failed(); ++i) both = network.joint_block(i, both);
  return b.finish(network.out(both.pixels, patch * patch * out));
}

Result<Graph> build_qwen_image(const Request& request) {
  const Config& config = request.config;
  JointSpec spec;
  spec.heads = config.size("num_attention_heads", 24);
  spec.head = config.size("attention_head_dim", 128);
  spec.layers = read_layer_count(config, "num_layers", 60);
  spec.joint = config.size("joint_attention_dim", 3584);
  spec.reads_pooled = false;
  spec.plain_names = true;
  spec.rope = read_rope(config, spec.head, {.interleaved = true});
  const int64_t in = config.size("in_channels", 64), patch = config.size("patch_size", 2);
  const int64_t out = config.has("out_channels") ? config.size("out_channels") : in;
  for (const auto* flag : {"zero_cond_t", "use_additional_t_cond", "use_layer3d_rope", "guidance_embeds"})
    if (config.flag(flag, false)) config.fail(fmt::format("{} is true, which is not supported", flag));
  config.ignore({"axes_dims_rope", "pooled_projection_dim"});
  check_joint(config, spec);
  PLIM_TRY(config.finish());
  constexpr int64_t kTokens = 4096;  // of 16 × 16 pixels
  Builder b(request.name, {kTokens, in});
  JointNetwork network(b, spec);
  network.embed_conditions();
  const ValueId text = b.add_input("encoder_hidden_states", {spec.words, spec.joint});
  Both x{b.linear("img_in", b.input(), spec.width()),
         b.linear("txt_in", norm(b, "txt_norm", text, {NormKind::rms, 1e-6, "llama"}), spec.width())};
  for (int64_t i = 0; i < spec.layers && !b.failed(); ++i) x = network.joint_block(i, x);
  return b.finish(network.out(x.pixels, patch * patch * out));
}

}  // namespace plimsoll
