// Attention forward: for each tile of queries the keys' tiles one after the other, with sums that follow the largest
// score so far.
#pragma once

#include "run/exec/attention/tile_scores.h"
#include "run/exec/tiled_conv/tile_team.h"

namespace plimsoll {
namespace {

class ForwardWork {
 public:
  static int64_t floats(const TiledAttention& a) { return a.threads * of_thread(a); }

  static void run(const TiledAttention& a, const AttentionForward& arrays) {
    auto work = [&] {
      const Share items = share(a.batch * a.kv_heads, thread_number(), team_size());
      ForwardWork own(a, arrays, arrays.work + thread_number() * of_thread(a));
      for (int64_t item = items.from; item < items.to; ++item) own.run_item(item / a.kv_heads, item % a.kv_heads);
    };
    in_region_of(a.threads, work);
  }

 private:
  static int64_t of_thread(const TiledAttention& a) {
    return turned_floats(tile_of(a), a.seen, a.head) + floats_of(a.seen, a.value_head) + floats_of(kOnlyTile, a.head) +
           kOnlyTile * kTileStride + floats_of(kOnlyTile, a.value_head);
  }

  ForwardWork(const TiledAttention& a, const AttentionForward& arrays, float* work)
      : a_(a),
        f_(arrays),
        keys_{a.seen, a.head, a.kv_heads * a.head},
        values_{a.seen, a.value_head, a.kv_heads * a.value_head},
        tile_(tile_of(a)),
        turned_(work),
        v_(turned_ + turned_floats(tile_, a.seen, a.head)),
        q_(v_ + floats_of(a.seen, a.value_head)),
        scores_(q_ + floats_of(kOnlyTile, a.head)),
        sums_(scores_ + kOnlyTile * kTileStride) {}

  void run_item(int64_t sample, int64_t shared) {
    pack_turned(tile_, keys_, f_.k + sample * a_.seen * keys_.stride + shared * a_.head, turned_);
    pack_rows(values_, f_.v + sample * a_.seen * values_.stride + shared * a_.value_head, 1, v_);
    const int64_t group = a_.heads / a_.kv_heads;
    for (int64_t head = shared * group; head < (shared + 1) * group; ++head) {
      const HeadScores scores{a_, sample, head, f_.bias,
                              scattered(f_.key.step ^ (f_.key.first_sample + uint64_t(sample)))};
      for (int64_t first = 0; first < a_.sequence; first += tile_) run_queries(scores, first);
    }
  }

  void run_queries(const HeadScores& scores, int64_t first) {
    const int64_t count = scores.queries_from(first);
    const int64_t at = scores.sample * a_.sequence + first, width = values_.width();
    pack_rows({count, a_.head, a_.heads * a_.head}, f_.q + (at * a_.heads + scores.head) * a_.head, a_.scale, q_);
    clear(sums_, whole_rows(count) * width);
    for (int64_t r = 0; r < count; ++r) largest_[r] = kHiddenScore, total_[r] = 0;
    for (int64_t key = 0; key < a_.seen && scores.meets(first, key); key += tile_) {
      const int64_t keys = scores.keys_from(key);
      multiply_tile<false>({q_, whole_vectors(a_.head), 1, turned_ + turned_at(tile_, key, a_.head), kTileStride,
                            scores_, kTileStride, count, keys, a_.head});
      for (int64_t r = 0; r < count; ++r) share_row(scores, first, r, key);
      multiply_tile<true>({scores_, kTileStride, 1, v_ + key * width, width, sums_, width, count, width, keys});
    }
    end_queries(scores, first, count);
  }

  // From scores to shares that are not yet divided by their total; what was summed before follows the new largest.
  void share_row(const HeadScores& scores, int64_t first, int64_t r, int64_t key) {
    float* row = scores_ + r * kTileStride;
    const int64_t keys = scores.keys_from(key);
    scores.finish(row, first + r, key);
    Vec most = load(row);
    for (int64_t t = kLanes; t < keys; t += kLanes) most = largest(most, load(row + t));
    const float before = largest_[r], tile = largest_of(most), now = before > tile ? before : tile;
    if (now > before) follow(r, before, now);
    const float shift = now == kHiddenScore ? 0 : now;
    Vec total{};
    for (int64_t t = 0; t < keys; t += kLanes) {
      Vec share = exponential(load(row + t) - shift);
      total += share;
      if (a_.threshold > 0) share *= scores.kept(first + r, key + t);
      store(row + t, share);
    }
    total_[r] += sum_of(total);
  }

  void follow(int64_t r, float before, float now) {
    largest_[r] = now;
    if (before == kHiddenScore) return;
    const float factor = exponential(Vec{} + (before - now))[0];
    total_[r] *= factor;
    float* sums = sums_ + r * values_.width();
    for (int64_t i = 0; i < values_.width(); i += kLanes) store(sums + i, factor * load(sums + i));
  }

  // A row that sees nothing takes nothing.
  void end_queries(const HeadScores& scores, int64_t first, int64_t count) {
    const int64_t at = scores.sample * a_.sequence + first;
    for (int64_t r = 0; r < count; ++r) {
      const float factor = total_[r] == 0 ? 0 : 1 / total_[r];
      const float* sums = sums_ + r * values_.width();
      float* y = f_.y + ((at + r) * a_.heads + scores.head) * a_.value_head;
      for (int64_t i = 0; i < a_.value_head; ++i) y[i] = factor * sums[i];
      f_.log_sums[(scores.sample * a_.heads + scores.head) * a_.sequence + first + r] =
          largest_[r] + __builtin_logf(total_[r]);
    }
  }

  const TiledAttention& a_;
  const AttentionForward& f_;
  const HeadRows keys_, values_;
  const int64_t tile_;
  float *turned_, *v_, *q_, *scores_, *sums_;
  float largest_[kOnlyTile], total_[kOnlyTile];
};

}  // namespace
}  // namespace plimsoll
