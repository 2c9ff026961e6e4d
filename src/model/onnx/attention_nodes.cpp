// Attention in its written-out form: heads apart, products of queries with keys, mask, softmax, product with values.
// Passes and plans recognise that form again (plan/memory/framework_attention.h), whoever wrote it.
#include <cmath>
#include <limits>

#include "model/onnx/composites.h"

namespace plimsoll {
namespace {

constexpr int64_t kMostHeads = 1 << 20;

struct Parts {
  std::string queries, keys, values;  // (batch, heads, sequence, head)
  int64_t heads = 0, kv_heads = 0;    // 0: as many of keys as of queries
};

class AttentionWriter {
 public:
  AttentionWriter(CompositeWriter& writer, const StatedTypes& types) : writer_(writer), types_(types) {
    float_type_ = types.data_type(writer.input(0)).value_or(types.usual_type());
  }

  // (batch, sequence, heads × head) → (batch, heads, sequence, head)
  std::string heads_apart(const std::string& x, int64_t heads) {
    const std::string cut = writer_.add("Reshape", {x, writer_.integers({0, 0, heads, -1})});
    return writer_.add("Transpose", {cut}, {{"perm", {0, 2, 1, 3}, true}});
  }

  std::string heads_together(const std::string& x) {
    const std::string turned = writer_.add("Transpose", {x}, {{"perm", {0, 2, 1, 3}, true}});
    return writer_.add("Reshape", {turned, writer_.integers({0, 0, -1})});
  }

  // Earlier keys or values go first.
  std::string with_past(const std::string& past, const std::string& x) {
    return past.empty() ? x : writer_.add("Concat", {past, x}, {{"axis", {2}}});
  }

  // Each head of keys or values once for every head of queries that shares it.
  std::string repeated(const std::string& x, int64_t heads, int64_t kv_heads) {
    if (kv_heads == 0 || heads == kv_heads) return x;
    const std::string apart = writer_.add("Unsqueeze", {x, writer_.integers({2})});
    const std::string copies = writer_.add("Expand", {apart, writer_.integers({1, 1, heads / kv_heads, 1, 1})});
    const std::string rest = writer_.add("Shape", {x}, {{"start", {2}}});
    const std::string shape = writer_.add("Concat", {writer_.integers({0, heads}), rest}, {{"axis", {0}}});
    return writer_.add("Reshape", {copies, shape});
  }

  std::string literal(float number) {
    const std::string written = writer_.constant(number);
    return float_type_ == onnx::TensorProto::FLOAT ? written : writer_.add("Cast", {written}, {{"to", {float_type_}}});
  }

  // Q · Kᵀ · scale
  std::string scores(const Parts& parts, float scale) {
    std::string scores = writer_.add("com.microsoft:FusedMatMul", {parts.queries, parts.keys}, {{"transB", {1}}});
    if (scale != 0) {
      writer_.set_number("alpha", scale);
    } else {
      std::string width = writer_.add("Shape", {parts.queries}, {{"start", {-1}}});
      width = writer_.add("Cast", {width}, {{"to", {float_type_}}});
      scores = writer_.add("Div", {scores, writer_.add("Sqrt", {width})});
    }
    return scores;
  }

  std::string capped(const std::string& scores, float cap) {
    if (cap == 0) return scores;
    const std::string bound = literal(cap);
    return writer_.add("Mul", {writer_.add("Tanh", {writer_.add("Div", {scores, bound})}), bound});
  }

  bool is_boolean(const std::string& mask) const {
    return types_.data_type(mask).value_or(float_type_) == onnx::TensorProto::BOOL;
  }

  // `mask`: where it is false nothing is seen, or numbers to be added.
  std::string masked(const std::string& scores, const std::string& mask) {
    if (mask.empty()) return scores;
    if (!is_boolean(mask)) return writer_.add("Add", {scores, mask});
    return writer_.add("Where", {mask, scores, literal(-std::numeric_limits<float>::infinity())});
  }

  // A mask may end before the keys do: what it does not reach is hidden.
  std::string to_the_last_key(const std::string& mask, const std::string& keys, int axis_of_keys) {
    const auto reached = types_.size(mask, -1), all = types_.size(keys, axis_of_keys);
    if (!reached || !all || *reached >= *all || *reached == 1) return mask;
    std::string hidden = literal(-std::numeric_limits<float>::infinity());
    if (is_boolean(mask)) hidden = writer_.add("Cast", {writer_.constant(0)}, {{"to", {onnx::TensorProto::BOOL}}});
    return writer_.add("Pad", {mask, writer_.integers({0, *all - *reached}), hidden, writer_.integers({-1})});
  }

