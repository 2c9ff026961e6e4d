// The pipeline: from the Program of a forward pass to that of a whole step. Everything that plans or runs a step
// reads what comes out of here.
#pragma once

#include "model/ir/program.h"
#include "model/optim/optimizer.h"
#include "model/passes/add_loss.h"
#include "model/passes/add_updates.h"
#include "model/passes/batch_norm_groups.h"
#include "model/passes/fold_batch_norm.h"
#include "model/passes/parameter_gradient.h"
#include "model/passes/pass_observer.h"
#include "model/passes/share_storage.h"
#include "model/passes/training_form.h"

namespace plimsoll {

struct StepOptions {
  const Optimizer* optimizer = nullptr;  // nullptr: an inference
  Attributes optimizer_settings;         // where they are not the usual ones: weight_decay, momentum …
  Loss loss = Loss::automatic;
  double label_smoothing = 0;  // of softmax cross-entropy: this share of each target is spread over all classes
  int64_t micro_batches = 1;   // the Program is bound to one of them
  double recompute = 0;        // at most this share of the forward operations runs again
  BatchNormGroups batch_norm;
  bool fuse = true;
  TrainingForm form = TrainingForm::whole;
  Parameters parameters = Parameters::own;  // of an inference
  Overwriting overwriting = Overwriting::wherever_possible;
  StateFormat state = StateFormat::f32;
};

// With an observer each pass is told as it ends. In debug builds, and where the environment has PLIMSOLL_VALIDATE, the
// Program is validated after each pass (validate.h); PLIMSOLL_VALIDATE=0 turns it off.
Result<Program> make_step(Program forward, const StepOptions& options, const PassObserver& observer = {});

// A step on its way through the passes.
struct UnfinishedStep {
  Program program;
  std::vector<ParameterGradient> gradients = {};  // of a training, from its differentiation on
};

// make_step in three. Steps that differ in micro-batches, optimizer, its settings and state alone are differentiated
// alike; those that differ in `recompute` alone are complete alike.
Result<UnfinishedStep> differentiate_step(Program forward, const StepOptions& options);
Result<UnfinishedStep> complete_step(UnfinishedStep differentiated, const StepOptions& options);
Result<Program> finish_step(UnfinishedStep complete, const StepOptions& options);

}  // namespace plimsoll
