#include "plan/serving/serving_memory.h"

#include <algorithm>
#include <cmath>

#include "plan/memory/framework_context.h"

namespace plimsoll {
namespace {

constexpr double kMiB = 1 << 20;
constexpr double kCublasWorkspace = 40 * kMiB;  // cuBLAS's own on Hopper is 32 MiB, on older cards 8 MiB and a little
constexpr double kBytes = 2;                    // of an activation

Bytes bytes(double value) { return Bytes(std::llround(std::min(value, 9e18))); }

// Activations of a token while the widest block computes. PyTorch keeps the word vectors, the layer's input, the
// residual and the normalised states as long as the frames that hold them; programs made for serving keep two.
double token_width(const ServingSetup& setup) {
  const ServedNetwork& n = *setup.network;
  const bool eager = setup.profile->framework == Framework::hf;
  const double parts = setup.by_tensor() ? double(setup.devices) : 1;
  return std::max(n.forward_width, n.attention_width) / parts + (eager ? 4.0 : 2.0) * double(n.width);
}

// Tokens that are in flight at once.
double tokens_in_flight(const ServingSetup& setup) {
  const double all = double(setup.prompt) * double(setup.concurrency);
  switch (setup.profile->framework) {
    case Framework::vllm: {
      // max_num_batched_tokens, by vLLM's own default: more on cards with 70 GiB and more.
      const bool large =
          setup.device && setup.device->memory && double(setup.device->memory->value()) >= 70 * 1024 * kMiB;
      return large ? 8192 : 2048;  // its profile run computes so many whatever is asked
    }
    case Framework::llama_cpp:
      return std::min(all, double(setup.tokens_at_once.value_or(setup.profile->tokens_at_once)));
    default: return std::max(all, double(setup.concurrency));
  }
}

double logit_bytes(const ServingSetup& setup) {
  const double vocabulary = double(setup.network->vocabulary);
  constexpr double kVllmSequences = 256;  // max_num_seqs
  switch (setup.profile->framework) {
    case Framework::vllm: return kVllmSequences * vocabulary * (2 + 4);
    case Framework::llama_cpp:
      return 4 * vocabulary * double(setup.tokens_at_once.value_or(setup.profile->tokens_at_once));
    default: {
      const double scored = double(setup.concurrency) * (setup.all_logits ? double(setup.prompt) : 1);
      return scored * vocabulary * (2 + 4);  // in 16 bits, then again in 32
    }
  }
}

// transformers' exllama kernels unpack one matrix at a time; vLLM captures a graph for each of 35 batch sizes.
double scratch_bytes(const ServingSetup& setup) {
  const bool gpu = setup.profile->on == ServedOn::gpu;
  if (!gpu) return 0;
  switch (setup.profile->framework) {
    case Framework::hf:
      return kCublasWorkspace + (setup.weights->name == "gptq" ? 2 * setup.network->largest_matrix() : 0);
    case Framework::vllm: return kCublasWorkspace + 10 * kMiB * double(setup.network->blocks);
    default: return kCublasWorkspace;
  }
}

Bytes fixed_bytes(const ServingSetup& setup) {
  if (setup.profile->on != ServedOn::gpu || !setup.device) return Bytes(0);
  return pytorch_context(&*setup.device);
}

double matrix_bytes(const ServedNetwork& network, const WeightFormat& format, const ServedMatrix& matrix) {
  return matrix.numbers * double(matrix.copies) * bits_of(format, network, matrix) / 8;
}

// Of the device that has the most: matrices cut evenly; layers one more than the others at worst.
double share_of_device(const ServingSetup& setup) {
  const double blocks = double(std::max<int64_t>(1, setup.network->blocks));
  const double here = std::max(0.0, blocks - double(setup.layers_on_host));
  if (setup.by_tensor()) return here / blocks / double(setup.devices);
  return std::ceil(here / double(setup.devices)) / blocks;
}

double cache_share_of_device(const ServingSetup& setup, double share) {
  if (!setup.by_tensor()) return share;
  int64_t kv_heads = 1;
  for (const auto& layer : setup.network->layers) kv_heads = std::max(kv_heads, layer.kv_heads);
  const bool latent = std::any_of(setup.network->layers.begin(), setup.network->layers.end(),
                                  [](const ServedLayer& layer) { return layer.latent > 0; });
  // Heads that are fewer than the devices are kept several times; a latent belongs to all heads.
  const double copies = latent ? double(setup.devices) : std::max(1.0, double(setup.devices) / double(kv_heads));
  return share * copies;
}

}  // namespace

double weight_bytes(const ServedNetwork& network, const WeightFormat& format) {
  double sum = network.small * format.small_bits / 8;
  for (const auto& matrix : network.matrices) sum += matrix_bytes(network, format, matrix);
  return sum;
}

double expected_experts(double experts, double chosen, double tokens, double lottery) {
  const double taking_part = chosen + (experts - chosen) * lottery;
  return taking_part * (1 - std::pow(1 - chosen / taking_part, tokens));
}

WeightsRead weights_read(const ServedNetwork& network, const WeightFormat& format, double tokens, double lottery) {
  WeightsRead read;
  for (const auto& matrix : network.matrices) {
    if (matrix.role == MatrixRole::embedding && !network.tied) continue;
    const double one = matrix.numbers * bits_of(format, network, matrix) / 8;
    if (matrix.routed())
      read.experts += one * expected_experts(double(matrix.copies), double(matrix.chosen), tokens, lottery);
    else read.dense += one;
  }
  return read;
}

ServingMemory serving_memory(const ServingSetup& setup) {
  const ServedNetwork& network = *setup.network;
  const ServingProfile& profile = *setup.profile;
  const double share = share_of_device(setup);
  double layers = 0, outside = network.small * setup.weights->small_bits / 8;
  for (const auto& matrix : network.matrices) {
    const double stored = matrix_bytes(network, *setup.weights, matrix);
    // llama.cpp looks words up on the host.
    const bool on_host = profile.framework == Framework::llama_cpp && profile.on == ServedOn::gpu &&
                         matrix.role == MatrixRole::embedding && !network.tied;
    if (on_host) continue;
    (matrix.layer >= 0 ? layers : outside) += stored;
  }
  const double cut = setup.by_tensor() ? double(setup.devices) : 1;
  const double slack =
      profile.framework == Framework::llama_cpp ? double(setup.tokens_at_once.value_or(profile.tokens_at_once)) : 0;
  const auto cached = [&](double tokens) {
    return cache_bytes(network, *setup.kv, tokens, profile.expands_latent, int64_t(slack)) * double(setup.concurrency);
  };
  ServingMemory memory;
  memory.weights = bytes(layers * share + outside / cut);
  memory.scratch = bytes(scratch_bytes(setup));
  memory.fixed = fixed_bytes(setup);
  const double on_host = double(setup.layers_on_host) / double(std::max<int64_t>(1, network.blocks));
  memory.on_host = bytes(on_host * (layers + cached(double(setup.context))));
  const double cache_share = cache_share_of_device(setup, share);
  const double end = cached(double(setup.context)) * cache_share;
  const double passing = tokens_in_flight(setup) * token_width(setup) * kBytes;
  const double scores = logit_bytes(setup);
  const bool reserves = profile.framework == Framework::vllm || profile.framework == Framework::llama_cpp;
  // A prompt's activations are gone when the scores of its last token are computed, unless all of them are kept.
  const double before = cached(double(setup.prompt)) * cache_share;
  const double while_reading =
      before + std::max(passing, scores + 2 * tokens_in_flight(setup) * double(network.width) * kBytes);
  if (reserves || while_reading <= end + scores) {
    memory.cache = bytes(end);
    memory.logits = bytes(scores);
    // llama.cpp's compute buffer is as large as the larger of the two.
    const double beside = profile.framework == Framework::llama_cpp ? std::max(0.0, passing - scores) : passing;
    memory.activations = bytes(reserves ? beside : 0);
    return memory;
  }
  memory.cache = bytes(before);
  memory.logits = bytes(passing < scores ? scores : 0);
  memory.activations = bytes(while_reading - before) - memory.logits;
  return memory;
}

}  // namespace plimsoll
