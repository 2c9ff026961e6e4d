// What attention and its gradient share: how heads lie in their tensors, who sees whom, and the scores of one row.
#pragma once

#include "model/ir/op.h"
#include "model/ops/counter_random.h"

namespace plimsoll {

// One query of one head: where it, its head's first key and value, and its output begin.
struct AttentionRow {
  int64_t sample, head, position;
  size_t query, key, value, output;
};

struct AttentionHeads {
  int64_t batch, sequence, seen, heads, kv_heads, head, value_head;

  Count pairs() const { return Count(batch) * heads * sequence * seen; }
  size_t key_stride() const { return size_t(kv_heads * head); }
  size_t value_stride() const { return size_t(kv_heads * value_head); }

  // f(AttentionRow) by sample, head and position.
  template <class F>
  void for_rows(F&& f) const {
    for (int64_t n = 0; n < batch; ++n)
      for (int64_t h = 0; h < heads; ++h)
        for (int64_t s = 0; s < sequence; ++s) f(row(n, h, s));
  }

 private:
  AttentionRow row(int64_t n, int64_t h, int64_t s) const {
    const int64_t shared = h / (heads / kv_heads);
    return {n,
            h,
            s,
            size_t(((n * sequence + s) * heads + h) * head),
            size_t((n * seen * kv_heads + shared) * head),
            size_t((n * seen * kv_heads + shared) * value_head),
            size_t(((n * sequence + s) * heads + h) * value_head)};
  }
};

// Of inputs queries, keys, values (, bias, sinks), or what is wrong with them.
Result<AttentionHeads> attention_heads(const OpCall& call);

struct RowScores {
  std::vector<double> shares;      // of each value; they and the sink's add up to 1
  std::vector<double> kept;        // what each share is multiplied by: 1, or of a dropout 0 or more than 1
  std::vector<double> cap_slopes;  // of each score by what it was before `softcap`
  double sink_share = 0;
  double log_sum = 0;
};

// The numbers of a call, and the maths of one row.
struct AttentionInputs {
  // `counters`: what the random numbers of a dropout follow from; may be empty.
  AttentionInputs(const OpCall& call, const AttentionHeads& heads, std::span<const TensorView> in,
                  const std::vector<double>& counters);

  RowScores scores(const AttentionRow& row) const;
  size_t bias_at(const AttentionRow& row, size_t seen) const;

  std::vector<double> queries, keys, values, bias, sinks;
  double scale;

 private:
  bool sees(int64_t position, int64_t seen) const;
  double kept(const AttentionRow& row, size_t seen) const;

  AttentionHeads heads_;
  Shape bias_shape_;
  bool causal_, alibi_;
  int64_t window_, chunk_;
  double softcap_, dropout_;
  RandomKey random_;
};

}  // namespace plimsoll
