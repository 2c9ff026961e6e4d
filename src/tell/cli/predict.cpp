// plimsoll predict: which classes a trained network sees in pictures.
#include <fmt/format.h>

#include "base/text.h"
#include "run/data/aligned_memory.h"
#include "run/data/network_input.h"
#include "run/data/picture_list.h"
#include "run/data/prepare.h"
#include "run/train/judge.h"
#include "tell/cli/command.h"
#include "tell/cli/numbers.h"
#include "tell/cli/run_flags.h"
#include "tell/report/predict_report.h"

namespace plimsoll {
namespace {

struct PredictFlags {
  std::string checkpoint, top = "3", backend;
  EngineFlags engine;
  std::vector<std::string> pictures;
  bool json = false;
};

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

Result<Predictor> make_predictor(const TrainFlags& flags, const Checkpoint& checkpoint) {
  PLIM_ASSIGN(const Backend* backend, flags.read_backend());
  PLIM_ASSIGN(const EngineOptions engine, flags.engine.read());
  PLIM_ASSIGN(const NumberFormat format, flags.network.read_format());
  PLIM_ASSIGN(const Network network, load_network(flags.model, flags.network));
  PLIM_ASSIGN(const Program forward, network.forward(1, format));
  PLIM_ASSIGN(const NetworkInput input, network_input(forward));
  PLIM_ASSIGN(Program inference, make_step(forward, {}));
  Predictor predictor{nullptr, score_form(inference), input.sample};
  PLIM_ASSIGN(predictor.executor, make_executor(*backend, std::move(inference), engine));
  PLIM_TRY(load_tensors(checkpoint, *predictor.executor));
  return predictor;
}

Result<PredictView> predict(const PredictFlags& given) {
  PLIM_ASSIGN(const int64_t top, parse_integer("--top", given.top, 1, kMostClasses));
  PLIM_ASSIGN(const Checkpoint checkpoint, read_checkpoint(given.checkpoint));
  PLIM_ASSIGN(TrainFlags flags, flags_of_run(checkpoint));
  if (!given.engine.threads.empty()) flags.engine.threads = given.engine.threads;
  if (!given.engine.conv.empty()) flags.engine.conv = given.engine.conv;
  if (!given.backend.empty()) flags.backend = given.backend;
  PLIM_ASSIGN(Predictor predictor, make_predictor(flags, checkpoint));
  PLIM_ASSIGN(DatasetPtr pictures, open_picture_list(given.pictures, predictor.sample));
  PLIM_ASSIGN(const PrepareOptions preparation, flags.data.read_preparation(0));
  PLIM_ASSIGN(pictures, prepare_part(pictures, predictor.sample, preparation.normalise, preparation.statistics));
  const AlignedMemory sample(predictor.sample.bytes()), scratch(pictures->scratch());
  if (!sample.ok() || !scratch.ok()) return environment_error("there is no memory for one picture");
  const auto numbers = sample.span().first(size_t(predictor.sample.bytes().value()));
  PredictView view{checkpoint.path, checkpoint.state.step, {}};
  const auto names = class_names_of_run(checkpoint);
  for (int64_t i = 0; i < pictures->size(); ++i) {
    int64_t label = 0;
    PLIM_TRY(pictures->get(i, 0, numbers, label, scratch.span()));
    view.pictures.push_back({given.pictures[size_t(i)], likeliest(predictor(numbers), names, size_t(top))});
  }
  return view;
}

Result<int> run_predict(const PredictFlags& given) {
  PLIM_ASSIGN(const PredictView view, predict(given));
  fmt::print("{}", given.json ? json_text(predict_json(view)) : predict_text(view));
  return int(kExitDone);
}

}  // namespace

Action declare_predict(CLI::App& app) {
  const auto flags = std::make_shared<PredictFlags>();
  app.description("The likeliest classes of pictures, by a trained network.");
  app.footer(
      "Examples:\n"
      "  plimsoll predict runs/catsdogs-1 cat.jpg dog.png\n"
      "  plimsoll predict runs/catsdogs-1/best.json cat.jpg --top 1 --json\n"
      "A run's folder stands for its best checkpoint, else its last. Pictures are brought to the network's size.\n"
      "Exit codes: 0 done, 2 a mistake in flags, pictures or the checkpoint, 4 the machine failed.");
  app.add_option("CHECKPOINT", flags->checkpoint, "a run's folder, or a checkpoint's .json or .safetensors")
      ->required();
  app.add_option("IMAGE", flags->pictures, "JPEG or PNG files")->required();
  app.add_option("--top", flags->top, "classes shown of each picture (default 3)")->type_name("N");
  flags->engine.declare(app);
  app.add_option("--backend", flags->backend, "onednn or reference")->type_name("NAME");
  app.add_flag("--json", flags->json, "one JSON document");
  return [flags] { return run_predict(*flags); };
}

}  // namespace plimsoll
