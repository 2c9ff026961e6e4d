#include "plan/serving/serving_profile.h"

#include <algorithm>

namespace plimsoll {
namespace {

constexpr std::string_view kVllm =
    "fitted to 238 runs of Qwen 2 and 2.5 on A100s with vLLM (tests/data/facts/serving_speed.csv)";
constexpr std::string_view kHf =
    "fitted to 184 runs of Qwen 2 and 2.5 on A100s with transformers (tests/data/facts/serving_speed.csv)";
constexpr std::string_view kGptFast = "fitted to 30 runs on A100 and MI250X (tests/data/facts/serving_speed.csv)";
constexpr std::string_view kLlama =
    "fitted to runs of llama.cpp on nine NVIDIA cards (tests/data/facts/serving_speed.csv)";
constexpr std::string_view kLlamaApple =
    "fitted to runs of llama.cpp on four Apple chips (tests/data/facts/serving_speed.csv)";
constexpr std::string_view kCpu = "an estimate: no run on a CPU that is named has been published with its settings";

ServingProfile vllm() {
  ServingProfile p;
  p.framework = Framework::vllm;
  p.weights_share = 0.87;
  p.experts_share = 0.61;  // where paged_kernels do not answer: of 61 calls of its fused experts on five cards
  p.cache_share = 0.75;
  p.per_layer = {113e-6};
  p.per_quantised_layer = {126e-6};
  p.per_step = {0.5e-3};
  p.prompt_share = p.quantised_prompt_share = 0.65;
  p.scores_share = 0.365;
  p.distinct_experts = 0.56;
  p.per_exchange = {9e-6};
  p.paged_kernels = true;
  p.source = kVllm;
  return p;
}

ServingProfile hf() {
  ServingProfile p;
  p.framework = Framework::hf;
  p.weights_share = p.experts_share = 0.70;
  p.cache_share = 0.8;
  p.cache_copies = 2.5;   // joined with the new token's: read and written
  p.cache_repeats = 2.6;  // for every head: read once, written and read again, by kernels that do not stream
  p.prompt_share = p.quantised_prompt_share = 0.6;
  p.scores_share = 0.35;
  p.distinct_experts = 0.56;
  p.host_kernels = 45;
  p.host_kernels_awq = 1.6;
  p.host_kernels_gptq = 2;
  p.host_kernels_expert = 5;
  p.host_kernel = {19.4e-6};
  p.splits_layers = true;
  p.expands_latent = true;
  p.source = kHf;
  return p;
}

ServingProfile gpt_fast() {
  ServingProfile p = vllm();
  p.framework = Framework::gpt_fast;
  p.weights_share = p.experts_share = 0.735;
  p.per_layer = {32.5e-6};
  p.per_quantised_layer = {67.6e-6};
  p.per_step = {0};
  p.per_exchange = {3e-6};
  p.paged_kernels = false;
  p.source = kGptFast;
  return p;
}

ServingProfile llama_cpp() {
  ServingProfile p;
  p.framework = Framework::llama_cpp;
  p.weights_share = p.experts_share = 0.92;
  p.cache_share = 0.69;
  p.per_layer = p.per_quantised_layer = {100e-6};
  p.vector_rate = 3.25;
  p.quantised_vector_rate = 12.1;
  p.few_rows_share = 0.061;
  p.many_rows_share = 0.061;
  p.distinct_experts = 0.56;
  p.prompt_share = 0.5;
  p.quantised_prompt_share = 0.286;
  p.scores_share = 0.288;
  p.small_experts = 0.114;
  p.tokens_at_once = 512;
  p.pipeline = 0.9;
  p.splits_layers = true;
  p.source = kLlama;
  return p;
}

ServingProfile llama_cpp_apple() {
  ServingProfile p = llama_cpp();
  p.on = ServedOn::apple;
  p.weights_share = 0.91;
  p.experts_share = 0.39;
  p.cache_share = 0.40;
  p.vector_rate = 0;
  p.quantised_vector_rate = 9.1;
  p.few_rows_share = 0.142;
  p.many_rows_share = 0.387;
  p.prompt_share = p.quantised_prompt_share = 0.73;
  p.scores_share = 0.467;
  p.small_experts = 0.2;
  p.source = kLlamaApple;
  return p;
}

ServingProfile llama_cpp_cpu() {
  ServingProfile p = llama_cpp();
  p.on = ServedOn::cpu;
  p.weights_share = p.experts_share = p.cache_share = 0.7;
  p.per_layer = p.per_quantised_layer = {60e-6};  // threads wait for each other about twenty times a layer
  p.vector_rate = p.quantised_vector_rate = 0;
  p.few_rows_share = p.many_rows_share = 0.4;
  p.prompt_share = p.quantised_prompt_share = p.scores_share = 0.4;
  p.small_experts = 0;
  p.source = kCpu;
  return p;
}

ServingProfile hf_cpu() {
  ServingProfile p = llama_cpp_cpu();
  p.framework = Framework::hf;
  p.host_kernels = 45;
  p.host_kernels_expert = 5;
  p.host_kernel = {10e-6};
  p.tokens_at_once = 0;
  p.expands_latent = true;
  return p;
}

}  // namespace

ServedOn served_on(const Device& device) {
  if (device.kind == DeviceKind::cpu) return ServedOn::cpu;
  return device.vendor == "apple" ? ServedOn::apple : ServedOn::gpu;
}

std::span<const ServingProfile> all_serving_profiles() {
  static const ServingProfile kProfiles[] = {vllm(),          hf(),    gpt_fast(), llama_cpp(), llama_cpp_apple(),
                                             llama_cpp_cpu(), hf_cpu()};
  return kProfiles;
}

const ServingProfile* find_serving_profile(Framework framework, ServedOn on) {
  for (const auto& profile : all_serving_profiles())
    if (profile.framework == framework && profile.on == on) return &profile;
  return nullptr;
}

bool is_serving(Framework framework) {
  return framework == Framework::hf || framework == Framework::vllm || framework == Framework::gpt_fast ||
         framework == Framework::llama_cpp;
}

double product_rate(const Device& device, bool half_sums) {
  double rate = 0;
  for (const DType type : {DType::bf16, DType::f16, DType::f32})
    if (const auto peak = device.product_peak(type)) rate = std::max(rate, peak->per_second);
  const auto integers = device.matrix_peak.find(DType::i8);
  if (half_sums && integers != device.matrix_peak.end()) rate = std::max(rate, integers->second.per_second / 2);
  return rate;
}

}  // namespace plimsoll