  // Of each sample's keys only so many are there, the rest of the cache is empty; causal: the last query is at the last
  // of them.
  std::string within_lengths(const std::string& scores, const std::string& lengths, bool causal) {
    const std::string rows = writer_.add("Shape", {scores}, {{"start", {2}}, {"end", {3}}});
    const std::string columns = writer_.add("Shape", {scores}, {{"start", {3}}});
    const std::string zero = writer_.add("Squeeze", {writer_.integers({0})});
    const std::string one = writer_.add("Squeeze", {writer_.integers({1})});
    std::string ends = writer_.add("Unsqueeze", {lengths, writer_.integers({1, 2, 3})});
    if (causal) {
      std::string from_end = writer_.add("Range", {zero, writer_.add("Squeeze", {rows}), one});
      from_end = writer_.add("Sub", {writer_.add("Add", {from_end, one}), rows});
      ends = writer_.add("Add", {ends, writer_.add("Unsqueeze", {from_end, writer_.integers({1})})});
    }
    const std::string at = writer_.add("Range", {zero, writer_.add("Squeeze", {columns}), one});
    const std::string seen = writer_.add("Less", {at, ends});
    return writer_.add("Where", {seen, scores, literal(-std::numeric_limits<float>::infinity())});
  }

  // Later positions than one's own, of `past` that were there before, are hidden.
  std::string causal(const std::string& scores, const std::string& past) {
    const std::string sizes = writer_.add("Shape", {scores}, {{"start", {-2}}});
    std::string hidden = writer_.add("ConstantOfShape", {sizes});
    auto& attribute = *writer_.last().add_attribute();
    attribute.set_name("value");
    attribute.set_type(onnx::AttributeProto::TENSOR);
    attribute.mutable_t()->set_data_type(onnx::TensorProto::FLOAT);
    attribute.mutable_t()->add_dims(1);
    attribute.mutable_t()->add_float_data(-std::numeric_limits<float>::infinity());
    std::string first = writer_.integers({1});
    if (!past.empty())
      first = writer_.add("Add", {first, writer_.add("Shape", {past}, {{"start", {2}}, {"end", {3}}})});
    first = writer_.add("Squeeze", {first});
    hidden = writer_.add("Trilu", {hidden, first}, {{"upper", {1}}});
    if (float_type_ != onnx::TensorProto::FLOAT) hidden = writer_.add("Cast", {hidden}, {{"to", {float_type_}}});
    return writer_.add("Add", {scores, hidden});
  }

  std::string shares(const std::string& scores) { return writer_.add("Softmax", {scores}, {{"axis", {-1}}}); }

  // Rows that see nothing get nothing.
  std::string guarded(const std::string& shares) {
    return writer_.add("Where", {writer_.add("IsNaN", {shares}), literal(0), shares});
  }

  std::string sum_of_values(const std::string& scores, const std::string& values) {
    return writer_.add("MatMul", {shares(scores), values});
  }

  // (batch, sequence): positions that follow those of `past`.
  std::string positions(const std::string& x, const std::string& past, const std::string& offset) {
    const std::string length = writer_.add("Shape", {x}, {{"start", {2}}, {"end", {3}}});
    const std::string batch = writer_.add("Shape", {x}, {{"start", {0}}, {"end", {1}}});
    std::string first = offset;
    if (first.empty())
      first = past.empty() ? writer_.integers({0}) : writer_.add("Shape", {past}, {{"start", {2}}, {"end", {3}}});
    const std::string zero = writer_.add("Squeeze", {writer_.integers({0})});
    const std::string one = writer_.add("Squeeze", {writer_.integers({1})});
    std::string places = writer_.add("Range", {zero, writer_.add("Squeeze", {length}), one});
    places = writer_.add("Add", {places, first});
    return writer_.add("Expand", {places, writer_.add("Concat", {batch, length}, {{"axis", {0}}})});
  }

