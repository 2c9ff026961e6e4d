// relative_bias: T5's positions (Raffel 2020). A table of (buckets, heads) becomes a bias of the scores, (1, heads,
// `queries`, `keys`): each distance falls into a bucket, near ones one each, far ones in steps that grow, all beyond
// `max_distance` into the last. `bidirectional`: half of the buckets are for later positions.
#include <fmt/format.h>

#include <cmath>

#include "model/ops/doubles.h"
#include "model/ops/example.h"
#include "model/ops/gradient.h"

namespace plimsoll {
namespace {

struct Buckets {
  int64_t queries, keys, buckets, heads, max_distance;
  bool bidirectional;

  size_t of(int64_t query, int64_t key) const {
    int64_t distance = query - key, first = 0, count = buckets;
    if (bidirectional) {
      count /= 2;
      if (distance < 0) first = count;
      distance = std::abs(distance);
    }
    distance = std::max<int64_t>(0, distance);
    const int64_t near = count / 2;
    if (distance < near) return size_t(first + distance);
    const double steps = std::log(double(distance) / double(near)) / std::log(double(max_distance) / double(near)) *
                         double(count - near);
    return size_t(first + std::min(count - 1, near + int64_t(steps)));
  }
};

Result<Buckets> buckets_of(const Attributes& a, const Shape& table) {
  if (table.rank() != 2) return user_error(fmt::format("the table is {}, expected (buckets, heads)", table.text()));
  const Buckets buckets{
      a.integer("queries", 0),           a.integer("keys", 0), table[0], table[1], a.integer("max_distance", 128),
      a.integer("bidirectional", 0) != 0};
  const int64_t least = buckets.bidirectional ? 4 : 2;
  if (buckets.queries < 1 || buckets.keys < 1 || buckets.buckets < least ||
      buckets.max_distance <= buckets.buckets / (buckets.bidirectional ? 4 : 2))
    return user_error(
        fmt::format("{} queries, {} keys, {} buckets and a largest distance of {}: expected at least 1, 1, {} and more "
                    "than the near ones",
                    buckets.queries, buckets.keys, buckets.buckets, buckets.max_distance, least));
  return buckets;
}

Result<std::vector<TensorType>> infer_relative_bias(const OpCall& call) {
  PLIM_ASSIGN(const Buckets buckets, buckets_of(call.attributes, call.shape(0)));
  return std::vector{TensorType{call.dtype(0), {1, buckets.heads, buckets.queries, buckets.keys}}};
}

template <class F>
void for_scores(const Buckets& buckets, F&& f) {
  size_t score = 0;
  for (int64_t h = 0; h < buckets.heads; ++h)
    for (int64_t q = 0; q < buckets.queries; ++q)
      for (int64_t k = 0; k < buckets.keys; ++k) f(score++, buckets.of(q, k) * size_t(buckets.heads) + size_t(h));
}

bool reference_relative_bias(const OpCall& call, std::span<const TensorView> in, std::span<const TensorView> out) {
  if (!all_numbers(in, out)) return false;
  const auto table = read_doubles(in[0]);
  std::vector<double> bias(size_t(out[0].size()));
  for_scores(*buckets_of(call.attributes, call.shape(0)), [&](size_t to, size_t from) { bias[to] = table[from]; });
  write_doubles(out, 0, bias);
  return true;
}

// dbias → dtable. The attribute "buckets" is the table's.
Result<std::vector<TensorType>> infer_relative_bias_grad(const OpCall& call) {
  if (call.shape(0).rank() != 4) return user_error("the gradient is not of scores");
  const Shape table{call.attributes.integer("buckets", 0), call.shape(0)[1]};
  PLIM_TRY(buckets_of(call.attributes, table));
  return std::vector{TensorType{call.dtype(0), table}};
}

bool reference_relative_bias_grad(const OpCall& call, std::span<const TensorView> in, std::span<const TensorView> out) {
  if (!all_numbers(in, out)) return false;
  const auto dbias = read_doubles(in[0]);
  std::vector<double> dtable(size_t(out[0].size()));
  for_scores(*buckets_of(call.attributes, out[0].shape()), [&](size_t from, size_t to) { dtable[to] += dbias[from]; });
  write_doubles(out, 0, dtable);
  return true;
}

const Op& relative_bias_grad() {
  static const Op op{.name = "relative_bias_grad",
                     .onnx = {},
                     .infer = infer_relative_bias_grad,
                     .cost =
                         [](const OpCall& call) {
                           return Cost{{}, as<Flops>(call.type(0).elements())};
                         },
                     .reference = reference_relative_bias_grad};
  return op;
}

void gradient_relative_bias(Backward& backward) {
  if (backward.wants(0))
    backward.set(0, backward.emit(relative_bias_grad(), {backward.gradient()},
                                  with(backward.attributes(), "buckets", backward.call().shape(0)[0])));
}

std::vector<OpExample> examples_relative_bias() {
  using example::f32;
  OpExample both{
      "both ways", {{"queries", int64_t{3}}, {"keys", int64_t{4}}, {"bidirectional", int64_t{1}}}, {f32({8, 2})}};
  OpExample back{
      "backwards", {{"queries", int64_t{9}}, {"keys", int64_t{9}}, {"max_distance", int64_t{8}}}, {f32({6, 1})}};
  both.linear_in_batch = back.linear_in_batch = false;
  return {both, back};
}

}  // namespace

const Op& relative_bias_op() {
  static const Op op{.name = "relative_bias",
                     .starts = "m",
                     .onnx = {},
                     .roles = "w",
                     .infer = infer_relative_bias,
                     .reference = reference_relative_bias,
                     .gradient = gradient_relative_bias,
                     .examples = examples_relative_bias};
  return op;
}

}  // namespace plimsoll
