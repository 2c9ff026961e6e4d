#include "plan/serving/serving_kernels.h"

#include <algorithm>
#include <map>

#include "plan/serving/expert_kernel.h"

namespace plimsoll {
namespace {

// Layers are cut into heads where every matrix is split over the devices, else some may be on the host.
double heads_cut(const ServingSetup& setup) { return setup.by_tensor() ? double(setup.devices) : 1; }

double layers_here(const ServingSetup& setup) {
  const double blocks = double(std::max<int64_t>(1, setup.network->blocks));
  return std::max(0.0, blocks - double(setup.layers_on_host)) / blocks;
}

AttentionCall call_of(const ServingSetup& setup, const ServedLayer& layer) {
  const double cut = heads_cut(setup);
  AttentionCall call;
  call.heads = std::max(1.0, double(layer.heads) / cut);
  call.kv_heads = std::max(1.0, double(layer.kv_heads) / cut);
  call.head = double(layer.head + layer.value_head) / 2;
  call.bytes = setup.kv->bytes;
  call.window = double(layer.window);
  return call;
}

}  // namespace

std::optional<KernelMachine> paged_machine(const ServingSetup& setup) {
  if (!setup.profile->paged_kernels || !setup.device) return std::nullopt;
  const auto& layers = setup.network->layers;
  const bool ordinary = std::all_of(layers.begin(), layers.end(), [](const ServedLayer& layer) {
    return layer.kv_heads > 0 && layer.head > 0 && layer.latent == 0;
  });
  return ordinary ? kernel_machine(*setup.device) : std::nullopt;
}

Seconds paged_attention_of_step(const ServingSetup& setup, const KernelMachine& machine, double seen) {
  Seconds sum;
  for (const auto& layer : setup.network->layers) {
    AttentionCall call = call_of(setup, layer);
    call.sequences = double(setup.concurrency);
    call.seen = std::max(1.0, seen);
    sum.value += decode_attention(call, machine).work.value;
  }
  return {sum.value * layers_here(setup)};
}

Seconds paged_attention_of_prompt(const ServingSetup& setup, const KernelMachine& machine, double tokens, double past) {
  Seconds sum;
  for (const auto& layer : setup.network->layers) {
    AttentionCall call = call_of(setup, layer);
    call.tokens = tokens;
    call.seen = past + tokens;
    sum.value += prompt_attention(call, machine).work.value;
  }
  return {sum.value * layers_here(setup)};
}

Seconds experts_of_step(const ServingSetup& setup, const KernelMachine& machine, double tokens) {
  struct OfLayer {
    double experts = 0, chosen = 0, numbers = 0, bytes = 0;
  };
  std::map<int64_t, OfLayer> layers;
  const ServedNetwork& network = *setup.network;
  for (const auto& matrix : network.matrices) {
    if (!matrix.routed()) continue;
    OfLayer& layer = layers[matrix.layer];
    layer.experts = double(matrix.copies);
    layer.chosen = double(matrix.chosen);
    layer.numbers += matrix.numbers;
    layer.bytes += matrix.numbers * bits_of(*setup.weights, network, matrix) / 8;
  }
  Seconds sum;
  for (const auto& [index, layer] : layers) {
    ExpertCall call{.tokens = tokens, .chosen = layer.chosen, .experts = layer.experts};
    call.read = expected_experts(layer.experts, layer.chosen, tokens, setup.profile->distinct_experts);
    call.numbers = layer.numbers / heads_cut(setup);
    call.bytes = layer.bytes / layer.numbers;
    call.width = double(network.width);
    sum.value += expert_products(call, machine).total().value;
  }
  return {sum.value * layers_here(setup)};
}

}  // namespace plimsoll
