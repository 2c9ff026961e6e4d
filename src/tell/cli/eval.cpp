// plimsoll eval: how good a checkpoint is on data.
#include "run/ask/eval_reply.h"
#include "tell/cli/typed_verb.h"
#include "tell/report/eval_report.h"

namespace plimsoll {
namespace {

Result<int> run_eval(TypedVerb<EvalRequest>& verb) {
  PLIM_ASSIGN(const EvalOutcome outcome, ask_eval(verb.request, progress_lines(verb.output)));
  if (verb.output.json) print_document(document_json(kEvalSchema, outcome));
  else print_text(eval_text(outcome));
  return int(kExitDone);
}

}  // namespace

Action declare_eval(CLI::App& app) {
  return typed_verb<EvalRequest>(
      app,
      {.description = "Evaluates a trained network: its loss and accuracy, the accuracy of each class, and which "
                      "classes it confuses;\nfor a language model, its loss and perplexity.",
       .footer = "Examples:\n"
                 "  plimsoll eval runs/fmnist_cnn-1\n"
                 "  plimsoll eval runs/catsdogs-1/last.json --data ./pictures --json\n"
                 "  plimsoll eval runs/gpt2-small-1 --data other.txt\n"
                 "A run's folder stands for its best checkpoint, or its last if there is no best.\n"
                 "Exit codes: 0 done, 2 a mistake in flags, files or the checkpoint, 4 the machine failed.",
       .output = {.json = "one JSON document, with the confusion matrix: a row for each label, a column for each class "
                          "chosen"}},
      run_eval);
}

}  // namespace plimsoll
