// Attention backward: each tile of scores is formed again, and goes into the gradients of its queries, keys and values.
#pragma once

#include "run/exec/attention/tile_scores.h"
#include "run/exec/tiled_conv/tile_team.h"

namespace plimsoll {
namespace {

class BackwardWork {
 public:
  static int64_t floats(const TiledAttention& a) { return a.threads * (of_thread(a) + whole_vectors(a.bias_floats())); }

  static void run(const TiledAttention& a, const AttentionBackward& arrays) {
    const int64_t bias = arrays.dbias ? a.bias_floats() : 0;
    float* sums = arrays.work + a.threads * of_thread(a);
    auto work = [&] {
      const Share items = share(a.batch * a.kv_heads, thread_number(), team_size());
      float* dbias = bias > 0 ? sums + thread_number() * whole_vectors(bias) : nullptr;
      clear(dbias, bias);
      BackwardWork own(a, arrays, arrays.work + thread_number() * of_thread(a), dbias);
      for (int64_t item = items.from; item < items.to; ++item) own.run_item(item / a.kv_heads, item % a.kv_heads);
      if (bias == 0) return;
      if (team_size() > 1) wait_for_team();
      const Share part = share(bias, thread_number(), team_size());
      for (int64_t i = part.from; i < part.to; ++i) {
        float sum = sums[i];
        for (int64_t other = 1; other < team_size(); ++other) sum += sums[other * whole_vectors(bias) + i];
        arrays.dbias[i] = sum;
      }
    };
    in_region_of(a.threads, work);
  }

 private:
  static int64_t of_thread(const TiledAttention& a) {
    return 2 * floats_of(a.sequence, a.head) + floats_of(a.sequence, a.value_head) + 2 * floats_of(a.seen, a.head) +
           floats_of(a.seen, a.value_head) + turned_floats(tile_of(a), a.seen, a.head) +
           turned_floats(tile_of(a), a.seen, a.value_head) + 2 * kOnlyTile * kTileStride + whole_vectors(a.sequence);
  }

  BackwardWork(const TiledAttention& a, const AttentionBackward& arrays, float* work, float* dbias)
      : a_(a),
        b_(arrays),
        queries_{a.sequence, a.head, a.heads * a.head},
        outputs_{a.sequence, a.value_head, a.heads * a.value_head},
        keys_{a.seen, a.head, a.kv_heads * a.head},
        values_{a.seen, a.value_head, a.kv_heads * a.value_head},
        tile_(tile_of(a)),
        dbias_(dbias) {
    const auto take = [&](int64_t floats) {
      float* taken = work;
      work += floats;
      return taken;
    };
    q_ = take(floats_of(a.sequence, a.head));
    dq_ = take(floats_of(a.sequence, a.head));
    dy_ = take(floats_of(a.sequence, a.value_head));
    k_ = take(floats_of(a.seen, a.head));
    dk_ = take(floats_of(a.seen, a.head));
    dv_ = take(floats_of(a.seen, a.value_head));
    turned_k_ = take(turned_floats(tile_, a.seen, a.head));
    turned_v_ = take(turned_floats(tile_, a.seen, a.value_head));
    shares_ = take(kOnlyTile * kTileStride);
    slopes_ = take(kOnlyTile * kTileStride);
    along_ = take(whole_vectors(a.sequence));
  }

  void run_item(int64_t sample, int64_t shared) {
    const int64_t key = sample * a_.seen * keys_.stride + shared * a_.head;
    const int64_t value = sample * a_.seen * values_.stride + shared * a_.value_head;
    pack_rows(keys_, b_.k + key, 1, k_);
    pack_turned(tile_, keys_, b_.k + key, turned_k_);
    pack_turned(tile_, values_, b_.v + value, turned_v_);
    clear(dk_, floats_of(a_.seen, a_.head));
    clear(dv_, floats_of(a_.seen, a_.value_head));
    const int64_t group = a_.heads / a_.kv_heads;
    for (int64_t head = shared * group; head < (shared + 1) * group; ++head)
      run_head({a_, sample, head, b_.bias, scattered(b_.key.step ^ (b_.key.first_sample + uint64_t(sample)))});
    if (b_.dk) unpack_rows(keys_, dk_, b_.dk + key);
    if (b_.dv) unpack_rows(values_, dv_, b_.dv + value);
  }

