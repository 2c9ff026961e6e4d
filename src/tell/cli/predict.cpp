// plimsoll predict: which classes a trained network sees in pictures or texts.
#include "run/ask/predict_reply.h"
#include "tell/cli/typed_verb.h"
#include "tell/report/predict_report.h"

namespace plimsoll {
namespace {

Result<int> run_predict(TypedVerb<PredictRequest>& verb) {
  PLIM_ASSIGN(const PredictOutcome outcome, ask_predict(verb.request));
  if (verb.output.json) print_document(document_json(kPredictSchema, outcome));
  else print_text(predict_text(outcome));
  return int(kExitDone);
}

}  // namespace

Action declare_predict(CLI::App& app) {
  return typed_verb<PredictRequest>(
      app,
      {.description =
           "Predicts the most likely classes of pictures or texts with a trained network, or lets a language model "
           "continue\na text.",
       .footer = "Examples:\n"
                 "  plimsoll predict runs/catsdogs-1 cat.jpg dog.png\n"
                 "  plimsoll predict runs/catsdogs-1/best.json cat.jpg --top 1 --json\n"
                 "  plimsoll predict net.onnx cat.webp\n"
                 "  plimsoll predict runs/reviews \"a fine film, really\"\n"
                 "  plimsoll predict runs/gpt2-small-1 --prompt \"In the beginning\" --tokens 200 --seed 1\n"
                 "A run's folder stands for its best checkpoint, or its last if there is no best.\n"
                 "Pictures are resized to the network's input.\n"
                 "Exit codes: 0 done, 2 a mistake in flags, pictures or the checkpoint, 4 the machine failed.",
       .output = {.quiet = false}},
      run_predict);
}

}  // namespace plimsoll
