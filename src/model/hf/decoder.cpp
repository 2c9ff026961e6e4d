#include "model/hf/decoder.h"

#include <fmt/format.h>

#include "model/hf/blocks.h"

namespace plimsoll {
namespace {

ValueId embed(Builder& b, const DecoderSpec& spec, ValueId tokens, ValueId& words) {
  const int64_t width = spec.embedding_width > 0 ? spec.embedding_width : spec.width;
  words = b.parameter(spec.embedding + ".weight", {spec.vocabulary, width});
  ValueId x = b.apply(spec.embedding, "gather", {words, tokens}, {{"axis", int64_t{0}}});
  x = scaled_by(b, "embedding_scale", x, spec.embedding_scale);
  if (width != spec.width) x = b.linear("project_in", x, spec.width, false);
  return x;
}

ValueId add_positions(Builder& b, const DecoderSpec& spec, ValueId x) {
  if (spec.learned_positions == 0 || b.failed()) return x;
  const int64_t sequence = b.shape(x)[1];
  if (sequence > spec.learned_positions) {
    b.fail(user_error(fmt::format("a sequence of {} tokens was asked for, the network has positions for {}", sequence,
                                  spec.learned_positions)));
    return x;
  }
  const std::string& name = spec.positions;
  const ValueId table = b.parameter(name + ".weight", {spec.learned_positions + spec.position_offset, spec.width});
  const ValueId rows = b.apply(name, "slice",
                               {table, b.constant(name + ".starts", integer_tensor({spec.position_offset})),
                                b.constant(name + ".ends", integer_tensor({spec.position_offset + sequence})),
                                b.constant(name + ".axes", integer_tensor({0}))});
  return b.add("add_position", x, rows);
}

ValueId mixer(Builder& b, const LayerSpec& layer, ValueId x, const Surroundings& around) {
  const auto scope = b.enter(layer.mixer_scope);
  if (layer.attention)
    return attention_block(b, *layer.attention, x, layer.reads_memory ? around.memory : x, around.score_bias);
  if (layer.latent) return latent_attention_block(b, *layer.latent, x);
  if (layer.delta) return delta_block(b, *layer.delta, x);
  if (layer.short_conv) return short_conv_block(b, *layer.short_conv, x);
  if (layer.lightning) return lightning_block(b, *layer.lightning, x);
  return mamba_block(b, *layer.mamba, x);
}

bool has_mixer(const LayerSpec& layer) {
  return layer.attention || layer.latent || layer.mamba || layer.delta || layer.short_conv || layer.lightning;
}

ValueId feed_forward(Builder& b, const LayerSpec& layer, ValueId x) {
  const auto scope = b.enter(layer.mlp_scope);
  return layer.moe ? moe_block(b, *layer.moe, x) : feed_forward_block(b, *layer.mlp, x);
}

class Stack {
 public:
  Stack(Builder& b, const DecoderSpec& spec, const Surroundings& around) : b_(b), spec_(spec), around_(around) {}

  void set_score_bias(ValueId bias) { around_.score_bias = bias; }

  ValueId layer(const LayerSpec& layer, ValueId x) {
    switch (spec_.block) {
      case BlockForm::sequential:
        x = crossed(layer, sum(layer, 0, x, mixed(layer, layer.first_norm ? normed(0, x) : x)));
        return sum(layer, 1, x, feed_forward(b_, layer, normed(1, x)));
      case BlockForm::parallel:
      case BlockForm::parallel_two_norms: return parallel(layer, x);
      case BlockForm::sandwich:
        x = sum(layer, 0, x, normed(1, mixed(layer, normed(0, x))));
        return sum(layer, 1, x, normed(3, feed_forward(b_, layer, normed(2, x))));
      case BlockForm::norm_after:
        x = sum(layer, 0, x, normed(0, mixed(layer, x)));
        return sum(layer, 1, x, normed(1, feed_forward(b_, layer, x)));
      case BlockForm::norm_of_sum:
        x = crossed(layer, normed(0, sum(layer, 0, x, mixed(layer, x))));
        return normed(1, sum(layer, 1, x, feed_forward(b_, layer, x)));
      case BlockForm::sum_of_normed: return sum_of_normed(layer, x);
      case BlockForm::single:
        const ValueId y = normed(0, x);
        return sum(layer, 0, x, has_mixer(layer) ? mixed(layer, y) : feed_forward(b_, layer, y));
    }
    return x;
  }

