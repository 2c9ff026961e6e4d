#include "plan/weight/token_weight.h"

#include <algorithm>

namespace plimsoll {
namespace {

// A token sees so many of the experts' parameters.
Count idle_params(const Program& program, const Operation& experts) {
  const Shape& weights = program.value(experts.inputs[1]).type->shape;
  const int64_t chosen = weights[weights.rank() - 1];
  Count idle;
  for (size_t i = 3; i < experts.inputs.size(); ++i) {
    if (!experts.inputs[i].present()) continue;
    const TensorType& type = *program.value(experts.inputs[i]).type;
    const int64_t all = type.shape[0];
    idle += Count(type.elements().value() / all * std::max<int64_t>(0, all - chosen));
  }
  return idle;
}

// A view of a stored tensor with its own name: the same weights in another layer.
bool is_tied(const Program& program, const Operation& operation) {
  return operation.op_name == "identity" && operation.inputs.size() == 1 &&
         program.value(operation.inputs[0]).role == Role::parameter;
}

void add_cache(std::vector<CacheWeight>& caches, CacheWeight one) {
  for (auto& cache : caches)
    if (cache.kind == one.kind && cache.window == one.window) {
      cache.layers += 1;
      cache.per_token += one.per_token;
      cache.fixed += one.fixed;
      return;
    }
  one.layers = 1;
  caches.push_back(std::move(one));
}

// Only what is causal is cached: an encoder sees all of its text at once.
void add_attention(const Program& program, const Operation& operation, TokenWeight& weight) {
  if (operation.attributes.integer("is_causal", 0) == 0) return;
  weight.causal = true;
  if (operation.attributes.integer("shares_cache", 0) != 0) return;  // an earlier layer's keys and values
  const TensorType &k = *program.value(operation.inputs[1]).type, &v = *program.value(operation.inputs[2]).type;
  const int64_t latent = operation.attributes.integer("latent", 0);
  const int64_t window = std::max(operation.attributes.integer("window", 0), operation.attributes.integer("chunk", 0));
  const Count numbers(latent > 0 ? latent : k.shape[2] + v.shape[2]);
  add_cache(weight.caches, {latent > 0   ? "latent"
                            : window > 0 ? "sliding window"
                                         : "full",
                            0,
                            bytes_of(k.dtype, numbers),
                            {},
                            window});
}

// The state of a scan, of one sample: f32 whatever the format.
void add_state(const Program& program, const Operation& operation, TokenWeight& weight) {
  const Shape &x = program.value(operation.inputs[0]).type->shape, &b = program.value(operation.inputs[3]).type->shape;
  const int64_t state = b[2] / std::max<int64_t>(1, operation.attributes.integer("groups", 1));
  add_cache(weight.caches, {"state", 0, {}, bytes_of(DType::f32, Count(x[2]) * state), 0});
}

void add_delta_state(const Program& program, const Operation& operation, TokenWeight& weight) {
  const Shape &q = program.value(operation.inputs[0]).type->shape, &v = program.value(operation.inputs[2]).type->shape;
  const int64_t key = q[2] / std::max<int64_t>(1, operation.attributes.integer("key_heads", 1));
  add_cache(weight.caches, {"state", 0, {}, bytes_of(DType::f32, Count(v[2]) * key), 0});
}

}  // namespace

TokenWeight token_weight(const Program& program, Macs train_macs) {
  TokenWeight weight;
  Count params, idle, tied;
  for (const auto& value : program.values)
    if (value.role == Role::parameter && value.type) params += value.type->elements();
  Macs macs;
  for (const auto& operation : program.operations) {
    macs += operation.cost.macs * operation.repeat;
    if (is_tied(program, operation)) tied += program.value(operation.inputs[0]).type->elements();
    if (operation.certainty == Certainty::unknown) continue;
    if (operation.op_name == "experts") idle += idle_params(program, operation);
    if (operation.op_name == "grouped_attention") add_attention(program, operation, weight);
    if (operation.op_name == "selective_scan") add_state(program, operation, weight);
    if (operation.op_name == "gated_delta_rule") add_delta_state(program, operation, weight);
  }
  weight.untied_params = params + tied;
  weight.active_params = params - idle;
  for (const auto& cache : weight.caches) weight.cache_per_token += cache.per_token;
  if (program.inputs.empty() || program.value(program.inputs[0]).type->dtype != DType::i64) return weight;
  weight.tokens = std::max<int64_t>(1, program.value(program.inputs[0]).type->elements().value());
  weight.flops_per_token = Flops(macs.overflowed() ? 0 : 2 * (macs.value() / weight.tokens));
  weight.train_flops_per_token = Flops(train_macs.overflowed() ? 0 : 2 * (train_macs.value() / weight.tokens));
  return weight;
}

}  // namespace plimsoll
