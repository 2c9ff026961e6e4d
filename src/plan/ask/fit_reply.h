// What fit answers, key by key.
#pragma once

#include "base/rows/reply.h"
#include "plan/ask/fit_sentences.h"
#include "plan/ask/lower_bound_reply.h"

namespace plimsoll {

inline constexpr std::string_view kFitSchema = "plimsoll.fit/1";
inline constexpr size_t kShownAtPeak = 20;  // tensors

inline std::string_view schema_name(const TensorInMemory*) { return "Tensor"; }

template <class V>
void describe(V& row, const TensorInMemory* t) {
  row("name", "", [=] { return t->name; });
  row("shape", "absent: a workspace, or the fixed part",
      [=] { return t->type ? std::optional(t->type->shape.dims()) : std::nullopt; });
  row("dtype", "number format", [=] { return t->type ? std::optional(name_of(t->type->dtype)) : std::nullopt; });
  row("bytes", "", [=] { return t->bytes; });
}

struct RangeReply {
  Bytes low, high;
};
inline std::string_view schema_name(const RangeReply*) { return "Range"; }

template <class V>
void describe(V& row, const RangeReply* r) {
  row("low", "bytes", [=] { return r->low; });
  row("high", "bytes", [=] { return r->high; });
}

inline std::string_view schema_name(const MemoryTimeline*) { return "TimelineParts"; }

template <class V>
void describe(V& row, const MemoryTimeline* t) {
  row("tensors", "bytes of tensors alive during each operation", [=] { return t->tensors; });
  row("workspace", "bytes of scratch memory, and what an allocator rounds up to", [=] { return t->workspace; });
  row("fixed", "bytes that are taken all the time", [=] { return t->fixed; });
}

inline std::string_view schema_name(const Alternative*) { return "Alternative"; }

template <class V>
void describe(V& row, const Alternative* a) {
  row("change", "what would be changed", [=] { return a->change; });
  row("batch", "the largest under the line then, of all devices or micro-batches together", [=] { return a->batch; });
  row("slowdown", "time per sample compared with the present setup; null where it is not predicted",
      [=] { return OrNull{a->slowdown}; });
}

inline std::string_view schema_name(const Resident*) { return "Resident"; }

template <class V>
void describe(V& row, const Resident* r) {
  row("what", "", [=] { return r->what; });
  row("disk_bytes", "", [=] { return r->disk; });
  row("ram_bytes", "", [=] { return r->ram; });
  row("cache_bytes", "", [=] { return r->cache; });
  row("device_bytes", "", [=] { return r->device; });
}

inline std::string_view schema_name(const Move*) { return "Move"; }

template <class V>
void describe(V& row, const Move* m) {
  row("what", "", [=] { return m->what; });
  row("from", "disk, ram, cache or device", [=] { return name_of(m->from); });
  row("to", "disk, ram, cache or device", [=] { return name_of(m->to); });
  row("over", "the link", [=] { return m->over; });
  row("bytes", "", [=] { return m->bytes; });
  row("every_step", "else once", [=] { return m->every_step; });
  row("seconds", "absent where the rate is not known", [=] { return m->time; });
  row("epoch_seconds", "of all steps of an epoch", [=] { return m->per_epoch; });
}

inline std::string_view schema_name(const Residence*) { return "Residence"; }

template <class V>
void describe(V& row, const Residence* r) {
  row("disk_bytes", "", [=] { return r->disk; });
  row("ram_bytes", "", [=] { return r->ram; });
  row("device_bytes", "0 on a CPU, whose device memory is RAM", [=] { return r->device; });
  row("cache_bytes", "the last level's size, where it is known", [=] { return r->cache; });
  row("residents", "what is where", [=] { return r->residents; });
  row("moves", "what is moved, over what and for how long", [=] { return r->moves; });
  row("remarks", "", [=] { return r->remarks; });
}

inline Named<int64_t> named_methods(const std::map<ConvMethod, int64_t>& methods) {
  Named<int64_t> list;
  for (const auto& [method, count] : methods) list.emplace_back(name_of(method), count);
  return list;
}

inline Named<Bytes> named_parts(const MemoryBreakdown& breakdown) {
  Named<Bytes> list;
  for (const MemoryPart part : all_memory_parts()) list.emplace_back(part_name(part), breakdown[part]);
  return list;
}

inline std::string_view schema_name(const FitOutcome*) { return "Fit"; }

template <class V>
void describe(V& row, const FitOutcome* o) {
  row("model", "the network", [=] { return o->view.model; });
  row("device", "absent when a size of memory was given",
      [=] { return o->view.device.empty() ? std::nullopt : std::optional(o->view.device); });
  row("framework", "whose memory it is", [=] { return o->question.framework; });
  row("mode", "training or inference", [=] { return o->question.step.optimizer ? Mode::train : Mode::inference; });
  row("dtype", "number format", [=] { return o->question.format.name; });
  row("optimizer", "of a training",
      [=] { return o->question.step.optimizer ? std::optional(o->question.step.optimizer->name) : std::nullopt; });
  row("batch", "the batch that was asked for, else the largest under the line; 0: none is",
      [=] { return o->answer.asked ? o->answer.load.batch : o->answer.largest; });
  row("fits", "that batch is under the line", [=] { return o->fits(); });
  describe_lower_bound(row, [=]() -> const Uncounted& { return o->answer.uncounted; });
  row("largest_batch", "under the line; 0: not even one sample", [=] { return o->answer.largest; });
  row("peak_bytes", "the most memory in use during a step, as expected", [=] { return o->answer.load.peak.expected; });
  row("needed_bytes", "to run at all, with nothing cached; decides what fits", [=] { return o->answer.load.needed; });
  row("reserved_bytes", "of the peak by the framework's allocator, without the context",
      [=] { return o->answer.load.reserved; });
  row("allocated_bytes", "of that in tensors and scratch memory", [=] { return o->answer.load.allocated; });
  row("range", "what the peak may be", [=] { return RangeReply{o->answer.load.peak.low, o->answer.load.peak.high}; });
  row("memory_bytes", "of the device, or as given", [=] { return o->question.memory; });
  row("load_line", "share of the memory that may be filled", [=] { return o->question.load_line; });
  row("line_bytes", "memory under the line", [=] { return o->answer.line; });
  row("shortfall_bytes", "by which the line is missed; 0 when it fits", [=] { return o->answer.shortfall; });
  row("smallest_memory_bytes", "that would carry this batch", [=] { return o->answer.smallest_memory; });
  row("evaluation_peak_bytes", "of an inference with this batch", [=] { return o->answer.evaluation_peak; });
  row("next_peak_bytes", "of one sample more than the largest batch", [=] { return o->answer.next_peak; });
  row("arena_bytes", "of our own engine, which packs", [=] { return o->answer.load.arena; });
  row("bound_bytes", "no plan can take less",
      [=] { return o->answer.load.arena ? std::optional(o->answer.load.bound) : std::nullopt; });
  row("breakdown", "bytes at the peak, by what they are", [=] { return named_parts(o->answer.load.breakdown); });
  row("kept_bytes", "that autograd keeps for the backward pass, at this batch; not when brief",
      [=] { return o->kept; });
  row("largest_tensor", "of the step", [=] { return OrNull{o->answer.load.largest_tensor}; });
  row("breaking_tensor", "whose allocation crosses the line",
      [=] { return o->answer.fits ? std::nullopt : std::optional(OrNull{o->answer.breaking_tensor}); });
  row("peak_operation", "during which memory is fullest", [=] { return o->answer.load.peak_operation; });
  row("at_peak", "what is alive then, the largest first", [=] {
    auto tensors = o->answer.load.at_peak;
    tensors.resize(std::min(kShownAtPeak, tensors.size()));
    return tensors;
  });
  row("timeline", "bytes during each operation of the step", [=] { return o->answer.load.timeline.sums(); });
  row("timeline_parts", "the same by what it is", [=] { return o->answer.load.timeline; });
  row("conv_methods", "how many convolutions are computed how, by our engine here", [=] {
    const auto& methods = o->answer.load.conv_methods;
    return methods.empty() ? std::nullopt : std::optional(named_methods(methods));
  });
  row("alternatives", "what would carry more, best first", [=] { return o->answer.alternatives; });
  row("sentences", "the answer in words", [=] { return sentences(*o); });
  row("residence", "what is where, where that was asked", [=] { return o->where; });
}

inline std::string_view schema_name(const PastLine*) { return "PastLine"; }

template <class V>
void describe(V& row, const PastLine* p) {
  row("over_memory_bytes", "0 when it stays inside the memory", [=] { return p->over_memory; });
  row("paged_bytes_per_step", "of a CPU", [=] { return p->paged_per_step; });
  row("paging_seconds_per_step", "of a CPU", [=] { return p->paging_per_step; });
}

inline std::string_view schema_name(const ArithmeticOutcome*) { return "FitByArithmetic"; }

template <class V>
void describe(V& row, const ArithmeticOutcome* o) {
  row("form", "arithmetic", [=] { return "arithmetic"; });
  row("device", "absent when a size of memory was given",
      [=] { return o->device.empty() ? std::nullopt : std::optional(o->device); });
  row("batch", "the batch that was asked for, else the largest under the line",
      [=] { return o->fit.fits || o->asked ? o->fit.batch : 0; });
  row("fits", "that batch is under the line", [=] { return o->fit.fits; });
  row("largest_batch", "under the line", [=] { return o->fit.largest; });
  row("peak_bytes", "of that batch", [=] { return o->fit.peak; });
  row("memory_bytes", "of the device, or as given", [=] { return o->fit.memory; });
  row("load_line", "share of the memory that may be filled", [=] { return o->fit.load_line; });
  row("line_bytes", "memory under the line", [=] { return o->fit.line; });
  row("shortfall_bytes", "by which the line is missed", [=] { return o->fit.shortfall; });
  row("smallest_memory_bytes", "that would carry this batch", [=] { return o->fit.smallest_memory; });
  row("breakdown", "bytes, by what they are", [=] {
    return Named<Bytes>{{"parameters", o->fit.load.model},
                        {"activations", o->fit.load.activations * o->fit.batch},
                        {"input", o->fit.load.sample * o->fit.batch}};
  });
  row("past_line", "what happens past the line",
      [=] { return o->past.sentence.empty() ? std::nullopt : std::optional(o->past); });
  row("sentences", "the answer in words", [=] { return sentences(*o); });
}

}  // namespace plimsoll
