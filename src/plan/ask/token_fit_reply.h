// What fit answers for a training of a network of tokens, key by key.
#pragma once

#include "plan/ask/fit_reply.h"
#include "plan/ask/token_fit_request.h"

namespace plimsoll {

inline std::string_view schema_name(const TokenTensorAt*) { return "NamedBytes"; }

template <class V>
void describe(V& row, const TokenTensorAt* t) {
  row("name", "the operation that makes it", [=] { return t->name; });
  row("bytes", "", [=] { return t->bytes; });
}

// How the training is divided.
struct PlanReply {
  TrainingSetup setup;
  int64_t batch = 0;
};
inline std::string_view schema_name(const PlanReply*) { return "Plan"; }

template <class V>
void describe(V& row, const PlanReply* p) {
  row("devices", "", [=] { return p->setup.degrees.workers; });
  row("dp", "copies of the network", [=] { return p->setup.degrees.data(); });
  row("tp", "devices that share every layer", [=] { return p->setup.degrees.tensor; });
  row("pp", "stages", [=] { return p->setup.degrees.pipeline; });
  row("cp", "devices that share every sequence", [=] { return p->setup.degrees.context; });
  row("ep", "devices that the experts are divided over", [=] { return p->setup.degrees.expert; });
  row("shard", "none, zero1, zero2, zero3, fsdp or hsdp", [=] { return p->setup.shard; });
  row("offload", "none, optimizer or all", [=] { return p->setup.offload; });
  row("checkpointing", "none, selective or full", [=] { return p->setup.checkpointing; });
  row("micro_batch", "samples of a device in one pass", [=] { return p->batch; });
  row("micro_batches", "passes of a step", [=] { return p->setup.micro_batches; });
}

inline std::string_view schema_name(const TokenAlternative*) { return "TokenAlternative"; }

template <class V>
void describe(V& row, const TokenAlternative* a) {
  row("change", "what would be changed", [=] { return a->change; });
  row("fits", "with the batch that was asked for, else with one sample", [=] { return a->fits; });
  row("batch", "the largest micro-batch under the line then", [=] { return a->batch; });
  row("needed_bytes", "then", [=] { return a->needed; });
  row("devices", "", [=] { return a->devices; });
  row("slowdown", "a device's time for a token compared with the present setup; null where it is not predicted",
      [=] { return OrNull{a->slowdown}; });
}

inline Named<Bytes> named_parts(const StepMemory& memory) {
  Named<Bytes> list;
  for (size_t p = 0; p < kTokenParts; ++p) list.emplace_back(name_of(TokenPart(p)), memory.parts[p]);
  return list;
}

inline std::string_view schema_name(const TokenFitOutcome*) { return "TokenFit"; }

template <class V>
void describe(V& row, const TokenFitOutcome* o) {
  row("model", "the network", [=] { return o->model; });
  row("device", "absent when a size of memory was given",
      [=] { return o->device.empty() ? std::nullopt : std::optional(o->device); });
  row("framework", "whose memory it is", [=] { return Framework::pytorch; });
  row("mode", "training", [=] { return Mode::train; });
  row("dtype", "number format", [=] { return o->format; });
  row("optimizer", "", [=] { return o->answer.setup.optimizer->name; });
  row("method", "what is trained", [=] { return text_of(o->answer.setup.tuning); });
  row("attention", "", [=] { return o->answer.setup.attention; });
  row("logits", "how the loss computes", [=] { return o->answer.setup.logits; });
  row("sequence", "tokens of a sample", [=] { return o->answer.sequence; });
  row("params", "of the network", [=] { return int64_t(o->answer.params); });
  row("trainable_params", "adapters or the network's own", [=] { return int64_t(o->answer.trained); });
  row("batch", "the micro-batch that was asked for, else the largest under the line; 0: none is",
      [=] { return o->answer.asked ? o->answer.batch : o->answer.largest; });
  row("fits", "that batch is under the line", [=] { return o->fits(); });
  row("largest_batch", "under the line; 0: not even one sample", [=] { return o->answer.largest; });
  row("largest_sequence", "tokens under the line, at the batch that was asked for, else at 1",
      [=] { return o->answer.longest; });
  row("peak_bytes", "reserved where there is room, with the context", [=] { return o->answer.memory.peak(); });
  row("needed_bytes", "to run at all, with nothing cached; decides what fits",
      [=] { return o->answer.memory.needed(); });
  row("reserved_bytes", "of the peak by the framework's allocator, without the context",
      [=] { return o->answer.memory.reserved; });
  row("allocated_bytes", "of that in tensors and scratch memory", [=] { return o->answer.memory.allocated; });
  row("range", "what the peak may be", [=] {
    const PeakRange range = peak_range(o->answer.memory.peak());
    return RangeReply{range.low, range.high};
  });
  row("memory_bytes", "of one device, or as given", [=] { return o->memory; });
  row("load_line", "share of the memory that may be filled", [=] { return o->load_line; });
  row("line_bytes", "memory under the line", [=] { return o->answer.line; });
  row("shortfall_bytes", "by which the line is missed; 0 when it fits", [=] { return o->answer.shortfall; });
  row("smallest_memory_bytes", "that would carry this batch", [=] { return o->answer.smallest_memory; });
  row("breakdown", "bytes at the peak, by what they are", [=] { return named_parts(o->answer.memory); });
  row("largest_tensor", "of the step", [=] { return o->answer.memory.largest; });
  row("breaking_tensor", "whose allocation crosses the line",
      [=] { return o->answer.memory.over.name.empty() ? std::nullopt : std::optional(o->answer.memory.over); });
  row("peak_operation", "during which memory is fullest", [=] { return o->answer.memory.peak_operation; });
  row("kept_bytes", "that autograd keeps for the backward pass; absent with checkpointing and over several devices",
      [=] { return o->answer.kept; });
  row("plan", "how the training is divided", [=] { return PlanReply{o->answer.setup, o->answer.batch}; });
  row("tokens_per_second", "of all devices; absent without a device",
      [=] { return o->answer.time ? std::optional(o->answer.time->tokens_per_second) : std::nullopt; });
  row("mfu", "share of the peak that products take",
      [=] { return o->answer.time ? o->answer.time->mfu : std::nullopt; });
  row("alternatives", "what would carry more: those that fit first, the quickest first",
      [=] { return o->answer.alternatives; });
  row("sentences", "the answer in words", [=] { return sentences(*o); });
}

}  // namespace plimsoll
