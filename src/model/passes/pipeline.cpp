#include "model/passes/pipeline.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <span>
#include <string_view>

#include "base/check.h"
#include "model/ir/print_program.h"
#include "model/ir/validate.h"
#include "model/passes/differentiate.h"
#include "model/passes/flatten_concats.h"
#include "model/passes/fold_constants.h"
#include "model/passes/fold_transposes.h"
#include "model/passes/fuse.h"
#include "model/passes/fuse_gradients.h"
#include "model/passes/fuse_sums.h"
#include "model/passes/inference_form.h"
#include "model/passes/micro_batch.h"
#include "model/passes/norm_pieces.h"
#include "model/passes/norm_slices.h"
#include "model/passes/promote_types.h"
#include "model/passes/recompute.h"
#include "model/passes/remove_dead.h"
#include "model/passes/tile_attention.h"

namespace plimsoll {
namespace {

// An unfinished step with what is to become of it.
struct Step : UnfinishedStep {
  const StepOptions& options;

  bool trains() const { return options.optimizer != nullptr; }
};

Status run_promote_types(Step& step) {
  promote_types(step.program);
  return {};
}

Status run_fold_transposes(Step& step) {
  fold_transposes(step.program);
  return {};
}

Status run_form(Step& step) {
  if (!step.trains() || step.options.form == TrainingForm::frozen) inference_form(step.program);
  return step.trains() ? training_form(step.program, step.options.form) : Status();
}

Status run_tile_attention(Step& step) {
  if (step.options.fuse) tile_attention(step.program);
  return {};
}

Status run_batch_norm_groups(Step& step) {
  return step.trains() ? set_batch_norm_groups(step.program, step.options.batch_norm) : Status();
}

Status run_loss(Step& step) {
  return step.trains() ? add_loss(step.program, step.options.loss, step.options.label_smoothing) : Status();
}

Status run_flatten_concats(Step& step) {
  if (step.options.fuse) flatten_concats(step.program);
  return {};
}

Status run_differentiate(Step& step) {
  if (!step.trains()) return {};
  PLIM_ASSIGN(step.gradients, differentiate(step.program));
  return {};
}

Status run_fold_constants(Step& step) {
  fold_constants(step.program);
  return {};
}

Status run_micro_batches(Step& step) {
  if (!step.trains() || step.options.micro_batches == 1) return {};
  return add_micro_batches(step.program, step.gradients, step.options.micro_batches);
}

Status run_updates(Step& step) {
  if (!step.trains()) return {};
  return add_updates(step.program, step.gradients, *step.options.optimizer, step.options.optimizer_settings,
                     step.options.state);
}

Status run_remove_dead(Step& step) {
  remove_dead(step.program);
  return {};
}

Status run_recompute(Step& step) {
  if (step.trains() && step.options.recompute > 0) recompute(step.program, step.options.recompute);
  return {};
}

Status run_fold_batch_norm(Step& step) {
  if (!step.trains() && step.options.fuse) fold_batch_norm(step.program, step.options.parameters);
  return {};
}

Status run_fuse_sums(Step& step) {
  if (!step.trains() && step.options.fuse) fuse_sums(step.program);
  return {};
}

Status run_fuse(Step& step) {
  if (step.options.fuse) fuse(step.program);
  return {};
}

Status run_fuse_gradients(Step& step) {
  if (step.trains() && step.options.fuse) fuse_gradients(step.program);
  return {};
}

Status run_norm_pieces(Step& step) {
  if (step.options.fuse) norm_pieces(step.program);
  return {};
}

Status run_norm_slices(Step& step) {
  if (step.trains() && step.options.fuse) norm_slices(step.program);
  return {};
}

Status run_share_storage(Step& step) {
  share_storage(step.program, step.options.overwriting);
  return {};
}

struct Pass {
  std::string_view name, reason;  // the reason for its place in the order
  Status (*run)(Step&);
};

constexpr Pass kPasses[] = {
    {"promote-types", "first: every rule after it may rely on numbers of one type", run_promote_types},
    {"fold-transposes", "before differentiation, so that a weight's gradient comes out as the weight is stored",
     run_fold_transposes},
    {"form", "of training or of inference, before anything is derived from operations that it replaces", run_form},
    {"tile-attention", "before differentiation: its gradient forms the scores again instead of keeping them",
     run_tile_attention},
    {"batch-norm-groups", "on the training form, before its backward pass is written", run_batch_norm_groups},
    {"loss", "after the forward pass, whose last operation decides which", run_loss},
    {"flatten-concats", "before differentiation, so that gradients are cut into the same pieces", run_flatten_concats},
    {"differentiate", "on single operations: a fused one has no rule", run_differentiate},
    {"fold-constants", "gradient rules have added constants of their own", run_fold_constants},
    {"micro-batches", "adds up complete gradients, before an update reads them", run_micro_batches},
    {"updates", "read the gradients, so dead code can see what is needed", run_updates},
    {"remove-dead", "before recomputation counts what the backward pass reads", run_remove_dead},
    {"recompute", "before fusion, which would hide cheap operations inside expensive ones", run_recompute},
    {"fold-batch-norm", "before fusion, which then puts the activation after the convolution", run_fold_batch_norm},
    {"fuse-sums", "after the norms, before the activations: a residual block's order", run_fuse_sums},
    {"fuse", "when all readers of a value are known: a value read twice is not fused away", run_fuse},
    {"fuse-gradients", "when activations are in the norms before them", run_fuse_gradients},
    {"norm-pieces", "when norms and their gradients are final: it replaces them", run_norm_pieces},
    {"norm-slices", "on the concats that norm-pieces has left", run_norm_slices},
    {"share-storage", "last: it relies on the final order", run_share_storage},
};

bool always_validates() {
#ifdef PLIM_DEBUG
  constexpr bool kUsual = true;
#else
  constexpr bool kUsual = false;
#endif
  static const char* const asked = std::getenv("PLIMSOLL_VALIDATE");
  static const bool validates = asked ? std::string_view(asked) != "0" : kUsual;
  return validates;
}

// What is only planned is not held to it: other number formats than f32, loops that are not written out, sizes that
// only a run knows.
bool may_be_run(const Program& program) {
  for (const auto& value : program.values)
    if (value.type && is_floating(value.type->dtype) && value.type->dtype != DType::f32) return false;
  for (const auto& operation : program.operations) {
    if (!operation.op || operation.repeat != Count(1) || operation.certainty != Certainty::exact) return false;
    for (const ValueId id : operation.outputs)
      if (id.present() && !program.value(id).type) return false;
    // A parameter that the forward pass itself changes, as only a test would have it.
    for (const auto& update : operation.op->updates)
      if (operation.phase == Phase::forward && update.input < operation.inputs.size() &&
          operation.inputs[update.input].present() &&
          program.value(operation.inputs[update.input]).role == Role::parameter)
        return false;
  }
  return true;
}

void validate_after(const Pass& pass, const Program& program) {
  if (!always_validates() || !may_be_run(program)) return;
  const Status status = validate(program);
  PLIM_CHECK(status.ok(), fmt::format("after the pass {}: {}", pass.name, status.error().line()));
}

// Runs one pass and tells of it. The text of a Program tells whether it was changed.
Status run_observed(const Pass& pass, Step& step, std::string& text, const PassObserver& observer) {
  const auto start = std::chrono::steady_clock::now();
  PLIM_TRY(pass.run(step));
  const Seconds time{std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count()};
  std::string now = print(step.program);
  const bool changed = now != text;
  text = std::move(now);
  observer({pass.name, pass.reason, changed, time, step.program});
  return {};
}

const Pass* pass_of(Status (*run)(Step&)) {
  return std::find_if(std::begin(kPasses), std::end(kPasses), [run](const Pass& pass) { return pass.run == run; });
}

// Up to here a step is differentiated, and complete: nothing after it reads the gradients.
const Pass* differentiated() { return pass_of(run_micro_batches); }
const Pass* complete() { return pass_of(run_recompute); }

Result<UnfinishedStep> through(std::span<const Pass> passes, UnfinishedStep unfinished, const StepOptions& options,
                               const PassObserver& observer = {}) {
  Step step{std::move(unfinished), options};
  std::string text = observer ? print(step.program) : std::string();
  for (const auto& pass : passes) {
    PLIM_TRY(observer ? run_observed(pass, step, text, observer) : pass.run(step));
    validate_after(pass, step.program);
  }
  return UnfinishedStep(std::move(step));
}

}  // namespace

Result<Program> make_step(Program forward, const StepOptions& options, const PassObserver& observer) {
  PLIM_ASSIGN(UnfinishedStep step, through(kPasses, {std::move(forward)}, options, observer));
  return std::move(step.program);
}

Result<UnfinishedStep> differentiate_step(Program forward, const StepOptions& options) {
  return through({kPasses, differentiated()}, {std::move(forward)}, options);
}

Result<UnfinishedStep> complete_step(UnfinishedStep step, const StepOptions& options) {
  return through({differentiated(), complete()}, std::move(step), options);
}

Result<Program> finish_step(UnfinishedStep step, const StepOptions& options) {
  PLIM_ASSIGN(UnfinishedStep finished, through({complete(), std::end(kPasses)}, std::move(step), options));
  return std::move(finished.program);
}

}  // namespace plimsoll