 private:
  CompositeWriter& writer_;
  const StatedTypes& types_;
  int float_type_;
};

bool good_heads(int64_t heads, int64_t kv_heads) {
  return heads >= 1 && kv_heads >= 1 && heads <= kMostHeads && heads % kv_heads == 0;
}

// A piece of a vector of biases, where there is one.
std::string biased(CompositeWriter& writer, const std::string& x, const std::vector<std::string>& biases, size_t i) {
  return biases.empty() ? x : writer.add("Add", {x, biases[i]});
}

// From queries, keys and values to the sum of values. The fourth output is what stands after one of four steps.
std::string write_scores_and_sum(AttentionWriter& attention, CompositeWriter& writer, const Parts& parts,
                                 int axis_of_keys) {
  const int64_t shown = writer.integer("qk_matmul_output_mode", 0);
  const bool causal = writer.integer("is_causal", 0) != 0;
  const auto show = [&](int64_t step, const std::string& value) {
    if (shown == step) writer.finish(3, value);
  };
  std::string scores = attention.scores(parts, writer.number("scale", 0));
  show(0, scores);
  scores = attention.capped(scores, writer.number("softcap", 0));
  show(1, scores);
  std::string mask = writer.input(3);
  bool may_hide_all = !mask.empty() && attention.is_boolean(mask);
  if (!mask.empty() && writer.input(4).empty()) mask = attention.to_the_last_key(mask, writer.input(1), axis_of_keys);
  scores = attention.masked(scores, mask);
  if (writer.has_input(6)) {
    scores = attention.within_lengths(scores, writer.input(6), causal);
    may_hide_all = true;
  } else if (causal) {
    scores = attention.causal(scores, writer.input(4));
  }
  show(2, scores);
  std::string shares = attention.shares(scores);
  if (may_hide_all) shares = attention.guarded(shares);
  show(3, shares);
  return writer.add("MatMul", {shares, parts.values});
}

}  // namespace

// ONNX, opset 23 and 24.
bool write_attention(CompositeWriter& writer, const StatedTypes& types) {
  AttentionWriter attention(writer, types);
  Parts parts{writer.input(0), writer.input(1), writer.input(2)};
  const int64_t stated = writer.integer("q_num_heads", 0);
  if (stated > 0) {
    parts.heads = stated;
    parts.kv_heads = writer.integer("kv_num_heads", stated);
  } else {
    parts.heads = types.size(parts.queries, 1).value_or(0);
    parts.kv_heads = types.size(parts.keys, 1).value_or(parts.heads);
    if (parts.heads == 0) parts.kv_heads = 0;
  }
  if (parts.heads != 0 && !good_heads(parts.heads, parts.kv_heads)) return false;
  if (stated > 0) {
    parts.queries = attention.heads_apart(parts.queries, parts.heads);
    parts.keys = attention.heads_apart(parts.keys, parts.kv_heads);
    parts.values = attention.heads_apart(parts.values, parts.kv_heads);
  }
  parts.keys = attention.with_past(writer.input(4), parts.keys);
  parts.values = attention.with_past(writer.input(5), parts.values);
  writer.finish(1, parts.keys);
  writer.finish(2, parts.values);
  parts.keys = attention.repeated(parts.keys, parts.heads, parts.kv_heads);
  parts.values = attention.repeated(parts.values, parts.heads, parts.kv_heads);
  const std::string y = write_scores_and_sum(attention, writer, parts, stated > 0 ? 1 : 2);
  writer.finish(0, stated > 0 ? attention.heads_together(y) : y);
  return true;
}

// onnxruntime's, queries, keys and values already projected, maybe without their biases.
bool write_multi_head_attention(CompositeWriter& writer, const StatedTypes& types) {
  const int64_t heads = writer.integer("num_heads", 0);
  if (!good_heads(heads, 1) || !writer.has_input(1) || !writer.has_input(2)) return false;  // packed in one tensor
  AttentionWriter attention(writer, types);
  std::vector<std::string> biases;
  if (writer.has_input(3))
    biases = writer.add_many("Split", {writer.input(3)}, 3, {{"axis", {0}}, {"num_outputs", {3}}});
  const bool apart = types.rank(writer.input(1)).value_or(3) == 4;  // of another sequence, cut into heads by then
  const auto cut = [&](int i) {
    if (apart && i > 0) return writer.input(i);
    return attention.heads_apart(biased(writer, writer.input(i), biases, size_t(i)), heads);
  };
  Parts parts{cut(0), cut(1), cut(2), heads, heads};
  parts.keys = attention.with_past(writer.input(6), parts.keys);
  parts.values = attention.with_past(writer.input(7), parts.values);
  writer.finish(1, parts.keys);
  writer.finish(2, parts.values);
  std::string scores = attention.scores(parts, writer.number("scale", 0));
  if (writer.has_input(4)) {
    if (types.rank(writer.input(4)).value_or(2) != 2) return false;  // lengths
    std::string seen = writer.add("Cast", {writer.input(4)}, {{"to", {onnx::TensorProto::BOOL}}});
    seen = writer.add("Unsqueeze", {seen, writer.integers({1, 2})});
    scores = writer.add("Where", {seen, scores, attention.literal(writer.number("mask_filter_value", -10000.0F))});
  }
  scores = attention.masked(scores, writer.input(5));
  if (writer.integer("unidirectional", 0) != 0) scores = attention.causal(scores, writer.input(6));
  writer.finish(0, attention.heads_together(attention.sum_of_values(scores, parts.values)));
  return true;
}

// onnxruntime's for decoders: always causal, keys and values shared among heads, a cache, maybe rotary positions.
bool write_group_query_attention(CompositeWriter& writer, const StatedTypes& types) {
  const int64_t heads = writer.integer("num_heads", 0), kv_heads = writer.integer("kv_num_heads", heads);
  if (!good_heads(heads, kv_heads) || writer.has_input(11)) return false;
  AttentionWriter attention(writer, types);
  std::vector<std::string> flat{writer.input(0), writer.input(1), writer.input(2)};
  if (!writer.has_input(1)) {  // queries, keys and values side by side
    const auto width = types.size(writer.input(0), 2);
    if (!width || *width % (heads + 2 * kv_heads) != 0) return false;
    const int64_t head = *width / (heads + 2 * kv_heads);
    flat =
        writer.add_many("Split", {writer.input(0), writer.integers({heads * head, kv_heads * head, kv_heads * head})},
                        3, {{"axis", {-1}}});
  }
  Parts parts{attention.heads_apart(flat[0], heads), attention.heads_apart(flat[1], kv_heads),
              attention.heads_apart(flat[2], kv_heads), heads, kv_heads};
  const std::string past = writer.input(3);
  if (writer.integer("do_rotary", 0) != 0 && writer.has_input(7) && writer.has_input(8)) {
    const std::string positions = writer.has_input(9) ? writer.input(9) : attention.positions(parts.queries, past, "");
    const int64_t interleaved = writer.integer("rotary_interleaved", 0);
    for (std::string* x : {&parts.queries, &parts.keys})
      *x = writer.add("RotaryEmbedding", {*x, writer.input(7), writer.input(8), positions},
                      {{"interleaved", {interleaved}}});
  }
  parts.keys = attention.with_past(past, parts.keys);
  parts.values = attention.with_past(writer.input(4), parts.values);
  writer.finish(1, parts.keys);
  writer.finish(2, parts.values);
  parts.keys = attention.repeated(parts.keys, heads, kv_heads);
  parts.values = attention.repeated(parts.values, heads, kv_heads);
  std::string scores =
      attention.capped(attention.scores(parts, writer.number("scale", 0)), writer.number("softcap", 0));
  scores = attention.masked(scores, writer.input(10));
  scores = attention.causal(scores, past);
  writer.finish(0, attention.heads_together(attention.sum_of_values(scores, parts.values)));
  return true;
}

// onnxruntime's has the positions before the tables; the standard's after them.
bool write_rotary_embedding(CompositeWriter& writer, const StatedTypes& types) {
  const std::string x = writer.input(0), cosines = writer.input(2);
  const auto rank = types.rank(x);
  int64_t heads = writer.integer("num_heads", 0);
  if (heads == 0 && rank == 3) {
    const auto width = types.size(x, 2), half = types.size(cosines, 1);
    if (!width || !half || *half < 1 || *width % (2 * *half) != 0) return false;
    heads = *width / (2 * *half);
  }
  std::string positions = writer.input(1);
  if (types.rank(positions) == 1) {  // the first one
    if (rank != 4) return false;
    positions = AttentionWriter(writer, types).positions(x, "", positions);
  }
  writer.finish(0, writer.add("RotaryEmbedding", {x, cosines, writer.input(3), positions},
                              {{"interleaved", {writer.integer("interleaved", 0)}},
                               {"num_heads", {heads}},
                               {"rotary_embedding_dim", {writer.integer("rotary_embedding_dim", 0)}}}));
  return true;
}

}  // namespace plimsoll