 private:
  ValueId normed(size_t i, ValueId x) { return norm(b_, spec_.norm_names[i], x, spec_.norm); }

  ValueId sum(const LayerSpec& layer, int which, ValueId x, ValueId y) {
    y = gated(layer, which == 0 ? layer.mixer_scale : layer.mlp_scale, y);
    y = scaled_by(b_, fmt::format("residual_scale_{}", which), y, spec_.residual_scale);
    return b_.add(fmt::format("add_{}", which), x, y);
  }
  ValueId gated(const LayerSpec& layer, const std::string& name, ValueId y) {
    if (name.empty() || b_.failed()) return y;
    ValueId factor = b_.parameter(name, {layer.scalar_gates ? 1 : b_.shape(y)[2]});
    if (layer.scalar_gates) factor = b_.apply(name + ".tanh", "tanh", {factor});
    return b_.apply(name + ".times", "mul", {y, factor});
  }
  ValueId mixed(const LayerSpec& layer, ValueId x) {
    const ValueId y = scaled_by(b_, "mixer_out_scale",
                                mixer(b_, layer, scaled_by(b_, "mixer_in_scale", x, layer.mixer_in_scale), around_),
                                layer.mixer_out_scale);
    if (!layer.beside) return y;
    const auto scope = b_.enter("mamba");
    return b_.add("add_beside", scaled_by(b_, "out_scale", mamba_block(b_, *layer.beside, x), layer.beside_scale), y);
  }

  ValueId crossed(const LayerSpec& layer, ValueId x) {
    if (!layer.cross) return x;
    const bool before = spec_.block == BlockForm::sequential;
    ValueId y = before ? norm(b_, spec_.cross_norm, x, spec_.norm) : x;
    {
      const auto scope = b_.enter(layer.cross_scope);
      y = attention_block(b_, *layer.cross, y, around_.memory);
    }
    x = b_.add("add_cross", x, y);
    return before ? x : norm(b_, spec_.cross_norm, x, spec_.norm);
  }

  ValueId sum_of_normed(const LayerSpec& layer, ValueId x) {
    x = normed(0, x);
    x = sum(layer, 0, scaled_by(b_, "mixer_keeps", x, layer.mixer_keeps), mixed(layer, x));
    x = normed(1, x);
    const ValueId y = scaled_by(b_, "mlp_out_scale", feed_forward(b_, layer, x), layer.mlp_out_scale);
    return sum(layer, 1, scaled_by(b_, "mlp_keeps", x, layer.mlp_keeps), y);
  }

  ValueId parallel(const LayerSpec& layer, ValueId x) {
    const ValueId seen = normed(0, x);
    const ValueId one = mixed(layer, seen);
    const ValueId forward = feed_forward(b_, layer, spec_.block == BlockForm::parallel ? seen : normed(1, x));
    return b_.add("add_1", b_.add("add_0", one, forward), x);
  }

