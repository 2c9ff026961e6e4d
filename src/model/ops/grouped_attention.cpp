// grouped_attention: softmax(Q·Kᵀ · scale + bias) · V, head by head. Q is (batch, sequence, heads × head), K and V are
// (batch, seen, kv_heads × head) and (…, kv_heads × value head); `num_heads` / `kv_num_heads` queries share a key.
// `is_causal` hides later positions, `window` those further back than so many, `chunk` those of earlier chunks;
// `softcap` bounds scores by a tanh, `alibi` lowers them with the distance. Input 3 is a bias of the scores that
// broadcasts to (batch, heads, sequence, seen), repeating where it has fewer samples; input 4 a score a head that takes
// its share of the softmax and gives nothing (`sinks`). `latent`: how many numbers a token leaves in a cache, where not
// all of its keys and values.
//
// `dropout` is the share of the softmax that is left out at random; which, follows from `node` and input 5, the
// counters of the step, as in dropout_train.
//
// Two forms. `fused` (flash): the second output is each row's log of the summed exponentials, f32, and the backward
// pass computes the scores again. Otherwise the second output is the softmax, (batch, heads, sequence, seen). Cost: the
// two products uncut by what is hidden, as frameworks count them, and 5 a score for the softmax.
#include <fmt/format.h>

#include "model/ops/attention_heads.h"
#include "model/ops/doubles.h"
#include "model/ops/example.h"
#include "model/ops/gradient.h"

namespace plimsoll {
namespace {

constexpr size_t kCounters = 5;

bool is_fused(const Attributes& attributes) { return attributes.integer("fused", 0) != 0; }

Result<std::vector<TensorType>> infer_grouped_attention(const OpCall& call) {
  PLIM_ASSIGN(const AttentionHeads h, attention_heads(call));
  std::vector<TensorType> outputs{{call.dtype(0), {h.batch, h.sequence, h.heads * h.value_head}}};
  if (is_fused(call.attributes)) outputs.push_back({DType::f32, {h.batch, h.heads, h.sequence}});
  else outputs.push_back({call.dtype(0), {h.batch, h.heads, h.sequence, h.seen}});
  return outputs;
}

// Products of queries with keys, and of shares with values.
Count score_macs(const AttentionHeads& h) { return h.pairs() * h.head; }
Count value_macs(const AttentionHeads& h) { return h.pairs() * h.value_head; }

Cost cost_grouped_attention(const OpCall& call) {
  const AttentionHeads h = *attention_heads(call);
  const Count macs = score_macs(h) + value_macs(h);
  return {as<Macs>(macs), as<Flops>(macs * 2 + h.pairs() * 5)};
}

bool reference_grouped_attention(const OpCall& call, std::span<const TensorView> in, std::span<const TensorView> out) {
  if (!all_numbers(in, out)) return false;
  const AttentionHeads h = *attention_heads(call);
  const AttentionInputs inputs(call, h, in, read_doubles(in, kCounters));
  std::vector<double> y(size_t(out[0].size())), second;
  h.for_rows([&](const AttentionRow& row) {
    const RowScores scores = inputs.scores(row);
    if (is_fused(call.attributes)) second.push_back(scores.log_sum);
    else second.insert(second.end(), scores.shares.begin(), scores.shares.end());
    for (size_t t = 0; t < scores.shares.size(); ++t)
      for (size_t k = 0; k < size_t(h.value_head); ++k)
        y[row.output + k] += scores.shares[t] * scores.kept[t] * inputs.values[row.value + t * h.value_stride() + k];
  });
  write_doubles(out, 0, y);
  write_doubles(out, 1, second);
  return true;
}

// dy, then the inputs of the forward call, then what it kept (its second output), fused its first, and the counters.
constexpr size_t kInputs = 5, kCountersOfGrad = 8;

OpCall forward_of(const OpCall& call) {
  std::vector<const TensorType*> inputs;
  for (size_t i = 1; i <= kInputs; ++i) inputs.push_back(call.has(i) ? &call.type(i) : nullptr);
  return OpCall(call.attributes, std::move(inputs), {}, 2);
}

Result<std::vector<TensorType>> infer_grouped_attention_grad(const OpCall& call) {
  PLIM_ASSIGN(const auto types, infer_grouped_attention(forward_of(call)));
  if (call.shape(0) != types[0].shape)
    return user_error(
        fmt::format("the gradient has the shape {}, expected {}", call.shape(0).text(), types[0].shape.text()));
  std::vector<TensorType> outputs{call.type(1), call.type(2), call.type(3)};
  for (size_t i = 4; i <= kInputs; ++i) outputs.push_back(call.has(i) ? call.type(i) : TensorType{call.dtype(0), {0}});
  return outputs;
}

// Unfused: dV and dQ, dK and the shares' gradient, each a product as large as the forward one. Fused: the scores again.
Cost cost_grouped_attention_grad(const OpCall& call) {
  const AttentionHeads h = *attention_heads(forward_of(call));
  const int64_t scores = is_fused(call.attributes) ? 3 : 2;
  const Count macs = score_macs(h) * scores + value_macs(h) * 2;
  return {as<Macs>(macs), as<Flops>(macs * 2 + h.pairs() * 9)};
}

class GradientSums {
 public:
  GradientSums(const AttentionHeads& h, const AttentionInputs& inputs)
      : dq(inputs.queries.size()),
        dk(inputs.keys.size()),
        dv(inputs.values.size()),
        dbias(inputs.bias.size()),
        dsinks(inputs.sinks.size()),
        h_(h),
        inputs_(inputs) {}