  void run_head(const HeadScores& scores) {
    const int64_t query = (scores.sample * a_.sequence * a_.heads + scores.head) * a_.head;
    const int64_t output = (scores.sample * a_.sequence * a_.heads + scores.head) * a_.value_head;
    pack_rows(queries_, b_.q + query, a_.scale, q_);
    pack_rows(outputs_, b_.dy + output, 1, dy_);
    clear(dq_, floats_of(a_.sequence, a_.head));
    for (int64_t s = 0; s < a_.sequence; ++s) {
      along_[s] = product_of_rows(b_.y + output + s * outputs_.stride, dy_ + s * outputs_.width(), a_.value_head);
    }
    for (int64_t key = 0; key < a_.seen; key += tile_)
      for (int64_t first = 0; first < a_.sequence; first += tile_)
        if (scores.meets(first, key)) run_tile(scores, first, key);
    // Scores were formed of scaled queries, so only their own gradient lacks the scale.
    for (int64_t i = 0; i < floats_of(a_.sequence, a_.head); ++i) dq_[i] *= a_.scale;
    if (b_.dq) unpack_rows(queries_, dq_, b_.dq + query);
  }

  void run_tile(const HeadScores& scores, int64_t first, int64_t key) {
    const int64_t width = queries_.width(), value_width = outputs_.width();
    const float *q = q_ + first * width, *dy = dy_ + first * value_width;
    const int64_t queries = scores.queries_from(first), keys = scores.keys_from(key);
    multiply_tile<false>({q, width, 1, turned_k_ + turned_at(tile_, key, a_.head), kTileStride, shares_, kTileStride,
                          queries, keys, a_.head});
    multiply_tile<false>({dy, value_width, 1, turned_v_ + turned_at(tile_, key, a_.value_head), kTileStride, slopes_,
                          kTileStride, queries, keys, a_.value_head});
    for (int64_t r = 0; r < queries; ++r) row_back(scores, first + r, r, key);
    float *dv = dv_ + key * value_width, *dk = dk_ + key * width, *dq = dq_ + first * width;
    multiply_tile<true>({shares_, 1, kTileStride, dy, value_width, dv, value_width, keys, value_width, queries});
    multiply_tile<true>({slopes_, 1, kTileStride, q, width, dk, width, keys, width, queries});
    multiply_tile<true>({slopes_, kTileStride, 1, k_ + key * width, width, dq, width, queries, width, keys});
  }

  // shares_: what values were mixed with; slopes_: of the loss by each score.
  void row_back(const HeadScores& scores, int64_t query, int64_t r, int64_t key) {
    float *shares = shares_ + r * kTileStride, *slopes = slopes_ + r * kTileStride;
    const float log_sum = b_.log_sums[(scores.sample * a_.heads + scores.head) * a_.sequence + query];
    if (log_sum == kHiddenScore) {  // it sees nothing
      clear(shares, kTileStride);
      return clear(slopes, kTileStride);
    }
    scores.finish(shares, query, key);
    for (int64_t t = 0; t < scores.keys_from(key); t += kLanes) {
      const Vec share = exponential(load(shares + t) - log_sum);
      const Vec kept = a_.threshold > 0 ? scores.kept(query, key + t) : Vec{} + 1;
      store(slopes + t, share * (load(slopes + t) * kept - along_[query]));
      store(shares + t, share * kept);
    }
    if (!dbias_) return;
    float* dbias = dbias_ + scores.bias_at(query) + key;
    const int64_t seen = scores.seen_by(query, key);
    for (int64_t t = 0; t < seen; ++t) dbias[t] += slopes[t];
  }

  const TiledAttention& a_;
  const AttentionBackward& b_;
  const HeadRows queries_, outputs_, keys_, values_;
  const int64_t tile_;
  float* dbias_;
  float *q_, *dq_, *dy_, *k_, *dk_, *dv_, *turned_k_, *turned_v_, *shares_, *slopes_, *along_;
};

}  // namespace
}  // namespace plimsoll
