#include "run/train/eval_request.h"

#include <chrono>

#include "plan/ask/batch_row.h"
#include "run/train/judged_network.h"
#include "run/train/request_of_run.h"

namespace plimsoll {
namespace {

// The run's request, with what eval is asked for in its place.
Result<TrainRequest> run_request(const EvalRequest& request, const Checkpoint& checkpoint) {
  PLIM_ASSIGN(TrainRequest run, request_of_run(checkpoint));
  if (request.data && *request.data != run.data.data) {
    run.data.data = *request.data;
    run.data.validation = 0;  // all of a set of its own
  }
  if (request.loaders) run.data.loaders = request.loaders;
  request.engine.replace(run);
  run.batch.samples = request.batch.value_or(checkpoint.config.value("batch", kDefaultTrainBatch));
  return run;
}

}  // namespace

void EvalRequest::describe(Fields& fields) {
  fields.add(checkpoint, checkpoint_row());
  Row set = data_row();
  set.fallback = "the run's own";
  fields.add(data, set);
  fields.add(part, {.name = "part",
                    .subject = Subject::data,
                    .help = "part of the data: test, validation or train",
                    .value = "NAME",
                    .fallback = "the first of these that exists",
                    .choices = {"test", "validation", "train"}});
  Row workers = loaders_row();
  workers.help = "loader workers; 0: the evaluating thread loads";
  workers.fallback = "as in training";
  fields.add(loaders, workers);
  fields.add(batch, batch_row("samples at a time", "the run's"));
  engine.describe(fields);
  engine.describe_backend(fields);
}

std::string EvalOutcome::class_name(int64_t label) const {
  return size_t(label) < class_names.size() ? class_names[size_t(label)] : std::to_string(label);
}

std::optional<double> EvalOutcome::accuracy_of(int64_t label) const {
  const int64_t samples = evaluation.samples[size_t(label)];
  if (samples == 0) return std::nullopt;
  return double(evaluation.correct[size_t(label)]) / double(samples);
}

Result<EvalOutcome> ask_eval(const EvalRequest& request, const DataLines& say) {
  const auto start = std::chrono::steady_clock::now();
  PLIM_ASSIGN(const Checkpoint checkpoint, read_checkpoint(request.checkpoint));
  PLIM_ASSIGN(const TrainRequest run, run_request(request, checkpoint));
  PLIM_ASSIGN(JudgedNetwork judged, open_for_judging(checkpoint, run, say));
  PLIM_ASSIGN(const DataPart part, judged.part(request.part.value_or("")));
  PLIM_ASSIGN(Evaluated evaluated, evaluate_network(*judged.inference, *judged.judge, part.dataset, judged.loader));
  EvalOutcome outcome{checkpoint.path,
                      run.data.data,
                      part.name,
                      checkpoint.state.step,
                      judged.data.train->info().class_names,
                      std::move(evaluated.evaluation),
                      {}};
  outcome.tokens = judged.judge->tokens();
  outcome.seconds = {std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count()};
  return outcome;
}

}  // namespace plimsoll
