#include "plan/verdict/framework_load.h"

#include <algorithm>

#include "plan/memory/fresh_pages.h"
#include "plan/memory/kept_for_backward.h"
#include "plan/verdict/accuracy_notes.h"

namespace plimsoll {
namespace {

// Of the forward pass: what is tried where recomputation is allowed, up to what is allowed. The same numbers for every
// allowance, so that a larger one has all the choices of a smaller one.
constexpr double kTriedShares[] = {0.01, 0.02, 0.05, 0.1, 0.2, 0.35, 0.6, 1};

bool is_mixed(const FitQuestion& question) { return question.format.name == "amp"; }

FrameworkForm form_of(const FitQuestion& question) {
  FrameworkForm form;
  if (question.framework != Framework::pytorch) return form;
  form.pytorch = true;
  if (is_mixed(question)) form.autocast = question.format.activations.value_or(DType::f16);
  form.attention = question.attention;
  form.fused_attention = question.torch >= TorchVersion{2, 0} || question.attention != AttentionKernel::as_it_is;
  return form;
}

TensorInMemory tensor_of(const Program& program, const StorageLife& storage) {
  if (!storage.value.present()) {
    const Operation& operation = program.operations[size_t(storage.first)];
    return {"workspace of " + operation.name, std::nullopt, storage.size, storage.part};
  }
  const ProgramValue& value = program.value(storage.value);
  return {value.name, value.type, value.type->bytes(), storage.part};
}

std::string name_at(const Program& program, int32_t operation) {
  const bool there = operation >= 0 && size_t(operation) < program.operations.size();
  return there ? program.operations[size_t(operation)].name : "";
}

std::vector<TensorInMemory> alive_at(const Program& program, const Lifetimes& lifetimes, int32_t operation) {
  std::vector<TensorInMemory> alive;
  for (const auto& storage : lifetimes.storages)
    if (storage.value.present() && (storage.persistent || (storage.first <= operation && operation <= storage.last)))
      alive.push_back(tensor_of(program, storage));
  std::stable_sort(alive.begin(), alive.end(),
                   [](const TensorInMemory& a, const TensorInMemory& b) { return a.bytes > b.bytes; });
  return alive;
}

MemoryTimeline timeline_of(const std::vector<MemoryInUse>& in_use, const FrameworkPeak& peak) {
  MemoryTimeline timeline{{}, {}, peak.range.expected - peak.live};
  for (const auto& [tensors, all] : in_use) {
    timeline.tensors.push_back(tensors);
    timeline.workspace.push_back(all - tensors);
  }
  return timeline;
}

MemoryTimeline timeline_of(const MemoryPlan& plan) {
  MemoryTimeline timeline{{}, {}, plan.fixed + plan.peak() - plan.bound()};
  for (size_t t = 0; t < plan.timeline.size(); ++t) {
    const int32_t storage = t < plan.workspace_of.size() ? plan.workspace_of[t] : -1;
    timeline.workspace.push_back(storage < 0 ? Bytes(0) : plan.storages[size_t(storage)].size);
    timeline.tensors.push_back(plan.timeline[t] - plan.fixed - timeline.workspace.back());
  }
  return timeline;
}

template <class Storages>
Bytes gradients_of(const Storages& storages) {
  Bytes bytes;
  for (const auto& storage : storages)
    if (storage.part == MemoryPart::gradients) bytes += storage.size;
  return bytes;
}

// At the fullest moment. Scratch memory is what is in use beyond the tensors: a library takes less where it is tight.
MemoryBreakdown breakdown_of(const FrameworkPeak& peak) {
  MemoryBreakdown breakdown = peak.tensors;
  breakdown[MemoryPart::workspace] = std::max(Bytes(0), peak.live - breakdown.total());
  // The context, and what the allocator holds beyond what is in use.
  breakdown[MemoryPart::fixed] = std::max(Bytes(0), peak.range.expected - breakdown.total());
  return breakdown;
}

}  // namespace

Result<FrameworkLoad> FrameworkLoad::make(const FitQuestion& question) {
  PLIM_ASSIGN(FrameworkLoad load, make_with(question, 0));
  if (!question.step.optimizer || question.step.recompute <= 0) return load;
  PLIM_ASSIGN(FrameworkLoad plain, make_with(question, 0));
  load.by_recomputation_.push_back(std::move(plain));
  for (const double share : kTriedShares) {
    if (share > question.step.recompute) break;
    PLIM_ASSIGN(FrameworkLoad more, make_with(question, share));
    load.by_recomputation_.push_back(std::move(more));
  }
  return load;
}

// Without a room: where there is room for everything.
Result<FrameworkLoad*> FrameworkLoad::leanest(int64_t batch, std::optional<Room> room) {
  FrameworkLoad* best = this;
  Bytes least;
  for (auto& load : by_recomputation_) {
    if (best != this) {
      PLIM_ASSIGN(const bool more, load.is_past_without_packing(batch, {least - Bytes(1), Bytes(0)}));
      if (more) continue;
    }
    PLIM_ASSIGN(const Bytes bytes, room ? load.expected_at(batch, *room) : load.free_at(batch));
    if (best != this && bytes >= least) continue;
    best = &load;
    least = bytes;
  }
  return best;
}

Result<Program> FrameworkLoad::program_at(int64_t batch) {
  PLIM_ASSIGN(const FrameworkLoad* load, leanest(batch, std::nullopt));
  return load->family_->at(batch);
}

Result<const Program*> FrameworkLoad::costed_at(int64_t batch) {
  PLIM_ASSIGN(FrameworkLoad* const load, leanest(batch, std::nullopt));
  return load->curve_.costed_at(batch);
}

Result<Bytes> FrameworkLoad::fresh_at(int64_t batch) {
  const bool torch_on_cpu =
      profile_ && profile_->framework() == Framework::pytorch && profile_->allocator() == AllocatorKind::region;
  if (!torch_on_cpu) return Bytes(0);
  PLIM_ASSIGN(FrameworkLoad* const load, leanest(batch, std::nullopt));
  PLIM_TRY(load->curve_.move_to(batch));
  return heap_use(load->curve_.step(), load->curve_.storages()).fresh;
}

Result<FrameworkLoad> FrameworkLoad::make_with(const FitQuestion& question, double recompute) {
  const bool own = question.framework == Framework::plimsoll;
  const Device* device = question.device ? &*question.device : nullptr;
  std::shared_ptr<const FrameworkProfile> profile;
  if (!own) profile = std::make_shared<const FrameworkProfile>(question.framework, device, is_mixed(question));
  StepOptions options = question.step;
  const StepOptions way = step_options(question.framework);
  const Lowering* lowering = own && question.format.name == "f32" ? question.lowering : nullptr;
  options.fuse = way.fuse && (!lowering || lowering->takes_fused());
  options.overwriting = way.overwriting;
  options.state = way.state;
  options.recompute = recompute;
  PLIM_ASSIGN(const BatchFamily* family, question.network->steps(question.format, options, form_of(question)));
  const LoadCurve curve(*family, own ? plain_size_rules() : *profile);
  const auto known = [&](bool is_kept, const std::string& what) {
    return is_kept ? question.network->peaks(question.format, options, what) : std::make_shared<Network::Peaks>();
  };
  auto free = known(lowering, lowering ? lowering->name() : ""), live = known(own, "alive");
  return FrameworkLoad(family, std::move(profile), curve, lowering, std::move(free), std::move(live),
                       question.format.name == "f32");
}

Result<const FrameworkLoad::OwnPlan*> FrameworkLoad::own_plan(int64_t batch) {
  if (!lowering_) {
    PLIM_TRY(curve_.move_to(batch));
    own_ = OwnPlan{batch, &curve_.step(), plan_memory(curve_.step(), plain_size_rules())};
  } else if (!own_ || own_->batch != batch) {
    own_.reset();
    PLIM_ASSIGN(Program step, family_->at(batch));
    PLIM_ASSIGN(lowered_, lowering_->lower(std::move(step)));
    own_ = OwnPlan{batch, &lowered_->program, plan_memory(lowered_->program, lowered_->rules())};
  }
  (*free_)[batch] = own_->plan.peak();
  return &*own_;
}

Room FrameworkLoad::room(const Device* device, Bytes line) const {
  if (!profile_) return {line, Bytes(0)};
  return {line, FrameworkProfile(profile_->framework(), device, profile_->mixed()).fixed()};
}

// Of the batch that the curve is at, on a device with that much memory.
FrameworkPeak FrameworkLoad::replay(const Room& room, std::vector<MemoryInUse>* timeline) const {
  std::optional<Bytes> line;
  if (!room.line.overflowed()) line = room.line - room.fixed + profile_->fixed();
  FrameworkPeak peak = framework_peak(*profile_, curve_.step(), curve_.storages(), line, timeline);
  peak.range = peak_range(peak.held + room.fixed);
  peak.needed = peak.needed - peak.fixed + room.fixed;
  peak.fixed = room.fixed;
  return peak;
}

// Without the fixed part, where there is room for everything: one answer serves all devices.
Result<Bytes> FrameworkLoad::free_at(int64_t batch) {
  if (const auto known = free_->find(batch); known != free_->end()) return known->second;
  if (!profile_) {
    PLIM_ASSIGN(const OwnPlan* own, own_plan(batch));
    return own->plan.peak();
  }
  PLIM_TRY(curve_.move_to(batch));
  const FrameworkPeak peak = replay({Bytes(Bytes::kOverflow), Bytes(0)});
  needed_[batch] = peak.needed;
  return (*free_)[batch] = peak.held;
}

Result<Bytes> FrameworkLoad::expected_at(int64_t batch, const Room& room) {
  if (!by_recomputation_.empty()) {
    PLIM_ASSIGN(FrameworkLoad* const load, leanest(batch, room));
    return load->expected_at(batch, room);
  }
  PLIM_ASSIGN(const Bytes free, free_at(batch));
  if (!profile_ || free + room.fixed <= room.line) return free + room.fixed;
  if (on_gpu_with_cache()) return needed_.at(batch) + room.fixed;  // the same whatever the line is
  const auto [known, is_new] = tight_.try_emplace({batch, (room.line - room.fixed).value()});
  if (is_new) {
    PLIM_TRY(curve_.move_to(batch));
    known->second = replay(room).held;
  }
  return known->second + room.fixed;
}

Result<bool> FrameworkLoad::fits_easily(int64_t batch, const Room& room) {
  if (!by_recomputation_.empty()) {
    PLIM_ASSIGN(FrameworkLoad* const load, leanest(batch, room));
    return load->fits_easily(batch, room);
  }
  PLIM_ASSIGN(const Bytes free, free_at(batch));
  return free + room.fixed <= room.line;
}

// A step that is built anew at every batch is not asked for at one that no memory holds.
Result<int64_t> FrameworkLoad::most_to_ask(Bytes limit, const LoadAt& load) const {
  if (family_->straight()) return kMostSamples;
  return batch_past(limit, kMostSamples, load);
}

Result<NeededBounds> FrameworkLoad::bounds_at(int64_t batch) {
  PLIM_TRY(curve_.move_tensors_to(batch));
  return needed_bounds(*profile_, curve_.step(), curve_.storages());
}

// First as if there were room for everything, then for what libraries can do without.
Result<int64_t> FrameworkLoad::largest_with_profile(const Room& room) {
  const Bytes limit = room.line - room.fixed;
  const auto free = [&](int64_t batch) { return free_at(batch); };
  PLIM_ASSIGN(const int64_t most, most_to_ask(limit, free));
  PLIM_ASSIGN(const int64_t easily, largest_batch(limit, 1, most, free, *free_));
  if (easily == kMostSamples) return easily;
  const auto tight = [&](int64_t batch) { return expected_at(batch, room); };
  PLIM_ASSIGN(const Bytes next, tight(easily + 1));
  if (next > room.line) return easily;
  return largest_batch(room.line, easily + 1, 8 * (easily + 1), tight);
}

Result<bool> FrameworkLoad::carries(int64_t batch, const Room& room) {
  PLIM_ASSIGN(const bool hopeless, is_past_without_packing(batch, room));
  if (hopeless) return false;
  if (by_recomputation_.empty() && on_gpu_with_cache()) {
    PLIM_ASSIGN(const NeededBounds bounds, bounds_at(batch));
    if (bounds.most + room.fixed <= room.line) return true;
    if (bounds.least + room.fixed > room.line) return false;
  }
  PLIM_ASSIGN(const Bytes peak, expected_at(batch, room));
  return peak <= room.line;
}

Result<std::optional<double>> FrameworkLoad::least_recomputation(int64_t batch, const Room& room) {
  for (size_t i = 0; i < by_recomputation_.size(); ++i) {
    PLIM_ASSIGN(const bool enough, by_recomputation_[i].carries(batch, room));
    if (enough) return std::optional(i == 0 ? 0.0 : kTriedShares[i - 1]);
  }
  return std::optional<double>();
}

void FrameworkLoad::recompute_at_most(double share) {
  while (by_recomputation_.size() > 1 && kTriedShares[by_recomputation_.size() - 2] > share)
    by_recomputation_.pop_back();
}

// Near what plain layouts would carry, by few plans of the real ones: each asks for every kernel.
Result<int64_t> FrameworkLoad::largest_under(const Room& room) {
  if (const auto only = family_->only_batch()) {
    PLIM_ASSIGN(const Bytes peak, expected_at(*only, room));
    return peak <= room.line ? *only : 0;
  }
  int64_t largest = 0;
  // Those that carry no more are not searched, so the one that most likely carries the most comes first.
  for (auto load = by_recomputation_.rbegin(); load != by_recomputation_.rend(); ++load) {
    PLIM_ASSIGN(const bool carries, load->carries(largest + 1, room));
    if (!carries) continue;
    PLIM_ASSIGN(const int64_t batch, load->largest_under(room));
    largest = std::max(largest, batch);
  }
  if (!by_recomputation_.empty()) return largest;
  if (profile_) return largest_with_profile(room);
  PLIM_ASSIGN(const int64_t guess, largest_plain(room));
  if (!lowering_) return guess;
  Network::Peaks asked;  // now: what was asked before may not lead to another answer
  const auto load = [&](int64_t batch) -> Result<Bytes> {
    PLIM_ASSIGN(const Bytes peak, expected_at(batch, room));
    return asked[batch] = peak;
  };
  int64_t high = std::min(kMostSamples, guess + guess / 16 + 2);
  for (; high < kMostSamples; high = std::min(kMostSamples, 2 * high)) {
    PLIM_ASSIGN(const Bytes peak, load(high));
    if (peak > room.line) break;
  }
  return largest_batch(room.line, 1, high, load, asked);
}

Result<Bytes> FrameworkLoad::live_at(int64_t batch) {
  if (const auto known = live_->find(batch); known != live_->end()) return known->second;
  PLIM_TRY(curve_.move_to(batch));
  return (*live_)[batch] = live_peak(curve_.storages());
}

Result<bool> FrameworkLoad::is_past_without_packing(int64_t batch, const Room& room) {
  for (auto& load : by_recomputation_) {
    PLIM_ASSIGN(const bool past, load.is_past_without_packing(batch, room));
    if (!past) return false;
  }
  if (!by_recomputation_.empty()) return true;
  if (profile_ || batch == 1) return false;
  PLIM_ASSIGN(const Bytes live, live_at(batch));
  return live > room.line;
}

Result<int64_t> FrameworkLoad::largest_plain(const Room& room) {
  const auto live = [&](int64_t size) { return live_at(size); };
  PLIM_ASSIGN(const int64_t most, most_to_ask(room.line, live));
  PLIM_ASSIGN(int64_t batch, largest_batch(room.line, 1, most, live, *live_));
  // A packed arena is a little larger than the sum of what is alive.
  while (batch > 0 && !lowering_) {
    PLIM_ASSIGN(const Bytes peak, expected_at(batch, room));
    if (peak <= room.line) break;
    const double share = double(room.line.value()) / double(peak.value());
    batch = std::min(batch - 1, int64_t(double(batch) * share));
  }
  return batch;
}

Result<BatchLoad> FrameworkLoad::at(int64_t batch, const Room& room) {
  if (!by_recomputation_.empty()) {
    PLIM_ASSIGN(FrameworkLoad* const load, leanest(batch, room));
    return load->at(batch, room);
  }
  BatchLoad load;
  load.batch = batch;
  if (!profile_) {
    PLIM_ASSIGN(const OwnPlan* own, own_plan(batch));
    const MemoryPlan& plan = own->plan;
    load.peak = exact_range(plan.peak());
    load.needed = load.reserved = plan.peak();
    load.allocated = plan.bound();
    load.breakdown = plan.breakdown;
    load.largest_tensor = plan.largest;
    load.arena = plan.arena;
    load.bound = plan.bound();
    load.gradients = gradients_of(plan.storages);
    load.at_peak = plan.at_peak;
    load.peak_operation = name_at(*own->step, plan.peak_operation);
    load.timeline = timeline_of(plan);
    if (lowering_) load.conv_methods = lowered_->conv_methods();
    return load;
  }
  PLIM_TRY(curve_.move_to(batch));
  std::vector<MemoryInUse> in_use;
  // The peak is that of a card with room for everything, unless the framework has no cache to give up.
  const Room roomy{Bytes(Bytes::kOverflow), room.fixed};
  const FrameworkPeak peak = replay(on_gpu_with_cache() ? roomy : room, &in_use);
  load.peak = peak.range;
  load.needed = on_gpu_with_cache() ? peak.needed : peak.range.expected;
  load.reserved = peak.held;
  load.allocated = peak.live;
  load.breakdown = breakdown_of(peak);
  load.bound = peak.live + peak.fixed;
  load.gradients = gradients_of(curve_.storages().storages);
  if (curve_.step().loss.present()) load.kept = kept_for_backward(curve_.step(), *profile_);
  load.at_peak = alive_at(curve_.step(), curve_.storages(), peak.fullest);
  load.peak_operation = name_at(curve_.step(), peak.fullest);
  load.timeline = timeline_of(in_use, peak);
  for (const auto& storage : curve_.storages().storages)
    if (storage.value.present() && (!load.largest_tensor || storage.size > load.largest_tensor->bytes))
      load.largest_tensor = tensor_of(curve_.step(), storage);
  return load;
}

Result<std::optional<TensorInMemory>> FrameworkLoad::first_over(int64_t batch, const Room& room) {
  if (!by_recomputation_.empty()) {
    PLIM_ASSIGN(FrameworkLoad* const load, leanest(batch, room));
    return load->first_over(batch, room);
  }
  if (!profile_) {
    PLIM_ASSIGN(const OwnPlan* own, own_plan(batch));
    return plimsoll::first_over(*own->step, own->plan, room.line);
  }
  PLIM_TRY(curve_.move_to(batch));
  const Program& step = curve_.step();
  const auto over = replay(room).over;
  if (!over) return std::optional<TensorInMemory>();
  return std::optional(tensor_of(step, curve_.storages().storages[size_t(*over)]));
}

void FrameworkLoad::let_go() {
  curve_.let_go();
  own_.reset();
  lowered_.reset();
  for (auto& load : by_recomputation_) load.let_go();
}

std::vector<std::string> FrameworkLoad::notes() const {
  return profile_ ? accuracy_notes(profile_->framework(), in_f32_, curve_.step()) : std::vector<std::string>();
}

}  // namespace plimsoll