  Builder& b_;
  const DecoderSpec& spec_;
  Surroundings around_;
};

// Cut into the first `tokens` and the rest.
std::vector<ValueId> cut_tokens(Builder& b, const std::string& name, ValueId x, int64_t tokens) {
  const int64_t all = b.shape(x)[1];
  return b.apply_many(name, "split", {x, b.constant(name + ".sizes", integer_tensor({tokens, all - tokens}))},
                      {{"axis", int64_t{1}}}, 2);
}

ValueId add_to_first(Builder& b, ValueId x, ValueId added) {
  if (b.failed()) return x;
  const int64_t tokens = b.shape(added)[1];
  if (tokens == b.shape(x)[1]) return b.add("add_picture", x, added);
  const auto parts = cut_tokens(b, "picture_and_text", x, tokens);
  return b.concat("with_picture", {b.add("add_picture", parts[0], added), parts[1]});
}

// Of a picture with more tokens than the text has room for, the first are taken.
ValueId at_most(Builder& b, const std::string& name, ValueId picture, int64_t tokens) {
  if (b.failed() || b.shape(picture)[1] <= tokens) return picture;
  return cut_tokens(b, name, picture, tokens)[0];
}

}  // namespace

ValueId place_picture(Builder& b, ValueId text, ValueId picture) {
  if (b.failed()) return text;
  picture = at_most(b, "picture_cut", picture, b.shape(text)[1]);
  if (b.failed() || b.shape(picture)[1] == b.shape(text)[1]) return picture;
  return b.concat("text_with_picture", {picture, cut_tokens(b, "words_cut", text, b.shape(picture)[1])[1]});
}

ValueId decode(Builder& b, const DecoderSpec& spec, ValueId tokens, ValueId& words) {
  ValueId x;
  {
    const auto scope = b.enter(spec.root);
    x = embed(b, spec, tokens, words);
  }
  return decode_embedded(b, spec, x);
}

ValueId decode_embedded(Builder& b, const DecoderSpec& spec, ValueId x, const Surroundings& around) {
  const auto scope = b.enter(spec.root);
  x = add_positions(b, spec, x);
  if (spec.embedding_norm) x = norm(b, spec.embedding_norm_name, x, spec.norm);
  Stack stack(b, spec, around);
  for (size_t i = 0; i < spec.layers.size() && !b.failed(); ++i) {
    const auto layer_scope = b.enter(fmt::format("{}.{}", spec.layers_name, i));
    std::optional<Builder::Sharing> sharing;
    if (!spec.layers[i].owner.empty()) sharing.emplace(b, spec.layers[i].owner);
    if (i < around.score_biases.size()) stack.set_score_bias(around.score_biases[i]);
    x = stack.layer(spec.layers[i], x);
    if (i < around.deeper.size()) x = add_to_first(b, x, around.deeper[i]);
    if (around.states) around.states->push_back(x);
  }
  if (spec.final_norm) x = norm(b, spec.final_norm_name, x, spec.norm);
  if (spec.embedding_width > 0 && spec.embedding_width != spec.width)
    x = b.linear("project_out", x, spec.embedding_width, false);
  return x;
}

ValueId language_head(Builder& b, const DecoderSpec& spec, ValueId x, ValueId words) {
  if (b.failed()) return x;
  x = scaled_by(b, "logit_scale", x, spec.logit_scale);
  const std::string name = spec.head + ".weight";
  const ValueId table = spec.tied ? b.alias(name, words) : b.parameter(name, b.shape(words));
  x = b.apply(spec.head, "matmul", {x, table}, {{"transB", int64_t{1}}});
  if (spec.head_bias) x = b.add(spec.head + ".add_bias", x, b.parameter(spec.head + ".bias", {spec.vocabulary}));
  if (spec.logit_softcap > 0) {
    x = b.apply("softcap.tanh", "tanh", {scaled_by(b, "softcap.in", x, 1 / spec.logit_softcap)});
    x = scaled_by(b, "softcap.out", x, spec.logit_softcap);
  }
  return x;
}

ValueId other_head(Builder& b, const HeadSpec& head, ValueId x) {
  switch (head.kind) {
    case Head::none:
    case Head::language: return x;
    case Head::classes:
    case Head::classes_with_bias:
      x = b.apply("last_token", "gather", {x, b.constant("last_token.index", integer_scalar(-1))},
                  {{"axis", int64_t{1}}});
      return b.linear(head.name, x, head.labels, head.kind == Head::classes_with_bias);
    case Head::tokens: return b.linear(head.name, x, head.labels);
    case Head::spans: return b.linear("qa_outputs", x, 2);
  }
  return x;
}

Result<Graph> build_decoder(const std::string& name, const DecoderSpec& stated, const HeadSpec& head,
                            int64_t sequence) {
  DecoderSpec spec = stated;
  spec.tied = head.tied.value_or(spec.tied);
  Builder b(name, {sequence}, DType::i64);
  ValueId words, x;
  if (!head.sight) {
    x = decode(b, spec, b.input(), words);
  } else {
    spec.root = "language_model";
    {
      const auto scope = b.enter(spec.root);
      x = embed(b, spec, b.input(), words);
    }
    const Seen seen = head.sight(b);
    x = place_picture(b, x, seen.tokens);
    Surroundings around;
    for (const ValueId deeper : seen.deeper)
      around.deeper.push_back(at_most(b, fmt::format("deeper_cut_{}", around.deeper.size()), deeper, sequence));
    x = decode_embedded(b, spec, x, around);
  }
  x = head.kind == Head::language ? language_head(b, spec, x, words) : other_head(b, head, x);
  return b.finish(x);
}

}  // namespace plimsoll
