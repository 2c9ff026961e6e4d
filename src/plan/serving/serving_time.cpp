#include "plan/serving/serving_time.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "plan/serving/collective.h"
#include "plan/serving/serving_kernels.h"

namespace plimsoll {
namespace {

constexpr double kRowsOfMatrix = 32;  // products of several sequences are computed in tiles of so many rows

struct Machine {
  double bandwidth = 0, products = 0;  // bytes and operations a second
  double cycles = 0;                   // of all units a second; 0: not known
};

Result<Machine> machine_of(const Device& device, const ServingProfile& profile) {
  if (!device.memory_bandwidth)
    return user_error("its memory bandwidth is not known, which sets the pace of every token").in(device.name);
  Machine machine;
  machine.bandwidth = device.memory_bandwidth->per_second;
  machine.products = product_rate(device, profile.framework == Framework::llama_cpp);
  if (machine.products <= 0)
    return user_error("its rate of products is not known, which sets the pace of a prompt").in(device.name);
  constexpr double kAppleLanes = 256;  // operations a cycle of one of Apple's GPU cores: 128 multiply-adds
  if (profile.on == ServedOn::apple) machine.cycles = machine.products / kAppleLanes;
  else if (device.units && device.boost_clock)
    machine.cycles = double(device.units->value()) * device.boost_clock->per_second;
  return machine;
}

// Without layers that are on the host, and of one device where every matrix is cut.
double share_here(const ServingSetup& setup) {
  const double blocks = double(std::max<int64_t>(1, setup.network->blocks));
  const double here = std::max(0.0, blocks - double(setup.layers_on_host)) / blocks;
  return setup.by_tensor() ? here / double(setup.devices) : here;
}

// The products of a step besides the reading of their weights.
double product_time(const ServingSetup& setup, const Machine& machine, double macs, double reading) {
  const ServingProfile& p = *setup.profile;
  const double rows = double(setup.concurrency);
  const double rate = setup.weights->quantised() ? p.quantised_vector_rate : p.vector_rate;
  const double one_by_one = rate > 0 && machine.cycles > 0 ? macs / (machine.cycles * rate) : 0;
  double t = std::max(reading, one_by_one);
  if (rows <= 1) return t;
  const double operations = 2 * rows * macs;
  if (p.few_rows_share <= 0) return std::max(t, operations / (machine.products * p.many_rows_share));
  const double few = operations / (machine.products * p.few_rows_share);
  if (p.on == ServedOn::gpu) return std::hypot(t, few);
  // Experts meet a few rows each: four times as many tiles as rows would fill.
  const double tiles = setup.network->experts > 0 ? 4 * rows : std::max(rows, kRowsOfMatrix);
  const double many = 2 * tiles * macs / (machine.products * p.many_rows_share);
  return std::max(t, rows < kRowsOfMatrix ? std::min(few, many) : many);
}

Seconds host_time(const ServingSetup& setup) {
  const ServingProfile& p = *setup.profile;
  constexpr double kProducts = 7;  // of a layer
  double kernels = p.host_kernels + p.host_kernels_expert * double(setup.network->experts);
  if (setup.weights->name == "awq") kernels += kProducts * p.host_kernels_awq;
  if (setup.weights->name == "gptq-int8") kernels += kProducts * p.host_kernels_gptq;
  return {kernels * p.host_kernel.value * double(setup.network->blocks)};
}

Result<double> exchange_time(const ServingSetup& setup, double tokens) {
  if (!setup.by_tensor()) return 0.0;
  const auto link = link_inside(*setup.device);
  if (!link) return user_error("how several of it are connected is not known").in(setup.device->name);
  constexpr double kSumsOfLayer = 2, kBytes = 2;
  const Seconds one =
      collective_time(Collective::all_reduce, tokens * double(setup.network->width) * kBytes, setup.devices, *link);
  return kSumsOfLayer * double(setup.network->blocks) * (one.value + setup.profile->per_exchange.value);
}

// What the layers that are on the host take there.
Result<double> on_host(const ServingSetup& setup, double share,
                       Result<double> (*time)(const ServingSetup&, double, double), double tokens, double past) {
  if (setup.layers_on_host == 0 || !setup.host) return 0.0;
  ServingSetup there = setup;
  there.device = setup.host;
  there.host.reset();
  there.devices = 1;
  there.layers_on_host = 0;
  there.profile = find_serving_profile(Framework::llama_cpp, ServedOn::cpu);
  PLIM_ASSIGN(const double whole, time(there, tokens, past));
  return whole * share;
}

Result<double> step_seconds(const ServingSetup& setup, double seen, double) {
  PLIM_ASSIGN(const StepParts parts, step_time(setup, seen));
  return parts.total.value;
}

Result<double> prompt_seconds(const ServingSetup& setup, double tokens, double past) {
  PLIM_ASSIGN(const Seconds time, prompt_time(setup, tokens, past));
  return time.value;
}

double host_share(const ServingSetup& setup) {
  return double(setup.layers_on_host) / double(std::max<int64_t>(1, setup.network->blocks));
}

ServingBound bound_of(const StepParts& parts, double gpu) {
  if (parts.host.value > gpu) return ServingBound::host;
  const double reading = parts.weights.value + parts.cache.value;
  const std::pair<double, ServingBound> candidates[] = {{reading, ServingBound::bandwidth},
                                                        {parts.arithmetic.value, ServingBound::arithmetic},
                                                        {parts.kernels.value, ServingBound::overhead},
                                                        {parts.exchange.value, ServingBound::link}};
  return std::max_element(std::begin(candidates), std::end(candidates),
                          [](const auto& a, const auto& b) { return a.first < b.first; })
      ->second;
}

}  // namespace

std::string_view name_of(ServingBound bound) {
  switch (bound) {
    case ServingBound::bandwidth: return "memory bandwidth";
    case ServingBound::arithmetic: return "arithmetic";
    case ServingBound::host: return "host";
    case ServingBound::link: return "link";
    case ServingBound::overhead: break;
  }
  return "kernel starts";
}

Result<StepParts> step_time(const ServingSetup& setup, double seen) {
  const ServedNetwork& network = *setup.network;
  const ServingProfile& p = *setup.profile;
  PLIM_ASSIGN(const Machine machine, machine_of(*setup.device, p));
  const double share = share_here(setup), rows = double(setup.concurrency);
  const WeightsRead read = weights_read(network, *setup.weights, rows, p.distinct_experts);
  const double head = double(network.vocabulary) * double(network.width);
  const double macs = (network.macs_per_token() + head) * share;
  const double cached = cache_bytes(network, *setup.kv, seen, p.expands_latent) * rows * share;
  StepParts parts;
  parts.bytes = (read.dense + read.experts) * share + cached;
  parts.flops = 2 * rows * (macs + network.score_macs(1, seen) * share);
  const auto paged = paged_machine(setup);
  // Of experts in fewer bits no kernel was fitted.
  const bool told = paged && !setup.weights->quantised();
  const double of_experts =
      told ? experts_of_step(setup, *paged, rows).value : read.experts / p.experts_share * share / machine.bandwidth;
  parts.weights = {read.dense / p.weights_share * share / machine.bandwidth + of_experts};
  const double products = product_time(setup, machine, macs, parts.weights.value);
  parts.arithmetic = {products - parts.weights.value};
  double moves = 1;
  if (p.cache_repeats > 0) {
    const double group = network.layers.front().kv_heads > 0
                             ? double(network.layers.front().heads) / double(network.layers.front().kv_heads)
                             : 1;
    moves = p.cache_copies + p.cache_repeats * (1 + 2 * group);
  }
  parts.cache = paged ? paged_attention_of_step(setup, *paged, seen)
                      : Seconds{cached * moves / (machine.bandwidth * p.cache_share)};
  const double each = (setup.weights->quantised() ? p.per_quantised_layer : p.per_layer).value;
  parts.kernels = {each * double(network.blocks - setup.layers_on_host) + p.per_step.value};
  PLIM_ASSIGN(parts.exchange.value, exchange_time(setup, rows));
  parts.host = host_time(setup);
  const double gpu = products + parts.cache.value + parts.kernels.value + parts.exchange.value;
  // A host that is a little ahead hides a little: between the larger of the two and their sum.
  parts.total = {std::pow(std::pow(gpu, 4) + std::pow(parts.host.value, 4), 0.25)};
  parts.bound = bound_of(parts, gpu);
  PLIM_ASSIGN(const double there, on_host(setup, host_share(setup), step_seconds, seen, 0));
  parts.total.value += there;
  if (there > gpu) parts.bound = ServingBound::host;
  return parts;
}

Result<Seconds> prompt_time(const ServingSetup& setup, double tokens, double past) {
  const ServedNetwork& network = *setup.network;
  const ServingProfile& p = *setup.profile;
  PLIM_ASSIGN(const Machine machine, machine_of(*setup.device, p));
  const double share = share_here(setup);
  const double at_once = double(setup.tokens_at_once.value_or(p.tokens_at_once));
  const double part = at_once > 0 ? std::min(tokens, at_once) : tokens, parts = std::ceil(tokens / part);
  double slower = 1;
  if (network.experts > 0) slower += p.small_experts * 64 * double(network.experts) / (part * double(network.chosen));
  const double products = setup.weights->quantised() ? p.quantised_prompt_share : p.prompt_share;
  double t = 2 * tokens * network.macs_per_token() * share / (machine.products * products) * slower;
  const auto paged = paged_machine(setup);
  t += paged ? paged_attention_of_prompt(setup, *paged, tokens, past).value
             : 2 * network.score_macs(tokens, past) * share / (machine.products * p.scores_share);
  ServingSetup alone = setup;
  alone.concurrency = 1;
  alone.layers_on_host = 0;
  if (p.tokens_at_once > 0) {
    const WeightsRead read = weights_read(network, *setup.weights, part, 1);
    t += parts *
         ((read.dense + read.experts) * share / (machine.bandwidth * 0.9) + p.per_layer.value * double(network.blocks));
  } else {
    PLIM_ASSIGN(const StepParts step, step_time(alone, past));
    t = std::max(t, step.total.value);
  }
  if (setup.devices > 1 && p.splits_layers && p.tokens_at_once > 0) {
    const double n = double(setup.devices), k = std::max(2.0, parts);
    t *= std::pow((n + k - 1) / (n * k), p.pipeline);
  }
  PLIM_ASSIGN(const double exchanged, exchange_time(setup, part));
  PLIM_ASSIGN(const double there, on_host(setup, host_share(setup), prompt_seconds, tokens, past));
  return Seconds{t + exchanged * parts + there};
}

Result<ServingTime> serving_time(const ServingSetup& setup, int64_t prompt, int64_t output) {
  ServingTime time;
  PLIM_ASSIGN(time.step, step_time(setup, double(prompt) + double(output) / 2));
  PLIM_ASSIGN(time.prompt, prompt_time(setup, double(prompt)));
  time.per_token = time.step.total;
  time.first_token = {time.prompt.value + (setup.concurrency > 1 ? time.per_token.value : 0)};
  time.one = 1 / time.per_token.value;
  const double tokens = double(setup.concurrency) * double(output);
  time.all = tokens / (double(setup.concurrency) * time.prompt.value + double(output) * time.per_token.value);
  return time;
}

}  // namespace plimsoll
