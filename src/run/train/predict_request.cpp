#include "run/train/predict_request.h"

#include <algorithm>
#include <numeric>

#include "run/data/aligned_memory.h"
#include "run/data/network_input.h"
#include "run/data/picture_list.h"
#include "run/exec/engine_here.h"
#include "run/train/judge.h"
#include "run/train/request_of_run.h"

namespace plimsoll {
namespace {

// The network as an inference of one picture, and what its scores are.
struct Predictor {
  std::unique_ptr<Executor> executor;
  ScoreForm form = ScoreForm::scores;
  TensorType sample;

  std::vector<double> operator()(std::span<const std::byte> picture) {
    executor->write(executor->program().inputs.at(0), picture);
    executor->compute();
    const ValueId output = executor->program().outputs.at(0);
    std::vector<float> scores(size_t(executor->program().value(output).type->elements().value()));
    executor->read(output, std::as_writable_bytes(std::span(scores)));
    return probabilities(scores, form);
  }
};

Result<Predictor> make_predictor(const TrainRequest& run, const Checkpoint& checkpoint) {
  PLIM_ASSIGN(const Backend* backend, run.chosen_backend());
  PLIM_ASSIGN(const Network network, load_network(run.model));
  PLIM_ASSIGN(const Program forward, network.forward(1, run.model.format()));
  PLIM_ASSIGN(const NetworkInput input, network_input(forward));
  PLIM_ASSIGN(Program inference, make_step(forward, {.fuse = backend->takes_fused()}));
  Predictor predictor{nullptr, score_form(inference), input.sample};
  PLIM_ASSIGN(predictor.executor,
              make_executor(*backend, std::move(inference), engine_options(run.threads, run.conv, run.device)));
  PLIM_TRY(load_tensors(checkpoint, *predictor.executor));
  return predictor;
}

// The pictures as the network was trained on them.
Result<DatasetPtr> prepared_pictures(const PredictRequest& request, const TrainRequest& run, const TensorType& sample) {
  PLIM_ASSIGN(const DatasetPtr pictures, open_picture_list(request.pictures, sample));
  PLIM_ASSIGN(const PrepareOptions preparation, run.data.preparation(0));
  return prepare_part(pictures, sample, preparation.normalise, preparation.statistics);
}

}  // namespace

void PredictRequest::describe(Fields& fields) {
  fields.add(checkpoint, checkpoint_row());
  fields.add(pictures, {.name = "image",
                        .subject = Subject::data,
                        .help = "JPEG or PNG files",
                        .separator = 0,
                        .positional = true,
                        .required = true});
  fields.add(top, {.name = "top",
                   .subject = Subject::view,
                   .help = "how many classes are shown for each picture",
                   .value = "N",
                   .least = 1,
                   .most = double(kMostClasses)});
  engine.describe(fields);
  engine.describe_backend(fields);
}

std::vector<Guess> likeliest(const std::vector<double>& probabilities, const std::vector<std::string>& names,
                             size_t most) {
  std::vector<size_t> order(probabilities.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) { return probabilities[a] > probabilities[b]; });
  std::vector<Guess> guesses;
  for (size_t i = 0; i < std::min(most, order.size()); ++i) {
    const size_t index = order[i];
    guesses.push_back(
        {int64_t(index), index < names.size() ? names[index] : std::to_string(index), probabilities[index]});
  }
  return guesses;
}

Result<PredictOutcome> ask_predict(const PredictRequest& request) {
  PLIM_ASSIGN(const Checkpoint checkpoint, read_checkpoint(request.checkpoint));
  PLIM_ASSIGN(TrainRequest run, request_of_run(checkpoint));
  request.engine.replace(run);
  PLIM_ASSIGN(Predictor predictor, make_predictor(run, checkpoint));
  PLIM_ASSIGN(const DatasetPtr pictures, prepared_pictures(request, run, predictor.sample));
  const AlignedMemory sample(predictor.sample.bytes()), scratch(pictures->scratch());
  if (!sample.ok() || !scratch.ok()) return environment_error("there is no memory for one picture");
  const auto numbers = sample.span().first(size_t(predictor.sample.bytes().value()));
  PredictOutcome outcome{checkpoint.path, checkpoint.state.step, {}};
  const auto names = class_names_of_run(checkpoint);
  for (int64_t i = 0; i < pictures->size(); ++i) {
    int64_t label = 0;
    PLIM_TRY(pictures->get(i, 0, numbers, label, scratch.span()));
    outcome.pictures.push_back(
        {request.pictures[size_t(i)], likeliest(predictor(numbers), names, size_t(request.top))});
  }
  return outcome;
}

}  // namespace plimsoll
