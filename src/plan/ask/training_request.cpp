#include "plan/ask/training_request.h"

#include <algorithm>

#include "base/rows/named.h"
#include "base/text.h"
#include "model/zoo/language_models.h"

namespace plimsoll {
namespace {

Result<TokenFormat> format_of(const std::optional<NumberFormat>& dtype) {
  if (!dtype) return TokenFormat::bf16;
  const std::string& name = dtype->name;
  if (name == "bf16" || name == "f16") return TokenFormat::bf16;
  if (name == "amp" || name == "amp-bf16") return TokenFormat::amp;
  if (name == "f32" || name == "tf32") return TokenFormat::f32;
  if (name == "fp8") return TokenFormat::fp8;
  return user_error(fmt::format("{} is {}, expected bf16, amp, f32 or fp8 to train a language model on a GPU",
                                named("dtype"), in_quotes(name)));
}

}  // namespace

void TrainingRequest::describe(Fields& fields, bool with_workers) {
  fields.add(method,
             {.name = "method",
              .subject = Subject::step,
              .help = "which part is trained: full, or freeze:NAMES to leave out parameters (with '*' and commas); of "
                      "a language model also lora:R, qlora:R (4-bit weights), dora:R, each with :TARGETS "
                      "(q,k,v,o,gate,up,down or all)",
              .value = "HOW",
              .fallback = "full; targets q,v",
              .page = true});
  fields.add(checkpointing,
             {.name = "checkpointing",
              .subject = Subject::step,
              .help = "recompute the activations of blocks: none, full, or selective (all but matrix products)",
              .value = "HOW",
              .fallback = "none",
              .page = true});
  fields.add(logits, {.name = "logits",
                      .subject = Subject::step,
                      .help = "how the loss is computed: f32, bf16, or chunked (fused cross-entropy)",
                      .value = "HOW",
                      .fallback = "f32",
                      .page = true});
  fields.add(packing,
             {.name = "packing",
              .subject = Subject::step,
              .help = "pack several samples into each sequence; every attention kernel but flash needs a mask for it",
              .page = true});
  fields.add(shard, {.name = "shard",
                     .subject = Subject::workers,
                     .help = "what data-parallel devices divide among themselves: none, zero1 (optimizer), zero2 (and "
                             "gradients), zero3, fsdp (all), hsdp (all, within a node)",
                     .value = "HOW",
                     .fallback = "none",
                     .page = true});
  split.describe(fields, with_workers);
  fields.add(pipeline, degree_row("pipeline", "stages that the blocks are divided into"));
  fields.add(context_parallel, degree_row("context_parallel", "devices that share every sequence"));
  fields.add(expert_parallel, degree_row("expert_parallel", "devices that the experts of a layer are divided over"));
}

bool TrainingRequest::asked() const {
  return method || checkpointing || logits || packing || shard || pipeline || context_parallel || expert_parallel;
}

Result<TrainingSetup> TrainingRequest::setup(const std::optional<NumberFormat>& dtype,
                                             const std::optional<std::string>& optimizer,
                                             std::optional<int64_t> micro_batches,
                                             std::optional<AttentionKernel> attention) const {
  TrainingSetup setup;
  setup.tuning = method.value_or(Tuning{});
  PLIM_ASSIGN(setup.format, format_of(dtype));
  PLIM_ASSIGN(setup.optimizer,
              find_token_optimizer(named("optimizer"), optimizer.value_or(std::string(kDefaultTokenOptimizer))));
  setup.checkpointing = checkpointing.value_or(Checkpointing::none);
  setup.attention = attention.value_or(AttentionKernel::sdpa);
  setup.logits = logits.value_or(LogitsKind::f32);
  setup.packing = packing;
  setup.shard = shard.value_or(Shard::none);
  if (split.offload) {
    PLIM_ASSIGN(setup.offload, choice_named<Offload>(named("offload"), *split.offload));
  }
  setup.micro_batches = micro_batches.value_or(1);
  Degrees& d = setup.degrees;
  d.tensor = split.tensor_parallel.value_or(1);
  d.pipeline = pipeline.value_or(1);
  d.context = context_parallel.value_or(1);
  d.expert = expert_parallel.value_or(1);
  const int64_t least = std::max(d.tensor * d.pipeline * d.context, d.expert * d.tensor * d.pipeline);
  d.workers = split.workers.value_or(least);
  if (setup.tuning.quantised() && setup.format == TokenFormat::f32)
    return user_error(fmt::format("{} qlora does not go with {} f32: its 4-bit weights are computed with in 16 bits",
                                  named("method"), named("dtype")));
  return setup;
}

namespace {

// The zoo has GPT-2 and BERT twice, under names that are easily mixed up: gpt2 is planned as other networks are,
// gpt2-small token by token.
std::string language_model_hint(const std::string& name) {
  std::string wanted = name;
  std::replace(wanted.begin(), wanted.end(), '_', '-');
  for (const auto& model : all_language_models())
    if (model.name == wanted || model.name.starts_with(wanted + "-"))
      return fmt::format("as a language model it is called {}", in_quotes(model.name));
  return "a zoo name such as llama-3.1-8b, a config.json or a .gguf";
}

}  // namespace

Result<bool> trains_tokens(const ModelRequest& model, Mode mode, std::optional<Framework> framework, bool on_gpu,
                           const TrainingRequest& training) {
  const bool pytorch = on_gpu && framework.value_or(Framework::pytorch) == Framework::pytorch;
  bool tokens = mode == Mode::train && pytorch && is_language_model(model);
  if (tokens) {
    PLIM_ASSIGN(const auto graph, load_graph(model));
    tokens = is_of_tokens(*graph);
  }
  TrainingRequest beyond = training;  // any network is trained in full, or has parts that are not trained
  if (beyond.method && (beyond.method->kind == TuningKind::full || beyond.method->kind == TuningKind::freeze))
    beyond.method.reset();
  if (!tokens && mode == Mode::train && !beyond.asked() && training.split.workers && !is_language_model(model))
    return user_error(named("workers") + " is for language models here",
                      "scale tells how other networks train on many devices");
  if (!tokens && (beyond.asked() || (mode != Mode::generate && training.split.asked())))
    return user_error(fmt::format("{}, {}, {} and the like are for training language models with PyTorch on GPUs",
                                  named("method"), named("checkpointing"), named("shard")),
                      mode != Mode::train ? fmt::format("leave out {}", named("mode"))
                      : !on_gpu           ? fmt::format("choose a GPU with {}", named("device"))
                      : !pytorch          ? fmt::format("leave out {}", named("framework"))
                                          : language_model_hint(model.source.name));
  return tokens;
}

Wiring usual_wiring(const Candidate& device, std::vector<std::string>& notes, int64_t workers) {
  constexpr int64_t kUsualNode = 8;
  Wiring wiring;
  wiring.per_node = device.count > 1 ? device.count : kUsualNode;
  const Link host = *find_link("pcie4");
  wiring.inside = link_inside(device.part).value_or(host);
  if (const auto between = link_between(device.whole)) {
    wiring.between = *between;
  } else {
    wiring.between = link_of_rate("8 × 200 Gbit/s", {200e9}, Seconds{10e-6});
    if (workers > wiring.per_node)
      notes.push_back(
          fmt::format("Nodes of {} devices with 200 Gbit/s of network for each device were assumed.", wiring.per_node));
  }
  return wiring;
}

TokenModel token_model(const ModelRequest& request) {
  return {request.source.name, [request](int64_t sequence) {
            ModelRequest longer = request;
            longer.sequence = sequence;
            return load_graph(longer);
          }};
}

Result<int64_t> sequence_of(const ModelRequest& request) {
  PLIM_ASSIGN(const auto graph, load_graph(request));
  const bool reads_tokens = !graph->inputs.empty() && graph->value(graph->inputs[0]).dtype == DType::i64;
  if (!reads_tokens)
    return user_error("it reads no tokens", "leave out the fields of language models").in(request.source.name);
  const auto& shape = graph->value(graph->inputs[0]).shape;
  if (!shape || shape->size() < 2 || (*shape)[1].is_symbolic())
    return user_error("its samples have no known length", fmt::format("say {} N", named("sequence")))
        .in(request.source.name);
  return (*shape)[1].size;
}

}  // namespace plimsoll
