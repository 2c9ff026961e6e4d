#include "plan/verdict/framework_load.h"

#include <fmt/format.h>

#include "base/size_text.h"
#include "plan/memory/framework_accuracy.h"

namespace plimsoll {
namespace {

bool is_mixed(const FitQuestion& question) { return question.format.name == "amp"; }

TensorInMemory tensor_of(const Program& program, const StorageLife& storage) {
  if (!storage.value.present()) {
    const Operation& operation = program.operations[size_t(storage.first)];
    return {"workspace of " + operation.name, std::nullopt, storage.size, storage.part};
  }
  const ProgramValue& value = program.value(storage.value);
  return {value.name, value.type, value.type->bytes(), storage.part};
}

MemoryBreakdown breakdown_at(const Lifetimes& lifetimes, int32_t operation) {
  MemoryBreakdown breakdown;
  for (const auto& storage : lifetimes.storages)
    if (storage.persistent || (storage.first <= operation && operation <= storage.last))
      breakdown[storage.part] += storage.size;
  return breakdown;
}

}  // namespace

Result<FrameworkLoad> FrameworkLoad::make(const FitQuestion& question) {
  const bool own = question.framework == Framework::plimsoll;
  const Device* device = question.device ? &*question.device : nullptr;
  std::shared_ptr<const FrameworkProfile> profile;
  if (!own) profile = std::make_shared<const FrameworkProfile>(question.framework, device, is_mixed(question));
  const SizeRules& rules = own ? plain_size_rules() : *profile;
  StepOptions options = question.step;
  const StepOptions way = step_options(question.framework);
  options.fuse = way.fuse;
  options.overwriting = way.overwriting;
  PLIM_ASSIGN(const BatchFamily* family, question.network->steps(question.format, options));
  const auto expected = [profile, &rules](const Program& step, const Lifetimes& lifetimes) {
    if (profile) return framework_peak(*profile, step, lifetimes).range.expected;
    return live_peak(lifetimes).bytes + rules.fixed(step);
  };
  PLIM_ASSIGN(LoadCurve curve, LoadCurve::make(*family, rules, expected));
  return FrameworkLoad(family, std::move(profile), std::move(curve));
}

// A packed arena is a little larger than the bound that the curve follows, so our own answer is checked by a plan.
Result<int64_t> FrameworkLoad::largest_under(Bytes line) {
  PLIM_ASSIGN(int64_t batch, curve_.largest_under(line, kMostSamples));
  if (profile_) return batch;
  while (batch > 0) {
    PLIM_ASSIGN(const Bytes peak, expected_at(batch));
    if (peak <= line) break;
    // The arena grows with the batch: go down by as much as it is over, at least by one.
    const double share = double(line.value()) / double(peak.value());
    batch = std::min(batch - 1, int64_t(double(batch) * share));
  }
  return batch;
}

Result<Bytes> FrameworkLoad::expected_at(int64_t batch) {
  if (profile_) return curve_.at(batch);
  if (const auto known = planned_.find(batch); known != planned_.end()) return known->second;
  PLIM_ASSIGN(const Program program, family_->at(batch));
  return planned_[batch] = plan_memory(program, plain_size_rules()).peak();
}

Result<BatchLoad> FrameworkLoad::at(int64_t batch) const {
  BatchLoad load;
  load.batch = batch;
  PLIM_ASSIGN(const Program program, family_->at(batch));
  if (!profile_) {
    const MemoryPlan plan = plan_memory(program, plain_size_rules());
    load.peak = exact_range(plan.peak());
    load.breakdown = plan.breakdown;
    load.largest_tensor = plan.largest;
    load.arena = plan.arena;
    load.bound = plan.bound();
    return load;
  }
  const Lifetimes life = lifetimes(program, *profile_);
  const FrameworkPeak peak = framework_peak(*profile_, program, life);
  load.peak = peak.range;
  load.breakdown = breakdown_at(life, peak.fullest);
  // The context, and what the allocator holds beyond the tensors.
  load.breakdown[MemoryPart::fixed] = peak.range.expected - load.breakdown.total();
  load.bound = peak.live + peak.fixed;
  for (const auto& storage : life.storages)
    if (storage.value.present() && (!load.largest_tensor || storage.size > load.largest_tensor->bytes))
      load.largest_tensor = tensor_of(program, storage);
  return load;
}

Result<std::optional<TensorInMemory>> FrameworkLoad::first_over(int64_t batch, Bytes line) const {
  PLIM_ASSIGN(const Program program, family_->at(batch));
  if (!profile_) return plimsoll::first_over(program, plan_memory(program, plain_size_rules()), line);
  const Lifetimes life = lifetimes(program, *profile_);
  const auto over = framework_peak(*profile_, program, life, line).over;
  if (!over) return std::optional<TensorInMemory>();
  return std::optional(tensor_of(program, life.storages[size_t(*over)]));
}

std::vector<std::string> FrameworkLoad::notes() const {
  if (!profile_) return {};
  const auto accuracy = accuracy_of(profile_->framework());
  const std::string name(name_of(profile_->framework()));
  if (!accuracy) return {fmt::format("The profile of {} has not been checked against measurements.", name)};
  return {
      fmt::format("The profile of {} was checked against {} measurements: median error {}, largest {}, {} outside "
                  "low–high.",
                  name, accuracy->rows, percent(accuracy->median_error), percent(accuracy->largest_error),
                  percent(accuracy->outside))};
}

}  // namespace plimsoll