  void add(const AttentionRow& row, const std::vector<double>& dy) {
    const RowScores scores = inputs_.scores(row);
    std::vector<double> slopes(scores.shares.size());  // of the loss by each share
    double mean = 0;
    for (size_t t = 0; t < slopes.size(); ++t) {
      const size_t value = row.value + t * h_.value_stride();
      for (size_t k = 0; k < size_t(h_.value_head); ++k) {
        slopes[t] += scores.kept[t] * dy[row.output + k] * inputs_.values[value + k];
        dv[value + k] += scores.shares[t] * scores.kept[t] * dy[row.output + k];
      }
      mean += scores.shares[t] * slopes[t];
    }
    if (!dsinks.empty()) dsinks[size_t(row.head)] -= scores.sink_share * mean;
    for (size_t t = 0; t < slopes.size(); ++t) add_score(row, t, scores.shares[t] * (slopes[t] - mean), scores);
  }

  std::vector<double> dq, dk, dv, dbias, dsinks;

 private:
  void add_score(const AttentionRow& row, size_t t, double slope, const RowScores& scores) {
    if (!dbias.empty()) dbias[inputs_.bias_at(row, t)] += slope;
    const double score = slope * scores.cap_slopes[t] * inputs_.scale;
    const size_t key = row.key + t * h_.key_stride();
    for (size_t k = 0; k < size_t(h_.head); ++k) {
      dq[row.query + k] += score * inputs_.keys[key + k];
      dk[key + k] += score * inputs_.queries[row.query + k];
    }
  }

