// Attention in tiles by loops of our own (run/exec/attention): grouped_attention in the form that keeps a number for
// each row instead of the softmax.
#include "run/exec/attention/attention.h"

#include <cmath>

#include "model/ops/attention_heads.h"
#include "run/exec/onednn/kernels/kernel_makers.h"
#include "run/exec/onednn/kernels/tiled_conv_kernel.h"

namespace plimsoll {
namespace {

constexpr std::string_view kNotInTiles = "not f32, or with an option that the tiles do not have";
constexpr size_t kCounters = 5, kCountersOfGrad = 8;

// The smallest of the 53-bit integers whose uniform number is at least the ratio.
uint64_t least_kept(double ratio) {
  auto threshold = uint64_t(ratio * 0x1.0p53);
  while (double(threshold) * 0x1.0p-53 < ratio) ++threshold;
  return threshold;
}

bool is_known(const Attributes& attributes) {
  return attributes.integer("fused", 0) != 0 && attributes.number("softcap", 0) == 0 &&
         attributes.integer("alibi", 0) == 0 && attributes.integer("window", 0) == 0 &&
         attributes.integer("chunk", 0) == 0;
}

// The samples and heads of a bias that has a number for each query and key.
bool set_bias(const Shape& bias, TiledAttention& attention) {
  const int rank = bias.rank();
  if (rank < 2 || bias[rank - 1] != attention.seen || bias[rank - 2] != attention.sequence) return false;
  attention.bias_heads = rank > 2 ? bias[rank - 3] : 1;
  attention.bias_samples = rank > 3 ? bias[0] : 1;
  return true;
}

// `first`: of the inputs that are the forward call's.
std::optional<TiledAttention> tiled_attention(const Site& site, size_t first) {
  const Attributes& attributes = site.attributes();
  for (size_t i = first; i < first + 4; ++i)
    if (site.has_input(i) && (site.input(i).dtype != DType::f32 || site.input(i).elements() == Count(0)))
      return std::nullopt;
  if (tiled_conv_block() == 0 || !is_known(attributes) || site.has_input(first + 4)) return std::nullopt;
  const TensorType* types[] = {&site.input(first), &site.input(first + 1), &site.input(first + 2)};
  const auto heads = attention_heads(OpCall(attributes, {std::begin(types), std::end(types)}, {}, 2));
  if (!heads.ok()) return std::nullopt;
  const double scale = attributes.number("scale", 0), dropout = attributes.number("dropout", 0);
  TiledAttention attention{.batch = heads->batch,
                           .sequence = heads->sequence,
                           .seen = heads->seen,
                           .heads = heads->heads,
                           .kv_heads = heads->kv_heads,
                           .head = heads->head,
                           .value_head = heads->value_head,
                           .scale = float(scale != 0 ? scale : 1 / std::sqrt(double(heads->head))),
                           .causal = attributes.integer("is_causal", 0) != 0,
                           .threshold = least_kept(dropout),
                           .kept_scale = float(1 / (1 - dropout)),
                           .threads = site.engine.threads};
  if (site.has_input(first + 3) && !set_bias(site.input(first + 3).shape, attention)) return std::nullopt;
  return attention;
}

DropoutKey key_of(const Places& places, size_t counters, bool counted, uint64_t node) {
  const int64_t none[3] = {0, 0, 0};
  const int64_t* at = counted ? places.in<int64_t>(counters) : none;
  const uint64_t step = scatter_bits(scatter_bits(scatter_bits(uint64_t(at[0])) ^ uint64_t(at[1])) ^ node);
  return {step, uint64_t(at[2])};
}

}  // namespace

// queries, keys, values, bias, sinks, counters → y, log of each row's sum
std::unique_ptr<Kernel> attention_kernel(Site& site) {
  const auto attention = tiled_attention(site, 0);
  if (!attention || !site.has_output(1)) return site.decline(kNotInTiles);
  site.all_row_major();
  const bool bias = site.has_input(3), counted = site.has_input(kCounters);
  const auto node = uint64_t(site.attributes().integer("node", 0));
  return loop_kernel(
      [attention = *attention, bias, counted, node](const Places& p) {
        attention_loops().forward(attention, {p.in(0), p.in(1), p.in(2), bias ? p.in(3) : nullptr,
                                              key_of(p, kCounters, counted, node), p.out(0), p.out(1), p.work()});
      },
      bytes_of_floats(attention_loops().space(*attention)));
}

// dy, the forward call's first five, log sums, y, counters → gradients of queries, keys, values, bias, sinks
std::unique_ptr<Kernel> attention_grad_kernel(Site& site) {
  const auto attention = tiled_attention(site, 1);
  const bool kept = site.has_input(6) && site.has_input(7);
  if (!attention || !kept || site.input(0).dtype != DType::f32) return site.decline(kNotInTiles);
  site.all_row_major();
  const bool bias = site.has_input(4), counted = site.has_input(kCountersOfGrad);
  bool wanted[4];
  for (size_t i = 0; i < 4; ++i) wanted[i] = site.has_output(i) && (i < 3 || bias);
  const auto node = uint64_t(site.attributes().integer("node", 0));
  return loop_kernel(
      [=, attention = *attention](const Places& p) {
        const auto out = [&](size_t i) { return wanted[i] ? p.out(i) : nullptr; };
        attention_loops().backward(
            attention, {p.in(0), p.in(1), p.in(2), p.in(3), bias ? p.in(4) : nullptr, p.in(6), p.in(7),
                        key_of(p, kCountersOfGrad, counted, node), out(0), out(1), out(2), out(3), p.work()});
      },
      bytes_of_floats(attention_loops().gradient_space(*attention)));
}

}  // namespace plimsoll
