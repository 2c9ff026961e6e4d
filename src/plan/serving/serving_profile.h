// ServingProfile: what a program that serves networks reaches of a device, and what it needs besides weights and cache.
// One row for each program and kind of device; every number says where it comes from. How far off answers made of them
// have been is in serving_accuracy.h.
#pragma once

#include <optional>
#include <span>

#include "plan/devices/device.h"
#include "plan/memory/framework_profile.h"

namespace plimsoll {

enum class ServedOn : uint8_t { gpu, apple, cpu };

ServedOn served_on(const Device& device);

struct ServingProfile {
  Framework framework = Framework::vllm;
  ServedOn on = ServedOn::gpu;

  // Generating: shares of the memory's bandwidth while weights, experts' weights and the cache are read.
  double weights_share = 0.8, experts_share = 0.8, cache_share = 0.7;
  // The cache is also copied and repeated before it is read: times its bytes, and times those of all heads.
  double cache_copies = 0, cache_repeats = 0;
  Seconds per_layer, per_quantised_layer, per_step;   // kernels start and drain
  double vector_rate = 0, quantised_vector_rate = 0;  // weights a cycle of a unit, one token at a time; 0: no limit
  // Several sequences: shares of the peak of products. Few: row by row; many: as matrices of at least 32 rows.
  double few_rows_share = 0, many_rows_share = 0.6;
  double distinct_experts = 1;  // of the experts that are not chosen by each token: so many take part in the lottery

  // Reading a prompt: shares of the peak of products, and tokens that go through at once (0: all).
  double prompt_share = 0.6, quantised_prompt_share = 0.6, scores_share = 0.4;
  double small_experts = 0;  // experts with few tokens lose so much: × (1 + this × 64 / tokens of an expert)
  int64_t tokens_at_once = 0;
  double pipeline = 1;  // how well parts of a prompt follow each other through devices: the exponent of the ideal gain

  // A host that starts every kernel: kernels of a layer, of a quantised product besides, of an expert.
  double host_kernels = 0, host_kernels_gptq = 0, host_kernels_awq = 0, host_kernels_expert = 0;
  Seconds host_kernel;

  Seconds per_exchange;  // a sum over devices begins: beside what the library takes (collective.h)

  bool splits_layers = false;   // over several devices: layer by layer; else every matrix (tensor-parallel)
  bool expands_latent = false;  // caches keys and values where a latent would do
  bool paged_kernels = false;   // its attention and experts are told kernel by kernel (serving_kernels.h)
  std::string_view source;
};

std::span<const ServingProfile> all_serving_profiles();

// nullptr: this program does not run there.
const ServingProfile* find_serving_profile(Framework framework, ServedOn on);

bool is_serving(Framework framework);

// The fastest products: those of 16-bit floats with sums in 16 bits where a card has them, half of its integer rate.
double product_rate(const Device& device, bool half_sums);

}  // namespace plimsoll
