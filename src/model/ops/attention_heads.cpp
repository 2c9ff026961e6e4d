#include "model/ops/attention_heads.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <numeric>

#include "model/ops/doubles.h"

namespace plimsoll {
namespace {

// ALiBi's slope of a head (Press 2021): powers of 2^(-8 / n) for the largest power of two n that there are heads for,
// then every other one of twice as many.
double alibi_slope(int64_t head, int64_t heads) {
  const auto whole = int64_t(std::pow(2.0, std::floor(std::log2(double(heads)))));
  if (head < whole) return std::pow(2.0, -8.0 * double(head + 1) / double(whole));
  return std::pow(2.0, -4.0 * double(2 * (head - whole) + 1) / double(whole));
}

Status check_extras(const OpCall& call, const AttentionHeads& h) {
  if (call.has(3)) {
    const Shape& bias = call.shape(3);
    const int64_t scores[] = {h.batch, h.heads, h.sequence, h.seen};
    bool good = bias.rank() <= 4;
    for (int axis = 0; good && axis < bias.rank(); ++axis) {
      const int64_t full = scores[4 - bias.rank() + axis];
      const bool samples = axis == 0 && bias.rank() == 4;
      good = bias[axis] == 1 || bias[axis] == full || (samples && bias[axis] > 0 && full % bias[axis] == 0);
    }
    if (!good)
      return user_error(fmt::format("a bias of shape {} does not broadcast to the scores {}x{}x{}x{}", bias.text(),
                                    h.batch, h.heads, h.sequence, h.seen));
  }
  if (call.has(4) && call.shape(4) != Shape{h.heads})
    return user_error(fmt::format("sinks are {}, expected one for each of {} heads", call.shape(4).text(), h.heads));
  if (const double dropout = call.attributes.number("dropout", 0); !(dropout >= 0 && dropout < 1))
    return user_error(fmt::format("dropout is {}, expected at least 0 and less than 1", dropout));
  for (const auto name : {"window", "chunk"})
    if (call.attributes.integer(name, 0) < 0)
      return user_error(fmt::format("{} is {}, expected at least 0", name, call.attributes.integer(name, 0)));
  return {};
}

}  // namespace

Result<AttentionHeads> attention_heads(const OpCall& call) {
  const Shape &q = call.shape(0), &k = call.shape(1), &v = call.shape(2);
  const int64_t heads = call.attributes.integer("num_heads", 0);
  const int64_t kv_heads = call.attributes.integer("kv_num_heads", heads);
  if (q.rank() != 3 || k.rank() != 3 || v.rank() != 3 || k[0] != q[0] || v[0] != q[0] || v[1] != k[1])
    return user_error(
        fmt::format("queries {}, keys {} and values {}: expected (batch, sequence, numbers) of one "
                    "batch, as many values as keys",
                    q.text(), k.text(), v.text()));
  if (heads < 1 || kv_heads < 1 || heads % kv_heads != 0 || q[2] % heads != 0 || k[2] % kv_heads != 0 ||
      v[2] % kv_heads != 0 || q[2] / heads != k[2] / kv_heads)
    return user_error(
        fmt::format("{} query heads and {} of keys and values do not divide queries of {}, keys of {} "
                    "and values of {} evenly",
                    heads, kv_heads, q[2], k[2], v[2]));
  const AttentionHeads found{q[0], q[1], k[1], heads, kv_heads, q[2] / heads, v[2] / kv_heads};
  PLIM_TRY(check_extras(call, found));
  return found;
}

AttentionInputs::AttentionInputs(const OpCall& call, const AttentionHeads& heads, std::span<const TensorView> in,
                                 const std::vector<double>& counters)
    : queries(read_doubles(in[0])),
      keys(read_doubles(in[1])),
      values(read_doubles(in[2])),
      bias(read_doubles(in, 3)),
      sinks(read_doubles(in, 4)),
      heads_(heads),
      causal_(call.attributes.integer("is_causal", 0) != 0),
      alibi_(call.attributes.integer("alibi", 0) != 0),
      window_(call.attributes.integer("window", 0)),
      chunk_(call.attributes.integer("chunk", 0)),
      softcap_(call.attributes.number("softcap", 0)),
      dropout_(call.attributes.number("dropout", 0)) {
  const auto counter = [&](size_t i) { return i < counters.size() ? uint64_t(clamped<int64_t>(counters[i])) : 0; };
  random_ = {counter(0), counter(1), uint64_t(call.attributes.integer("node", 0)), counter(2)};
  const double stated = call.attributes.number("scale", 0);
  scale = stated != 0 ? stated : 1 / std::sqrt(double(heads.head));
  if (!bias.empty()) bias_shape_ = call.shape(3);
}

bool AttentionInputs::sees(int64_t position, int64_t seen) const {
  if (causal_ && seen > position) return false;
  if (chunk_ > 0 && seen / chunk_ != position / chunk_) return false;
  return window_ == 0 || (seen > position - window_ && (causal_ || seen < position + window_));
}

size_t AttentionInputs::bias_at(const AttentionRow& row, size_t seen) const {
  const int64_t samples = bias_shape_.rank() == 4 ? bias_shape_[0] : 1;
  const int64_t place[] = {row.sample % samples, row.head, row.position, int64_t(seen)};
  const auto strides = bias_shape_.strides();
  int64_t at = 0;
  for (int axis = 0; axis < bias_shape_.rank(); ++axis)
    if (bias_shape_[axis] != 1) at += strides[size_t(axis)] * place[4 - bias_shape_.rank() + axis];
  return size_t(at);
}

// The numbers that a dropout of all scores, (batch, heads, sequence, seen), would have.
double AttentionInputs::kept(const AttentionRow& row, size_t seen) const {
  if (dropout_ <= 0) return 1;
  const int64_t place = (row.head * heads_.sequence + row.position) * heads_.seen + int64_t(seen);
  return random_.uniform(uint64_t(row.sample), uint64_t(place)) >= dropout_ ? 1 / (1 - dropout_) : 0;
}

RowScores AttentionInputs::scores(const AttentionRow& row) const {
  RowScores found;
  const double* query = queries.data() + row.query;
  double largest = sinks.empty() ? -std::numeric_limits<double>::infinity() : sinks[size_t(row.head)];
  for (size_t t = 0; t < size_t(heads_.seen); ++t) {
    const double product =
        std::inner_product(query, query + heads_.head, keys.data() + row.key + t * heads_.key_stride(), 0.0);
    double score = scale * product, slope = 1;
    if (softcap_ > 0) {
      const double bent = std::tanh(score / softcap_);
      score = softcap_ * bent;
      slope = 1 - bent * bent;
    }
    if (alibi_) score += alibi_slope(row.head, heads_.heads) * double(int64_t(t) - row.position);
    if (!bias.empty()) score += bias[bias_at(row, t)];
    if (!sees(row.position, int64_t(t))) score = -std::numeric_limits<double>::infinity();
    found.shares.push_back(score);
    found.cap_slopes.push_back(slope);
    found.kept.push_back(kept(row, t));
    largest = std::max(largest, score);
  }
  double sum = sinks.empty() ? 0 : std::exp(sinks[size_t(row.head)] - largest);
  found.sink_share = sum;
  for (double& share : found.shares) sum += share = std::isinf(largest) ? 0 : std::exp(share - largest);
  found.log_sum = largest + std::log(sum);
  const double whole = sum > 0 ? sum : 1;  // a row that sees nothing takes nothing
  for (double& share : found.shares) share /= whole;
  found.sink_share /= whole;
  return found;
}

}  // namespace plimsoll
