// cached_attention: attention of one new token with all before it, whose keys and values were kept. Queries are
// (batch, 1, heads × head), keys and values (batch, 1, kv_heads × head …); input 3 is the token's position, one number
// for all samples; inputs 4 and 5 are the caches, (batch, positions, …), which take the new key and value at that
// position, in their own memory. A position outside of them is the nearest inside. Attributes as of grouped_attention.
// Cost: as if all positions were filled.
#include <fmt/format.h>

#include <algorithm>

#include "model/ops/attention_heads.h"
#include "model/ops/doubles.h"
#include "model/ops/example.h"
#include "model/ops/gradient.h"

namespace plimsoll {
namespace {

constexpr size_t kPosition = 3, kKeys = 4, kValues = 5;

Result<AttentionHeads> heads_of(const OpCall& call) {
  return attention_heads(
      OpCall(call.attributes, {&call.type(0), &call.type(kKeys), &call.type(kValues)}, {}, call.output_count()));
}

Shape one_of(Shape cache) {
  if (cache.rank() > 1) cache[1] = 1;
  return cache;
}

Result<std::vector<TensorType>> infer_cached_attention(const OpCall& call) {
  PLIM_ASSIGN(const AttentionHeads h, heads_of(call));
  if (h.sequence != 1 || h.seen < 1)
    return user_error(
        fmt::format("{} tokens and {} positions, expected one token and at least one position", h.sequence, h.seen));
  if (call.shape(1) != one_of(call.shape(kKeys)) || call.shape(2) != one_of(call.shape(kValues)))
    return user_error(fmt::format("a key of {} and a value of {} do not fit into {} and {}", call.shape(1).text(),
                                  call.shape(2).text(), call.shape(kKeys).text(), call.shape(kValues).text()));
  if (call.type(kPosition).elements() != Count(1) || call.dtype(kPosition) != DType::i64)
    return user_error(fmt::format("the position is {} {}, expected one i64", name_of(call.dtype(kPosition)),
                                  call.shape(kPosition).text()));
  return std::vector<TensorType>{
      {call.dtype(0), {h.batch, 1, h.heads * h.value_head}}, call.type(kKeys), call.type(kValues)};
}

Cost cost_cached_attention(const OpCall& call) {
  const AttentionHeads h = *heads_of(call);
  const Count macs = h.pairs() * h.head + h.pairs() * h.value_head;
  return {as<Macs>(macs), as<Flops>(macs * 2 + h.pairs() * 5)};
}

// The cache with the new row of each sample.
std::vector<double> kept(const TensorView& cache, const TensorView& row, int64_t position) {
  auto numbers = read_doubles(cache);
  const auto added = read_doubles(row);
  const auto width = size_t(cache.shape()[2]), positions = size_t(cache.shape()[1]);
  for (size_t n = 0; n < size_t(cache.shape()[0]); ++n)
    std::copy_n(added.begin() + long(n * width), width,
                numbers.begin() + long((n * positions + size_t(position)) * width));
  return numbers;
}

// The part of a cache that is filled, (batch, position + 1, width).
Tensor filled(const std::vector<double>& cache, const Shape& shape, int64_t position) {
  Tensor part(TensorType{DType::f64, {shape[0], position + 1, shape[2]}});
  const auto width = size_t(shape[2]), rows = size_t(position + 1);
  for (size_t n = 0; n < size_t(shape[0]); ++n)
    std::copy_n(cache.begin() + long(n * size_t(shape[1]) * width), rows * width, part.as<double>() + n * rows * width);
  return part;
}

bool reference_cached_attention(const OpCall& call, std::span<const TensorView> in, std::span<const TensorView> out) {
  if (!all_numbers(in, out)) return false;
  const int64_t positions = call.shape(kKeys)[1];
  const auto position = int64_t(std::clamp(read_doubles(in[kPosition])[0], 0.0, double(positions - 1)));
  const auto keys = kept(in[kKeys], in[1], position), values = kept(in[kValues], in[2], position);
  Tensor seen_keys = filled(keys, call.shape(kKeys), position),
         seen_values = filled(values, call.shape(kValues), position);
  const OpCall plain(call.attributes, {&call.type(0), &seen_keys.type, &seen_values.type}, {}, 1);
  const AttentionHeads h = *attention_heads(plain);
  const TensorView read[] = {in[0], TensorView(seen_keys), TensorView(seen_values)};
  const AttentionInputs inputs(plain, h, read, {});
  std::vector<double> y(size_t(out[0].size()));
  h.for_rows([&](const AttentionRow& row) {
    const RowScores scores = inputs.scores(row);
    for (size_t t = 0; t < scores.shares.size(); ++t)
      for (size_t k = 0; k < size_t(h.value_head); ++k)
        y[row.output + k] += scores.shares[t] * inputs.values[row.value + t * h.value_stride() + k];
  });
  write_doubles(out, 0, y);
  write_doubles(out, 1, keys);
  write_doubles(out, 2, values);
  return true;
}

void gradient_cached_attention(Backward& backward) { backward.fail("one token after another is written, not trained"); }

std::vector<OpExample> examples_cached_attention() {
  using example::f32;
  return {{"in the middle",
           {{"num_heads", int64_t{4}}, {"kv_num_heads", int64_t{2}}},
           {f32({2, 1, 12}), f32({2, 1, 6}), f32({2, 1, 10}), example::ints({3}), f32({2, 7, 6}), f32({2, 7, 10})},
           3,
           false,
           false},
          {"the first, with a scale",
           {{"num_heads", int64_t{1}}, {"scale", 0.3}},
           {f32({1, 1, 40}), f32({1, 1, 40}), f32({1, 1, 40}), example::ints({0}), f32({1, 5, 40}), f32({1, 5, 40})},
           3,
           false,
           false},
          {"past the end",
           {{"num_heads", int64_t{2}}},
           {f32({1, 1, 64}), f32({1, 1, 64}), f32({1, 1, 64}), example::ints({9}), f32({1, 9, 64}), f32({1, 9, 64})},
           3,
           false,
           false}};
}

}  // namespace

const Op& cached_attention_op() {
  static const Op op{.name = "cached_attention",
                     .kind = OpKind::attention,
                     .onnx = {},
                     .roles = "xxxcbb",
                     .required_inputs = 6,
                     .infer = infer_cached_attention,
                     .cost = cost_cached_attention,
                     .reference = reference_cached_attention,
                     .gradient = gradient_cached_attention,
                     .examples = examples_cached_attention,
                     .updates = {{1, kKeys}, {2, kValues}}};
  return op;
}

}  // namespace plimsoll
