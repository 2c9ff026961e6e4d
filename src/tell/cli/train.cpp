// plimsoll train: trains a network on data, on exactly the plan that it shows first.
#include <mutex>

#include "base/rows/named.h"
#include "run/ask/train_reply.h"
#include "run/train/start_workers.h"
#include "tell/cli/print_aside.h"
#include "tell/cli/progress.h"
#include "tell/cli/sent_drawings.h"
#include "tell/cli/tell_error.h"
#include "tell/cli/typed_verb.h"
#include "tell/report/run_report.h"
#include "tell/report/train_report.h"

namespace plimsoll {
namespace {

void print_line(const std::string& line) { print_aside("{}\n", spoken(line, Door::command_line)); }

int exit_code(const TrainingOutcome& outcome) {
  if (!outcome.saved) return kExitEnvironment;
  switch (outcome.end) {
    case TrainingEnd::interrupted: return kExitInterrupted;
    case TrainingEnd::terminated: return kExitTerminated;
    case TrainingEnd::not_finite: return kExitNo;
    default: return kExitDone;
  }
}

void tell_refusal(const TrainingEnding& ending, bool json) {
  print_line("plimsoll: " + refusal_text(ending.outlook, *ending.refusal));
  if (json) print_document(document_json(kTrainSchema, RefusalReply{&ending.outlook, &*ending.refusal}));
}

void tell_result(const TrainingEnding& ending, bool json) {
  const TrainingResult& result = *ending.result;
  if (result.outcome.end == TrainingEnd::not_finite) print_line("plimsoll: " + result.outcome.why);
  if (json) print_document(document_json(kTrainSchema, TrainReply{&ending.outlook, &result}));
  else print_text(result_text(ending.outlook, result));
}

// Says what came of it where it is rank 0; all have the same exit code.
int tell_ending(const Result<TrainingEnding>& ending, bool first, bool json) {
  if (!ending.ok()) {
    if (first) tell_error(ending.error(), json);
    return exit_code_of(ending.error());
  }
  if (first && ending->refusal) tell_refusal(*ending, json);
  if (first && ending->result) tell_result(*ending, json);
  std::fflush(stdout);
  return ending->refusal ? int(kExitNo) : exit_code(ending->result->outcome);
}

// The exit code of workers that this process has started; nullopt: it trains by itself.
Result<std::optional<int>> run_workers(const TrainRequest& request) {
  SentDrawings drawings;
  std::mutex drawing;
  WorkersShown shown;
  shown.terminal = TerminalLine::is_there();
  shown.say = [&](const std::string& sentence) {
    const std::lock_guard lock(drawing);
    drawings.print(fmt::format("plimsoll: {}\n", printable(spoken(sentence, Door::command_line))));
  };
  shown.pass = [&](const std::string& text) {
    const std::lock_guard lock(drawing);
    drawings.show(text);
  };
  auto code = start_workers(request, shown);
  drawings.clear();
  return code;
}

Result<int> run_train(TypedVerb<TrainRequest>& verb) {
  PLIM_ASSIGN(const auto code, run_workers(verb.request));
  if (code) return *code;
  const bool quiet = verb.output.quiet, json = verb.output.json;
  TrainingEvents events;
  events.say = print_line;
  events.data_line = [quiet](const std::string& line) {
    if (!quiet) print_line(line);
  };
  events.planned = [quiet](const TrainingOutlook& outlook) {
    if (!quiet) print_aside("{}", spoken(outlook_text(outlook), Door::command_line));
  };
  events.watcher = [quiet](Bytes line, bool texts) {
    return std::make_unique<Progress>(quiet, line, texts ? "sequences/s" : "images/s");
  };
  events.report = write_run_report;
  events.ended = [json](const Result<TrainingEnding>& ending, bool first) { return tell_ending(ending, first, json); };
  return run_training(verb.request, verb.given(), events);
}

}  // namespace

Action declare_train(CLI::App& app) {
  return typed_verb<TrainRequest>(
      app,
      {.description =
           "Trains a network on data, in exactly the memory that it plans first, and keeps the run in a folder: "
           "settings,\nlog, TensorBoard events, checkpoints (best and last) and a report. Ctrl-C finishes the step and "
           "saves; --resume\ncontinues where it stopped, with the same result bit for bit.",
       .footer =
           "Examples:\n"
           "  plimsoll train fmnist_cnn --data fashion-mnist --epochs 3 --batch 128 --optimizer adam\n"
           "  plimsoll train resnet18 --input 3x32x32 --classes 10 --data cifar10 --epochs 30 --batch 128 --lr 0.1 \\\n"
           "      --schedule cosine --warmup 1epoch --weight-decay 5e-4 --augment flip,shift:4 --save-best\n"
           "  plimsoll train --resume --run-dir runs/resnet18-1\n"
           "  plimsoll train lenet5 --data mnist --batch 64 --micro-batches 16  (1,024 samples a step; its noise "
           "scale)\n"
           "  plimsoll train resnet18 --input 3x32x32 --classes 10 --data cifar10 --batch 32 -np 4 --max-restarts 3\n"
           "  plimsoll train gpt2-small --sequence 256 --data ./texts --tokenizer bpe:8192 --batch 4\n"
           "Exit codes: 0 trained, 1 the batch does not fit or the loss is not a number, 2 a mistake in flags or "
           "files,\n4 the machine failed, 75 told to stop (SIGTERM), saved, 130 interrupted (Ctrl-C), saved.",
       .output = {.json = "one JSON document at the end; progress goes to stderr",
                  .quiet_help = "do not report progress"}},
      run_train);
}

}  // namespace plimsoll
