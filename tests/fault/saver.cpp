// Saves one checkpoint and ends: 0 saved, 4 it said that it could not. For tests that let its calls fail or kill it.
// Usage: saver FOLDER STEP
#include <cstdio>
#include <cstdlib>

#include "model/ir/bind.h"
#include "model/optim/all_optimizers.h"
#include "model/passes/pipeline.h"
#include "model/zoo/all_models.h"
#include "run/exec/reference/reference_backend.h"
#include "run/train/checkpoint.h"
#include "run/train/initialise.h"

int main(int count, char** arguments) {
  using namespace plimsoll;
  if (count != 3) return 2;
  StepOptions options;
  options.optimizer = find_optimizer("momentum").value();
  BindOptions batch;
  batch.batch = 1;
  const auto graph = build_model("logistic", {.input = Shape{1, 4, 4}, .classes = 3});
  const auto executor = make_executor(reference_backend(), *make_step(*bind(*graph, batch), options), 1);
  TrainingState state;
  state.step = std::atol(arguments[2]);
  initialise(**executor, uint64_t(state.step));
  const Status saved = save_checkpoint(arguments[1], CheckpointKind::last, **executor, state, {{"model", "logistic"}});
  if (saved.ok()) return 0;
  std::fprintf(stderr, "%s\n", saved.error().line().c_str());
  return 4;
}
