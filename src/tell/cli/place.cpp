// plimsoll place: which device, how long, how much?
#include "tell/cli/place.h"

#include <fmt/format.h>

#include "base/text.h"
#include "plan/devices/all_devices.h"
#include "plan/verdict/load_line.h"
#include "plan/verdict/verdict.h"
#include "tell/cli/command.h"
#include "tell/cli/disk_flag.h"
#include "tell/cli/framework_flag.h"
#include "tell/cli/numbers.h"
#include "tell/cli/reading_limits.h"
#include "tell/report/accuracy_report.h"

namespace plimsoll {
namespace {

constexpr int64_t kDefaultSamples = 50'000;

Result<Job> job_of(const PlaceFlags& flags, const Network& network) {
  Job job;
  job.network = &network;
  PLIM_ASSIGN(job.format, flags.network.read_format());
  PLIM_ASSIGN(job.step, flags.step.read());
  if (!flags.framework.empty()) {
    PLIM_ASSIGN(job.framework, choose_framework(flags.framework, std::nullopt));
  }
  job.load_line = kLoadLine;
  if (!flags.load_line.empty()) {
    PLIM_ASSIGN(job.load_line, parse_number("--load-line", flags.load_line, 0, Edge::above, 1));
  }
  PLIM_ASSIGN(job.batch, flags.network.read_batch());
  job.samples = kDefaultSamples;
  if (!flags.samples.empty()) {
    PLIM_ASSIGN(job.samples, parse_integer("--samples", flags.samples, 1, int64_t{1} << 50));
  }
  if (!flags.epochs.empty()) {
    PLIM_ASSIGN(job.epochs, parse_integer("--epochs", flags.epochs, 1, kLargestBatch));
  }
  if (!flags.price.empty()) {
    PLIM_ASSIGN(const double price, parse_number("--price", flags.price, 0, Edge::included, 1e9));
    job.price = DollarsPerHour{price};
  }
  PLIM_ASSIGN(job.loading, flags.loading.read());
  return job;
}

Result<std::vector<Candidate>> candidates_of(const PlaceFlags& flags, PlaceView& view) {
  std::vector<std::string> names = flags.devices;
  if (names.empty())
    for (const auto& file : all_device_files()) names.emplace_back(file.name);
  std::vector<Candidate> candidates;
  for (const auto& name : names) {
    PLIM_ASSIGN(Candidate candidate, find_candidate(name));
    view.notes.insert(view.notes.end(), candidate.notes.begin(), candidate.notes.end());
    candidates.push_back(std::move(candidate));
  }
  return candidates;
}

// A device that cannot be asked is listed with its reason; when it is the only one, that is the answer.
Result<std::vector<JobPlacement>> placed(const Job& job, const std::vector<Candidate>& candidates, PlaceView& view) {
  Placing placing(job);
  std::vector<JobPlacement> placements;
  for (const auto& candidate : candidates) {
    auto placement = placing.on(candidate);
    if (placement.ok()) {
      placements.push_back(std::move(*placement));
      continue;
    }
    if (candidates.size() == 1) return std::move(placement).error();
    view.not_placed.push_back(candidate.whole.name + ": " + placement.error().line());
    if (view.not_placed.size() == candidates.size()) return std::move(placement).error();
  }
  return placements;
}

// Said once for all that stand on it: the table does not say it.
void note_assumed_cores(const std::vector<JobPlacement>& ranked, PlaceView& view) {
  int64_t threads = 0, assumed = 0;
  for (const auto& placement : ranked) {
    if (!placement.decode_cores) continue;
    if (placement.decode_cores->basis == CoresBasis::threads) ++threads;
    if (placement.decode_cores->basis == CoresBasis::assumed) ++assumed;
  }
  const auto devices = [](int64_t count) { return with_commas(count) + (count == 1 ? " device" : " devices"); };
  if (threads > 0)
    view.notes.push_back(
        fmt::format("Of {} the host's CPU is not known: its hardware threads were counted as cores "
                    "(--host-cores N).",
                    devices(threads)));
  if (assumed > 0)
    view.notes.push_back(fmt::format("Of {} the host is not known: {} cores were assumed (--host-cores N).",
                                     devices(assumed), kAssumedHostCores));
}

Result<int> run_place(const PlaceFlags& flags) {
  if (flags.accuracy) {
    const std::string text = flags.json ? json_text(accuracy_json("place")) : accuracy_text();
    std::fwrite(text.data(), 1, text.size(), stdout);
    return int(kExitDone);
  }
  if (flags.model.empty())
    return user_error("no MODEL is given", "for example place resnet50 --samples 50000 --epochs 90");
  PLIM_ASSIGN(const Network network, load_network(flags.model, flags.network));
  PLIM_ASSIGN(const PlaceOutcome outcome, place_outcome(flags, network));
  const auto& [job, ranked, choice, view] = outcome;
  const std::string text =
      flags.json ? json_text(place_json(job, ranked, choice, view)) : place_text(job, ranked, choice, view);
  std::fwrite(text.data(), 1, text.size(), stdout);
  return int(choice.choice.empty() ? kExitNo : kExitDone);
}

}  // namespace

Result<PlaceOutcome> place_outcome(const PlaceFlags& flags, const Network& network) {
  if (flags.by != "time" && flags.by != "money")
    return user_error(fmt::format("--by is {}, expected time or money", plimsoll::in_quotes(flags.by)));
  const RankBy by = flags.by == "time" ? RankBy::time : RankBy::money;
  PlaceOutcome outcome;
  PlaceView& view = outcome.view;
  view.model = flags.model;
  if (!flags.top.empty()) {
    PLIM_ASSIGN(const int64_t top, parse_integer("--top", flags.top, 1, 100'000));
    view.top = size_t(top);
  }
  PLIM_ASSIGN(const auto candidates, candidates_of(flags, view));
  PLIM_ASSIGN(outcome.job, job_of(flags, network));
  if (flags.samples.empty())
    view.notes.push_back(fmt::format("{} samples were assumed (--samples N).", with_commas(outcome.job.samples)));
  PLIM_ASSIGN(outcome.ranked, placed(outcome.job, candidates, view));
  PLIM_ASSIGN(view.uncounted, network.uncounted());
  rank(outcome.ranked, by);
  note_assumed_cores(outcome.ranked, view);
  if (std::any_of(outcome.ranked.begin(), outcome.ranked.end(),
                  [](const JobPlacement& placement) { return placement.price && !placement.price->rented; }))
    view.notes.push_back(
        fmt::format("Of devices that are bought the cost is their price over {} years of use.", kYearsOfUse));
  outcome.verdict = verdict(outcome.job, outcome.ranked);
  return outcome;
}

Action declare_place(CLI::App& app) {
  const auto flags = std::make_shared<PlaceFlags>();
  flags->declare(app);
  return with_reading_limits(app, "MODEL", [flags] { return run_place(*flags); });
}

void PlaceFlags::declare(CLI::App& app) {
  app.description(
      "Which device to take for a job: all devices of the catalog ranked by time or by money, and a verdict, CPU or "
      "GPU,\n"
      "with its reasons. For training, and with --mode inference for latency, throughput and money per million "
      "samples.");
  app.footer(
      "Examples:\n"
      "  plimsoll place resnet50 --samples 1281167 --epochs 90 --by money\n"
      "  plimsoll place alexnet --mode inference --device nvidia-t4 --device intel-i5-8250u\n"
      "  plimsoll place catsdogs --framework tensorflow --optimizer adam --device nvidia-t4 --batch 128 --samples "
      "20000 "
      "--host-cores 2 --decode-rate 27\n"
      "  plimsoll place --accuracy\n"
      "Exit codes: 0 placed, 1 nothing carries it, 2 a mistake in the flags or the file, 4 the machine failed.");
  app.add_option("MODEL", model, "a network of the zoo ('plimsoll models') or the path of an .onnx file");
  network.declare(app, "samples a step on each device (default: the largest under its line, at most 256)");
  step.declare(app);
  app.add_option("--samples", samples, "samples of an epoch, or of the job in inference (default 50,000)")
      ->type_name("N");
  app.add_option("--epochs", epochs, "times that all samples are seen (default 1)")->type_name("N");
  app.add_option("--device", devices, "only this device; may be given several times; 'this' and files too")
      ->type_name("NAME");
  app.add_option("--framework", framework, "plimsoll, pytorch or tensorflow; pytorch on GPUs, else plimsoll")
      ->type_name("NAME");
  app.add_option("--load-line", load_line, "how far the memory may be filled (default 0.8)")->type_name("SHARE");
  app.add_option("--price", price, "USD per hour, instead of the catalog's")->type_name("USD");
  app.add_option("--by", by, "rank by time or by money")->capture_default_str();
  app.add_option("--top", top, "rows of the table (default 20)")->type_name("N");
  loading.declare(app);
  app.add_flag("--accuracy", accuracy, "how far off predictions of step time have been, against measurements");
  app.add_flag("--json", json, "one JSON document");
  app.add_flag("--quiet", quiet, "no messages besides the answer");
}

}  // namespace plimsoll
