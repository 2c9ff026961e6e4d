#include "plan/ask/serving_request.h"

#include <fmt/ranges.h>

#include "base/rows/named.h"
#include "model/gguf/import_gguf.h"
#include "plan/devices/all_devices.h"
#include "plan/serving/serving_alternatives.h"

namespace plimsoll {
namespace {

constexpr const char* kUsualHost = "amd-epyc-7742";  // the CPU beside a GPU, where none is known

template <class T>
std::vector<std::string> names_of(std::span<const T> rows) {
  std::vector<std::string> names;
  for (const auto& row : rows) names.emplace_back(row.name);
  return names;
}

std::string generating(const char* what) { return "with " + named("mode") + " generate: " + what; }

Row count_row(const char* name, const std::string& help, const char* fallback, double most, const char* unit = "") {
  return {.name = name,
          .subject = Subject::step,
          .help = help,
          .value = "N",
          .fallback = fallback,
          .unit = unit,
          .least = 1,
          .most = most,
          .page = true};
}

Framework usual_framework(const WeightFormat& weights, ServedOn on) {
  return weights.gguf || on != ServedOn::gpu ? Framework::llama_cpp : Framework::vllm;
}

Status check_format(const WeightFormat& weights, Framework framework) {
  const bool plain = !weights.quantised();
  if (plain || weights.gguf == (framework == Framework::llama_cpp)) return {};
  const char* other = weights.gguf ? "awq, gptq, fp8 or int8" : "q8_0, q4_k_m or another of GGUF";
  return user_error(fmt::format("{} is {}, which {} does not read; expected {}", named("weights"), weights.name,
                                name_of(framework), other),
                    weights.gguf ? fmt::format("{} llama.cpp reads GGUF", named("framework"))
                                 : fmt::format("{} vllm or hf read it", named("framework")));
}

Status check_degree(const ServedNetwork& network, int64_t devices) {
  const auto possible = possible_tensor_parallel(network, 64);
  if (std::find(possible.begin(), possible.end(), devices) != possible.end()) return {};
  int64_t heads = 0;
  for (const auto& layer : network.layers) heads = std::max(heads, layer.heads);
  return user_error(fmt::format("{} is {}, which does not divide the {} heads of attention; expected one of {}",
                                named("tensor_parallel"), devices, heads, fmt::join(possible, ", ")));
}

// All of a node's devices, or as many of them as may share every matrix.
int64_t usual_devices(const ServedNetwork& network, const ServingProfile& profile, int64_t count) {
  if (count <= 1 || profile.splits_layers) return count;
  return possible_tensor_parallel(network, count).back();
}

Result<int64_t> layers_on_host(const SplitRequest& request, const ServedNetwork& network) {
  if (!request.offload || *request.offload == "none") return 0;
  if (*request.offload == "all") return network.blocks;
  return parse_integer(named("offload"), *request.offload, 0, network.blocks);
}

Status add_lengths(const ServingRequest& request, ServingSetup& setup) {
  setup.concurrency = request.concurrency.value_or(1);
  const int64_t asked = request.prompt_tokens.value_or(0) + request.output_tokens.value_or(0);
  setup.context = request.context.value_or(asked > 0 ? asked : kDefaultContext);
  setup.prompt = request.prompt_tokens.value_or(setup.context);
  if (asked > setup.context)
    return user_error(fmt::format("a prompt of {} and an answer of {} tokens do not go into a {} of {}",
                                  with_commas(request.prompt_tokens.value_or(0)),
                                  with_commas(request.output_tokens.value_or(0)), named("context"),
                                  with_commas(setup.context)));
  return {};
}

Status add_devices(const SplitRequest& request, const Candidate& candidate, ServingSetup& setup) {
  setup.device = candidate.part;
  setup.host = candidate.host;
  setup.devices = usual_devices(*setup.network, *setup.profile, candidate.count);
  if (request.workers) setup.devices = *request.workers;
  if (request.tensor_parallel) setup.devices = *request.tensor_parallel;
  if (setup.layers_on_host > 0 && !setup.host && candidate.is_gpu()) {
    PLIM_ASSIGN(setup.host, load_device(kUsualHost));
  }
  return {};
}

}  // namespace

void ServingRequest::describe(Fields& fields) {
  fields.add(context, count_row("context", generating("tokens of a sequence, prompt and answer together"), "4,096",
                                double(kLongestContext), "tokens"));
  fields.add(concurrency, count_row("concurrency", generating("sequences that are served at the same time"), "1",
                                    double(kMostSequences)));
  fields.add(prompt_tokens, count_row("prompt_tokens", generating("tokens that are read before the first is written"),
                                      "fit: the whole context; place: 1,024", double(kLongestContext), "tokens"));
  fields.add(output_tokens, count_row("output_tokens", generating("tokens that are written"), "256",
                                      double(kLongestContext), "tokens"));
  fields.add(weights, {.name = "weights",
                       .subject = Subject::step,
                       .help = generating("format of the weights: ") + listed(names_of(all_weight_formats())),
                       .value = "FORMAT",
                       .fallback = "bf16",
                       .page = true});
  fields.add(kv, {.name = "kv",
                  .subject = Subject::step,
                  .help = generating("format of the cache of keys and values: ") + listed(names_of(all_kv_formats())),
                  .value = "FORMAT",
                  .fallback = "bf16",
                  .page = true});
}

Status check_framework(std::optional<Framework> framework, Mode mode) {
  if (!framework || is_serving(*framework) == (mode == Mode::generate)) return {};
  if (mode == Mode::generate)
    return user_error(fmt::format("{} is {}, expected hf, vllm, llama.cpp or gpt-fast: what serves language models",
                                  named("framework"), name_of(*framework)));
  return user_error(fmt::format("{} is {}, which only serves language models; expected plimsoll, pytorch or tensorflow",
                                named("framework"), name_of(*framework)),
                    fmt::format("or {} generate", named("mode")));
}

Result<std::shared_ptr<const ServedNetwork>> read_served_network(const Network& network) {
  PLIM_ASSIGN(const Program program, network.forward(1, NumberFormat{"bf16", DType::bf16, DType::bf16}));
  PLIM_ASSIGN(ServedNetwork served, served_network(program));
  return std::make_shared<const ServedNetwork>(std::move(served));
}

ServingRequest with_own_weights(const ServingRequest& request, const std::string& model,
                                std::optional<Framework> framework) {
  ServingRequest asked = request;
  const bool reads = !framework || *framework == Framework::llama_cpp;
  if (asked.weights || !reads || !model.ends_with(".gguf")) return asked;
  if (const std::string own = gguf_weights(model); !own.empty()) asked.weights = own;
  return asked;
}

Result<ServingSetup> serving_setup(const ServingRequest& request, const SplitRequest& split,
                                   std::optional<Framework> framework, const ServedNetwork& network,
                                   const Candidate* candidate) {
  ServingSetup setup;
  setup.network = &network;
  const ServedOn on = candidate ? served_on(candidate->part) : ServedOn::gpu;
  PLIM_ASSIGN(setup.weights, find_weight_format(request.weights.value_or("bf16"), named("weights")));
  PLIM_ASSIGN(setup.kv, find_kv_format(request.kv.value_or("bf16"), named("kv")));
  const Framework program = framework.value_or(usual_framework(*setup.weights, on));
  setup.profile = find_serving_profile(program, on);
  if (!setup.profile)
    return user_error(fmt::format("{} is not known to serve there, expected llama.cpp", name_of(program)))
        .in(candidate->part.name);
  PLIM_TRY(check_format(*setup.weights, program));
  PLIM_TRY(add_lengths(request, setup));
  PLIM_ASSIGN(setup.layers_on_host, layers_on_host(split, network));
  if (candidate) {
    PLIM_TRY(add_devices(split, *candidate, setup));
  } else {
    setup.devices = split.tensor_parallel.value_or(split.workers.value_or(1));
  }
  if (setup.devices > kMostServingDevices)
    return user_error(fmt::format("{} devices are more than serve one copy of a network; expected at most {}",
                                  with_commas(setup.devices), with_commas(kMostServingDevices)));
  if (setup.by_tensor()) PLIM_TRY(check_degree(network, setup.devices));
  return setup;
}

}  // namespace plimsoll
