#include "plan/verdict/framework_load.h"

#include "plan/verdict/engine_load.h"
#include "plan/verdict/profiled_load.h"

namespace plimsoll {
namespace {

// Of the forward pass: what is tried where recomputation is allowed, up to what is allowed. The same numbers for every
// allowance, so that a larger one has all the choices of a smaller one.
constexpr double kTriedShares[] = {0.01, 0.02, 0.05, 0.1, 0.2, 0.35, 0.6, 1};

bool is_mixed(const FitQuestion& question) { return question.format.name.starts_with("amp"); }  // in f16 or bf16

FrameworkForm form_of(const FitQuestion& question) {
  FrameworkForm form;
  if (question.framework != Framework::pytorch) return form;
  form.pytorch = true;
  if (is_mixed(question)) form.autocast = question.format.activations.value_or(DType::f16);
  form.attention = question.attention;
  form.fused_attention = question.torch >= TorchVersion{2, 0} || question.attention != AttentionKernel::as_it_is;
  return form;
}

Result<std::unique_ptr<StepLoad>> step_load(const FitQuestion& question, double recompute) {
  StepOptions options = question.step;
  const StepOptions way = step_options(question.framework);
  const bool own = question.framework == Framework::plimsoll, in_f32 = question.format.name == "f32";
  const Lowering* lowering = own && in_f32 ? question.lowering : nullptr;
  options.fuse = way.fuse && (!lowering || lowering->takes_fused());
  options.overwriting = way.overwriting;
  options.state = way.state;
  options.recompute = recompute;
  PLIM_ASSIGN(const BatchFamily* family, question.network->steps(question.format, options, form_of(question)));
  if (!own) {
    const Device* device = question.device ? &*question.device : nullptr;
    auto profile = std::make_shared<const FrameworkProfile>(question.framework, device, is_mixed(question));
    return std::unique_ptr<StepLoad>(std::make_unique<ProfiledLoad>(*family, std::move(profile), in_f32));
  }
  auto free = lowering ? question.network->peaks(question.format, options, lowering->name())
                       : std::make_shared<Network::Peaks>();
  auto live = question.network->peaks(question.format, options, "alive");
  return std::unique_ptr<StepLoad>(std::make_unique<EngineLoad>(*family, lowering, std::move(free), std::move(live)));
}

}  // namespace

Result<FrameworkLoad> FrameworkLoad::make(const FitQuestion& question) {
  FrameworkLoad load;
  PLIM_ASSIGN(auto plain, step_load(question, 0));
  load.steps_.push_back(std::move(plain));
  if (!question.step.optimizer) return load;
  for (const double share : kTriedShares) {
    if (share > question.step.recompute) break;
    PLIM_ASSIGN(auto more, step_load(question, share));
    load.steps_.push_back(std::move(more));
  }
  return load;
}

// Without a room: where there is room for everything.
Result<StepLoad*> FrameworkLoad::leanest(int64_t batch, std::optional<Room> room) {
  StepLoad* best = steps_.front().get();
  if (steps_.size() == 1) return best;
  std::optional<Bytes> least;
  for (const auto& step : steps_) {
    if (least) {
      PLIM_ASSIGN(const bool more, step->is_past_without_packing(batch, {*least - Bytes(1), Bytes(0)}));
      if (more) continue;
    }
    PLIM_ASSIGN(const Bytes bytes, room ? step->expected_at(batch, *room) : step->free_at(batch));
    if (least && bytes >= *least) continue;
    best = step.get();
    least = bytes;
  }
  return best;
}

Result<Program> FrameworkLoad::program_at(int64_t batch) {
  PLIM_ASSIGN(const StepLoad* step, leanest(batch, std::nullopt));
  return step->family().at(batch);
}

Result<const Program*> FrameworkLoad::costed_at(int64_t batch) {
  PLIM_ASSIGN(StepLoad* const step, leanest(batch, std::nullopt));
  return step->costed_at(batch);
}

Result<Bytes> FrameworkLoad::fresh_at(int64_t batch) {
  PLIM_ASSIGN(StepLoad* const step, leanest(batch, std::nullopt));
  return step->fresh_at(batch);
}

Result<Bytes> FrameworkLoad::expected_at(int64_t batch, const Room& room) {
  PLIM_ASSIGN(StepLoad* const step, leanest(batch, room));
  return step->expected_at(batch, room);
}

Result<bool> FrameworkLoad::fits_easily(int64_t batch, const Room& room) {
  PLIM_ASSIGN(StepLoad* const step, leanest(batch, room));
  PLIM_ASSIGN(const Bytes free, step->free_at(batch));
  return free + room.fixed <= room.line;
}

Result<bool> FrameworkLoad::carries(int64_t batch, const Room& room) {
  for (const auto& step : steps_) {
    PLIM_ASSIGN(const bool carries, step->carries(batch, room));
    if (carries) return true;
  }
  return false;
}

Result<std::optional<double>> FrameworkLoad::least_recomputation(int64_t batch, const Room& room) {
  for (size_t i = 0; i < steps_.size(); ++i) {
    PLIM_ASSIGN(const bool enough, steps_[i]->carries(batch, room));
    if (enough) return std::optional(i == 0 ? 0.0 : kTriedShares[i - 1]);
  }
  return std::optional<double>();
}

void FrameworkLoad::recompute_at_most(double share) {
  while (steps_.size() > 1 && kTriedShares[steps_.size() - 2] > share) steps_.pop_back();
}

// Those that carry no more are not searched, so the one that most likely carries the most comes first.
Result<int64_t> FrameworkLoad::largest_under(const Room& room) {
  if (steps_.size() == 1) return steps_.front()->largest_under(room);
  int64_t largest = 0;
  for (auto step = steps_.rbegin(); step != steps_.rend(); ++step) {
    PLIM_ASSIGN(const bool carries, (*step)->carries(only_batch().value_or(largest + 1), room));
    if (!carries) continue;
    PLIM_ASSIGN(const int64_t batch, (*step)->largest_under(room));
    largest = std::max(largest, batch);
  }
  return largest;
}

Result<bool> FrameworkLoad::is_past_without_packing(int64_t batch, const Room& room) {
  for (const auto& step : steps_) {
    PLIM_ASSIGN(const bool past, step->is_past_without_packing(batch, room));
    if (!past) return false;
  }
  return true;
}

Result<BatchLoad> FrameworkLoad::at(int64_t batch, const Room& room) {
  PLIM_ASSIGN(StepLoad* const step, leanest(batch, room));
  return step->at(batch, room);
}

Result<std::optional<TensorInMemory>> FrameworkLoad::first_over(int64_t batch, const Room& room) {
  PLIM_ASSIGN(StepLoad* const step, leanest(batch, room));
  return step->first_over(batch, room);
}

void FrameworkLoad::let_go() {
  for (const auto& step : steps_) step->let_go();
}

}  // namespace plimsoll
