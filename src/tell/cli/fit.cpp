// plimsoll fit: which batch stays under the load line?
#include "tell/cli/fit.h"

#include <fmt/format.h>

#include "base/text.h"
#include "model/optim/all_optimizers.h"
#include "plan/verdict/candidate.h"
#include "plan/verdict/fit.h"
#include "plan/verdict/load_line.h"
#include "plan/verdict/sample_time.h"
#include "run/exec/backend.h"
#include "run/exec/conv_methods.h"
#include "tell/cli/command.h"
#include "tell/cli/direct_instead.h"
#include "tell/cli/disk_flag.h"
#include "tell/cli/framework_flag.h"
#include "tell/cli/numbers.h"
#include "tell/cli/reading_limits.h"
#include "tell/report/residence_report.h"

namespace plimsoll {
namespace {

struct Memory {
  std::optional<Candidate> device;
  Bytes bytes;
};

Result<Memory> memory_of(const FitFlags& flags) {
  if (!flags.device.empty() && !flags.memory.empty() && flags.arithmetic.given())
    return user_error("--memory and --device are both given, expected one of them");
  if (flags.device.empty() && flags.memory.empty())
    return user_error("neither --device nor --memory is given, expected one of them",
                      "for example --device nvidia-t4, --device this or --memory 8GiB");
  Memory memory;
  if (!flags.device.empty()) {
    PLIM_ASSIGN(memory.device, find_candidate(flags.device));
    if (memory.device->part.memory) memory.bytes = *memory.device->part.memory;
  }
  if (!flags.memory.empty()) {
    PLIM_ASSIGN(memory.bytes, parse_bytes("--memory", flags.memory));
  }
  if (memory.bytes == Bytes(0))
    return user_error("its memory is not known", "say how much there is: --memory 16GiB").in(flags.device);
  return memory;
}

Result<double> load_line_of(const FitFlags& flags) {
  if (flags.load_line.empty()) return kLoadLine;
  return parse_number("--load-line", flags.load_line, 0, Edge::above, 1);
}

bool fits(const FitAnswer& answer) { return answer.asked ? answer.fits : answer.largest > 0; }

// Asks with the engine's lowering in the question.
template <class Ask>
auto with_engine(const EngineOptions& engine, FitQuestion& question, Ask ask) {
  const auto lowering = all_backends().front()->lowering(engine);
  question.lowering = lowering.get();
  question.conv_methods = methods_of(engine.conv);
  auto answer = ask(question);
  question.lowering = nullptr;
  return answer;
}

Result<FitAnswer> fit_with(const EngineOptions& engine, FitQuestion& question) {
  return with_engine(engine, question, fit);
}

// Our engine on this machine: what it would really take, kernel by kernel.
Result<FitAnswer> fit_here(EngineOptions engine, FitQuestion& question) {
  PLIM_ASSIGN(FitAnswer fastest, fit_with(engine, question));
  if (fits(fastest) || engine.conv != ConvWay::automatic) return fastest;
  engine.conv = ConvWay::direct;
  FitQuestion directly = question;
  PLIM_ASSIGN(const bool carries, with_engine(engine, directly, is_under_line));
  if (!carries) return fastest;
  const auto fast = sample_time(question, fastest.load.batch);
  PLIM_ASSIGN(FitAnswer direct, fit_with(engine, question));
  if (!fits(direct)) return fastest;
  const auto slowdown = slowdown_of(sample_time(question, fastest.load.batch), fast);
  FitQuestion same = question;  // the largest batch of direct ones may be another
  same.batch = fastest.load.batch;
  PLIM_ASSIGN(const FitAnswer there, fit_with(engine, same));
  direct.notes.push_back(direct_instead_text(fastest.load.peak.expected, there.load.peak.expected, slowdown));
  return direct;
}

Result<FitAnswer> answer_of(const FitFlags& flags, FitQuestion& question) {
  if (flags.device != "this" || question.framework != Framework::plimsoll) return fit(question);
  PLIM_ASSIGN(const EngineOptions engine, flags.engine.read());
  return fit_here(engine, question);
}

Result<FitQuestion> question_of(const FitFlags& flags, const Memory& memory, const Network& network) {
  FitQuestion question;
  question.network = &network;
  PLIM_ASSIGN(question.format, flags.network.read_format());
  PLIM_ASSIGN(question.step, flags.step.read());
  if (memory.device) question.device = memory.device->part;
  PLIM_ASSIGN(question.framework, choose_framework(flags.framework, question.device));
  question.memory = memory.bytes;
  PLIM_ASSIGN(question.load_line, load_line_of(flags));
  PLIM_ASSIGN(question.batch, flags.network.read_batch());
  question.alternatives = !flags.brief;
  return question;
}

void print(const std::string& text) { std::fwrite(text.data(), 1, text.size(), stdout); }

Result<int> run_arithmetic(const FitFlags& flags) {
  if (!flags.model.empty()) return user_error("MODEL and --model-mb are both given, expected one of them");
  ArithmeticFitRequest request{flags.memory,    std::nullopt, flags.network.batch,
                               flags.load_line, flags.disk,   flags.json};
  if (!flags.device.empty()) {
    PLIM_ASSIGN(Candidate chosen, find_candidate(flags.device));
    request.device = std::move(chosen.part);
  }
  return run_arithmetic_fit(flags.arithmetic, request);
}

// Where everything is, for the batch that was shown (R10).
Result<Residence> residence_of(const FitFlags& flags, const FitQuestion& question, const FitAnswer& answer,
                               const Disk& disk) {
  if (!question.device) return user_error("--residence needs a --device, whose links and caches it reads");
  ResidenceSetup setup;
  const MemoryBreakdown& parts = answer.load.breakdown;
  setup.bytes.parameters = parts[MemoryPart::parameters];
  setup.bytes.gradients = answer.load.gradients;
  setup.bytes.optimizer = parts[MemoryPart::optimizer];
  setup.bytes.activations = parts[MemoryPart::activations];
  setup.bytes.input = parts[MemoryPart::input];
  setup.bytes.results = Bytes(4);
  setup.batch = answer.load.batch;
  Bytes file = Bytes(parts[MemoryPart::input].value() / std::max<int64_t>(answer.load.batch, 1));
  if (!flags.sample_bytes.empty()) {
    PLIM_ASSIGN(file, parse_bytes("--sample-bytes", flags.sample_bytes));
  }
  setup.bytes.files = file * answer.load.batch;
  setup.device = *question.device;
  setup.disk = disk;
  return residence(setup);
}

Result<int> run_fit(const FitFlags& flags) {
  if (flags.arithmetic.given()) return run_arithmetic(flags);
  if (flags.model.empty())
    return user_error("no MODEL is given", "for example fit resnet50 --device nvidia-t4, or the arithmetic form");
  PLIM_TRY(memory_of(flags));  // before a large file is read
  PLIM_ASSIGN(const Network network, load_network(flags.model, flags.network));
  PLIM_ASSIGN(const FitOutcome outcome, fit_outcome(flags, network));
  if (flags.json) print(json_text(outcome.json()));
  else
    print(fit_text(outcome.question, outcome.answer, outcome.view) +
          (outcome.where ? "\n" + residence_text(*outcome.where) : ""));
  return int(outcome.fits() ? kExitDone : kExitNo);
}

}  // namespace

Result<FitOutcome> fit_outcome(const FitFlags& flags, const Network& network) {
  PLIM_ASSIGN(const Memory memory, memory_of(flags));
  PLIM_ASSIGN(const Disk disk, parse_disk("--disk", flags.disk.empty() ? kDefaultDisk : flags.disk));
  FitOutcome outcome;
  PLIM_ASSIGN(outcome.question, question_of(flags, memory, network));
  PLIM_ASSIGN(outcome.answer, answer_of(flags, outcome.question));
  const FitQuestion& question = outcome.question;
  if (memory.device)
    outcome.answer.notes.insert(outcome.answer.notes.end(), memory.device->notes.begin(), memory.device->notes.end());
  outcome.view = FitView{flags.model, flags.device, {}};
  std::optional<DeviceKind> kind;
  if (question.device) kind = question.device->kind;
  outcome.view.past = past_line(outcome.answer.load.peak.expected, question.memory, question.load_line, kind, disk);
  if (flags.residence) {
    PLIM_ASSIGN(outcome.where, residence_of(flags, question, outcome.answer, disk));
  }
  return outcome;
}

Json FitOutcome::json() const {
  Json json = fit_json(question, answer, view);
  if (where) json["residence"] = residence_json(*where);
  return json;
}

Action declare_fit(CLI::App& app) {
  const auto flags = std::make_shared<FitFlags>();
  flags->declare(app);
  return with_reading_limits(app, "MODEL", [flags] { return run_fit(*flags); });
}

void FitFlags::declare(CLI::App& app) {
  app.description(
      "The largest batch that stays under the load line of a device, a size of memory or this machine; with --batch\n"
      "whether that one does. What takes the memory, what breaks the line, and what would carry more.");
  app.footer(
      "Examples:\n"
      "  plimsoll fit resnet50 --device nvidia-t4\n"
      "  plimsoll fit resnet50 --memory 8GiB --framework pytorch --batch 64\n"
      "  plimsoll fit model.onnx --device this --optimizer adam\n"
      "  plimsoll fit --model-mb 100 --sample-mb 100 --activation-mb 500 --memory 8GB\n"
      "Exit codes: 0 it fits, 1 it does not, 2 a mistake in the flags or the file, 4 the machine failed.");
  app.add_option("MODEL", model, "a network of the zoo ('plimsoll models') or the path of an .onnx file");
  network.declare(app, "is this batch under the line? (default: the largest that is)");
  step.declare(app);
  app.add_option("--device", device, "a device of the catalog, 'this', or the path of a device file")
      ->type_name("NAME");
  app.add_option("--memory", memory, "how much memory there is, e.g. 8GiB (2^30) or 8GB (10^9)")->type_name("SIZE");
  app.add_option("--framework", framework, "plimsoll, pytorch or tensorflow; pytorch on a GPU, else plimsoll")
      ->type_name("NAME");
  app.add_option("--load-line", load_line, "how far the memory may be filled (default 0.8)")->type_name("SHARE");
  app.add_option("--disk", disk, disk_help())->type_name("DISK");
  engine.declare(app);
  arithmetic.declare(app);
  app.add_flag("--residence", residence, "also what is where (disk, RAM, caches, device) and what moves cost");
  app.add_option("--sample-bytes", sample_bytes, "with --residence: one sample's file, e.g. 110KB")->type_name("SIZE");
  app.add_flag("--brief", brief, "not what would carry more, which takes longer to find than all else");
  app.add_flag("--json", json, "one JSON document");
  app.add_flag("--quiet", quiet, "no messages besides the answer");
}

}  // namespace plimsoll
