// Attention in tiles against sums in double, for each instruction set that this machine has.
#include "run/exec/attention/attention.h"

#include <gtest/gtest.h>

#include "model/ops/counter_random.h"
#include "run/exec/attention/attention_loops.h"
#include "tests/unit/run/exec/tiled_conv_check.h"

namespace plimsoll {
namespace {

using Doubles = std::vector<double>;

const AttentionLoops* attention_of(const std::string& set) {
#if defined(__x86_64__)
  if (has_instruction_set(set)) return set == "avx512" ? &attention_avx512() : &attention_avx2();
#endif
  return nullptr;
}

constexpr DropoutKey kKey{123456789, 7};

std::vector<float> random_numbers(int64_t count, uint32_t seed) {
  std::mt19937 random(seed);
  std::normal_distribution<float> normal;
  std::vector<float> numbers(size_t(count), 0.0F);
  for (float& number : numbers) number = normal(random);
  return numbers;
}

// The definition, row by row.
class ExpectedAttention {
 public:
  ExpectedAttention(const TiledAttention& attention)
      : a(attention),
        q(random_numbers(a.batch * a.sequence * a.heads * a.head, 1)),
        k(random_numbers(a.batch * a.seen * a.kv_heads * a.head, 2)),
        v(random_numbers(a.batch * a.seen * a.kv_heads * a.value_head, 3)),
        bias(random_numbers(a.bias_floats(), 4)),
        dy(random_numbers(a.batch * a.sequence * a.heads * a.value_head, 5)),
        y(dy.size()),
        dq(q.size()),
        dk(k.size()),
        dv(v.size()),
        dbias(bias.size()) {
    for (int64_t n = 0; n < a.batch; ++n)
      for (int64_t h = 0; h < a.heads; ++h)
        for (int64_t s = 0; s < a.sequence; ++s) add_row(n, h, s);
  }

  const TiledAttention& a;
  std::vector<float> q, k, v, bias, dy;
  Doubles y, dq, dk, dv, dbias;

 private:
  void add_row(int64_t n, int64_t h, int64_t s) {
    const int64_t shared = h / (a.heads / a.kv_heads);
    const auto query = size_t(((n * a.sequence + s) * a.heads + h) * a.head);
    const auto output = size_t(((n * a.sequence + s) * a.heads + h) * a.value_head);
    const auto key = [&](int64_t t) { return size_t(((n * a.seen + t) * a.kv_heads + shared) * a.head); };
    const auto value = [&](int64_t t) { return size_t(((n * a.seen + t) * a.kv_heads + shared) * a.value_head); };
    const Doubles shares = shares_of(n, h, s, query, key);
    Doubles slopes(shares.size());
    double along = 0;
    for (int64_t t = 0; t < a.seen; ++t) {
      const double kept = kept_of(n, h, s, t), share = shares[size_t(t)];
      for (size_t i = 0; i < size_t(a.value_head); ++i) {
        y[output + i] += share * kept * v[value(t) + i];
        dv[value(t) + i] += share * kept * dy[output + i];
        slopes[size_t(t)] += kept * dy[output + i] * v[value(t) + i];
      }
      along += share * slopes[size_t(t)];
    }
    for (int64_t t = 0; t < a.seen; ++t) {
      const double slope = shares[size_t(t)] * (slopes[size_t(t)] - along);
      if (!bias.empty()) dbias[bias_at(n, h, s, t)] += slope;
      for (size_t i = 0; i < size_t(a.head); ++i) {
        dq[query + i] += slope * a.scale * k[key(t) + i];
        dk[key(t) + i] += slope * a.scale * q[query + i];
      }
    }
  }

  template <class Key>
  Doubles shares_of(int64_t n, int64_t h, int64_t s, size_t query, const Key& key) const {
    Doubles shares;
    double largest = -INFINITY, sum = 0;
    for (int64_t t = 0; t < a.seen; ++t) {
      double score = 0;
      for (size_t i = 0; i < size_t(a.head); ++i) score += double(q[query + i]) * k[key(t) + i];
      score = score * a.scale + (bias.empty() ? 0 : bias[bias_at(n, h, s, t)]);
      if (a.causal && t > s) score = -INFINITY;
      largest = std::max(largest, score);
      shares.push_back(score);
    }
    for (double& share : shares) sum += share = std::exp(share - largest);
    for (double& share : shares) share /= sum;
    return shares;
  }

  size_t bias_at(int64_t n, int64_t h, int64_t s, int64_t t) const {
    const int64_t plane = n % a.bias_samples * a.bias_heads + (a.bias_heads > 1 ? h : 0);
    return size_t((plane * a.sequence + s) * a.seen + t);
  }

  double kept_of(int64_t n, int64_t h, int64_t s, int64_t t) const {
    if (a.threshold == 0) return 1;
    const uint64_t key = scatter_bits(kKey.step ^ (kKey.first_sample + uint64_t(n)));
    const auto place = uint64_t((h * a.sequence + s) * a.seen + t);
    return (scatter_bits(key ^ place) >> 11) >= a.threshold ? double(a.kept_scale) : 0;
  }
};

struct FoundAttention {
  std::vector<float> y, dq, dk, dv, dbias;