  const AttentionHeads& h_;
  const AttentionInputs& inputs_;
};

bool reference_grouped_attention_grad(const OpCall& call, std::span<const TensorView> in,
                                      std::span<const TensorView> out) {
  if (!all_numbers(in, out)) return false;
  const OpCall forward = forward_of(call);
  const AttentionHeads h = *attention_heads(forward);
  const AttentionInputs inputs(forward, h, in.subspan(1, std::min(kInputs, in.size() - 1)),
                               read_doubles(in, kCountersOfGrad));
  const auto dy = read_doubles(in[0]);
  GradientSums sums(h, inputs);
  h.for_rows([&](const AttentionRow& row) { sums.add(row, dy); });
  write_doubles(out, 0, sums.dq);
  write_doubles(out, 1, sums.dk);
  write_doubles(out, 2, sums.dv);
  if (!sums.dbias.empty()) write_doubles(out, 3, sums.dbias);
  if (!sums.dsinks.empty()) write_doubles(out, 4, sums.dsinks);
  return true;
}

const Op& grouped_attention_grad() {
  static const Op op{.name = "grouped_attention_grad",
                     .kind = OpKind::attention,
                     .onnx = {},
                     .required_inputs = 4,
                     .infer = infer_grouped_attention_grad,
                     .cost = cost_grouped_attention_grad,
                     .reference = reference_grouped_attention_grad};
  return op;
}

void gradient_grouped_attention(Backward& backward) {
  if (backward.call().output_count() > 1 && backward.gradient(1).present())
    return backward.fail("what it keeps for the backward pass has no gradient");
  std::vector<ValueId> inputs{backward.gradient()};
  for (size_t i = 0; i < kInputs; ++i) inputs.push_back(backward.input(i));
  inputs.push_back(backward.output(1));
  inputs.push_back(is_fused(backward.attributes()) ? backward.output(0) : ValueId{});
  inputs.push_back(backward.input(kCounters));
  const auto gradients = backward.emit(grouped_attention_grad(), std::move(inputs), backward.attributes(), kInputs);
  for (size_t i = 0; i < kInputs; ++i)
    if (backward.wants(i)) backward.set(i, gradients[i]);
}

std::vector<OpExample> examples_grouped_attention() {
  using example::f32;
  return {{"grouped queries, causal",
           {{"num_heads", int64_t{2}}, {"kv_num_heads", int64_t{1}}, {"is_causal", int64_t{1}}},
           {f32({2, 3, 4}), f32({2, 3, 2}), f32({2, 3, 3})}},
          {"across, with a bias",
           {{"num_heads", int64_t{2}}, {"scale", 0.3}, {"fused", int64_t{1}}},
           {f32({2, 3, 4}), f32({2, 2, 4}), f32({2, 2, 2}), f32({1, 2, 3, 2})}},
          {"with a dropout",
           {{"num_heads", int64_t{2}},
            {"kv_num_heads", int64_t{1}},
            {"is_causal", int64_t{1}},
            {"fused", int64_t{1}},
            {"dropout", 0.25},
            {"node", int64_t{3}}},
           {f32({2, 5, 6}), f32({2, 5, 3}), f32({2, 5, 4})}},
          {"in tiles",
           {{"num_heads", int64_t{2}},
            {"kv_num_heads", int64_t{1}},
            {"is_causal", int64_t{1}},
            {"fused", int64_t{1}},
            {"dropout", 0.25}},
           {f32({2, 7, 12}), f32({2, 7, 6}), f32({2, 7, 5})},
           2},
          {"in tiles, with a bias",
           {{"num_heads", int64_t{2}}, {"fused", int64_t{1}}},
           {f32({2, 7, 12}), f32({2, 7, 12}), f32({2, 7, 6}), f32({2, 7, 7})},
           2},
          {"window, softcap, sinks",
           {{"num_heads", int64_t{2}},
            {"is_causal", int64_t{1}},
            {"window", int64_t{2}},
            {"softcap", 2.0},
            {"alibi", int64_t{1}}},
           {f32({2, 3, 4}), f32({2, 3, 4}), f32({2, 3, 4}), f32({3, 3}), f32({2})}}};
}

}  // namespace

const Op& grouped_attention_op() {
  static const Op op{.name = "grouped_attention",
                     .kind = OpKind::attention,
                     .onnx = {},
                     .roles = "xxxvvc",
                     .required_inputs = 3,
                     .infer = infer_grouped_attention,
                     .cost = cost_grouped_attention,
                     .reference = reference_grouped_attention,
                     .gradient = gradient_grouped_attention,
                     .examples = examples_grouped_attention};
  return op;
}

}  // namespace plimsoll