  FoundAttention(const AttentionLoops& loops, const ExpectedAttention& e) {
    const float nan = std::nanf("");  // what is not written must be seen
    const TiledAttention& a = e.a;
    y.assign(e.y.size(), nan), dq.assign(e.q.size(), nan), dk.assign(e.k.size(), nan), dv.assign(e.v.size(), nan);
    dbias.assign(e.bias.size(), nan);
    std::vector<float> log_sums(size_t(a.batch * a.heads * a.sequence), nan);
    std::vector<float> ahead(size_t(loops.space(a)), nan), back(size_t(loops.gradient_space(a)), nan);
    const float* bias = e.bias.empty() ? nullptr : e.bias.data();
    loops.forward(a, {e.q.data(), e.k.data(), e.v.data(), bias, kKey, y.data(), log_sums.data(), ahead.data()});
    loops.backward(a, {e.dy.data(), e.q.data(), e.k.data(), e.v.data(), bias, log_sums.data(), y.data(), kKey,
                       dq.data(), dk.data(), dv.data(), bias ? dbias.data() : nullptr, back.data()});
  }
};

std::vector<float> as_floats(const Doubles& numbers) { return {numbers.begin(), numbers.end()}; }

void check_attention(const AttentionLoops& loops, const TiledAttention& attention) {
  const ExpectedAttention expected(attention);
  const FoundAttention found(loops, expected);
  constexpr double kError = 2e-6;
  EXPECT_LT(error(found.y, as_floats(expected.y)), kError) << "forward";
  EXPECT_LT(error(found.dq, as_floats(expected.dq)), kError) << "gradient of queries";
  EXPECT_LT(error(found.dk, as_floats(expected.dk)), kError) << "gradient of keys";
  EXPECT_LT(error(found.dv, as_floats(expected.dv)), kError) << "gradient of values";
  if (!expected.bias.empty()) {
    EXPECT_LT(error(found.dbias, as_floats(expected.dbias)), kError) << "gradient of the bias";
  }
}

TiledAttention attention_of(int64_t sequence, int64_t seen, int64_t heads, int64_t kv_heads, int64_t head,
                            int64_t value_head) {
  return {.batch = 3,
          .sequence = sequence,
          .seen = seen,
          .heads = heads,
          .kv_heads = kv_heads,
          .head = head,
          .value_head = value_head,
          .scale = 1 / std::sqrt(float(head))};
}

class AttentionInTiles : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    loops_ = attention_of(GetParam());
    if (!loops_) GTEST_SKIP() << "this machine has no " << GetParam();
  }
  const AttentionLoops* loops_ = nullptr;
};

TEST_P(AttentionInTiles, IsTheDefinitionAtAnySize) {
  check_attention(*loops_, attention_of(5, 5, 2, 2, 4, 4));
  check_attention(*loops_, attention_of(1, 130, 1, 1, 16, 16));
  check_attention(*loops_, attention_of(48, 96, 2, 2, 64, 64));
  check_attention(*loops_, attention_of(97, 49, 4, 2, 20, 12));
}

TEST_P(AttentionInTiles, HidesLaterPositions) {
  for (const int64_t tokens : {7, 48, 49, 60, 61, 101}) {
    TiledAttention attention = attention_of(tokens, tokens, 4, 1, 32, 32);
    attention.causal = true;
    check_attention(*loops_, attention);
  }
  TiledAttention across = attention_of(50, 60, 2, 1, 8, 8);
  across.causal = true;
  check_attention(*loops_, across);
}

TEST_P(AttentionInTiles, DropsTheSameForwardAndBackward) {
  TiledAttention attention = attention_of(60, 60, 2, 2, 16, 16);
  attention.threshold = uint64_t(0.25 * 0x1.0p53);
  attention.kept_scale = 1 / 0.75F;
  check_attention(*loops_, attention);
}

TEST_P(AttentionInTiles, AddsABiasThatRepeats) {
  for (const int64_t samples : {1, 3})
    for (const int64_t heads : {1, 2}) {
      TiledAttention attention = attention_of(49, 49, 2, 2, 32, 32);
      attention.bias_samples = samples;
      attention.bias_heads = heads;
      attention.threads = int(samples);
      check_attention(*loops_, attention);
    }
}

TEST_P(AttentionInTiles, IsTheSameEveryTime) {
  const TiledAttention attention = attention_of(100, 100, 4, 2, 32, 32);
  const ExpectedAttention numbers(attention);
  const FoundAttention first(*loops_, numbers), second(*loops_, numbers);
  EXPECT_EQ(first.y, second.y);
  EXPECT_EQ(first.dk, second.dk);
}

INSTANTIATE_TEST_SUITE_P(Sets, AttentionInTiles, testing::Values("avx2", "avx512"),
                         [](const auto& info) { return std::string(info.param); });

}  // namespace
}  // namespace plimsoll
