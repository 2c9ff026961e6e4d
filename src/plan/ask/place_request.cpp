#include "plan/ask/place_request.h"

#include <algorithm>
#include <cmath>

#include "base/rows/named.h"
#include "base/size_text.h"
#include "plan/ask/batch_row.h"
#include "plan/ask/frozen_network.h"
#include "plan/ask/loading_assumed.h"
#include "plan/devices/all_devices.h"

namespace plimsoll {
namespace {

Result<Job> job_of(const PlaceRequest& request, const Network& network) {
  Job job;
  job.network = &network;
  job.format = request.model.format();
  PLIM_ASSIGN(job.step, request.step.options());
  job.framework = request.framework;
  job.load_line = request.load_line;
  job.batch = request.batch;
  job.samples = request.work.samples.value_or(kDefaultSamples);
  job.epochs = request.work.epochs.value_or(1);
  if (request.work.tokens && !request.work.samples) {
    PLIM_ASSIGN(const int64_t sequence, sequence_of(request.model));
    job.samples = std::max<int64_t>(1, int64_t(std::ceil(*request.work.tokens / double(sequence))));
  }
  if (request.work.price) job.price = DollarsPerHour{*request.work.price};
  job.loading = request.loading.setup();
  job.layout = request.run.layout;
  job.compiled = request.run.compile;
  job.attention = request.run.attention.value_or(AttentionKernel::as_it_is);
  job.torch = request.run.torch;
  if (request.host_cpu) {
    PLIM_ASSIGN(job.host, load_device(*request.host_cpu));
  }
  return job;
}

bool is_of_kind(const Candidate& candidate, const std::string& kind) {
  const bool rented = candidate.whole.kind == DeviceKind::instance;
  if (kind == "cloud" || kind == "owned") return rented == (kind == "cloud");
  return candidate.is_gpu() == (kind == "gpu");
}

bool is_wanted(const Candidate& candidate, const std::vector<std::string>& kinds) {
  return std::all_of(kinds.begin(), kinds.end(), [&](const auto& kind) { return is_of_kind(candidate, kind); });
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
        fmt::format("Of {} the host's CPU is not known: its hardware threads were counted as cores ({} N).",
                    devices(threads), named("host_cores")));
  if (assumed > 0)
    view.notes.push_back(fmt::format("Of {} the host is not known: {} cores were assumed ({} N).", devices(assumed),
                                     kAssumedHostCores, named("host_cores")));
}

// Of the device that was chosen; JSON has it of all.
void note_accuracy(const std::vector<JobPlacement>& ranked, const Verdict& verdict, PlaceView& view) {
  for (const auto& placement : ranked) {
    if (!placement.accuracy || placement.device.whole.name != verdict.choice) continue;
    const StepAccuracy& accuracy = *placement.accuracy;
    const auto times = [&](double factor) { return human_time({placement.step.value * factor}); };
    view.notes.push_back(fmt::format(
        "A step on {} may take {} to {}: eight of ten measured ones were that close to their prediction, half "
        "within {} ({}; {} rows of cards and networks that took no part in the fit).",
        verdict.choice, times(accuracy.low), times(accuracy.high), percent(accuracy.median_error), accuracy.measured(),
        with_commas(accuracy.rows)));
  }
}

bool is_bought(const JobPlacement& placement) { return placement.price && !placement.price->rented; }

}  // namespace

std::vector<std::string> named_devices(const PlaceRequest& request) {
  std::vector<std::string> names;
  for (const auto& given : request.devices) {
    const bool is_path = given.find('/') != std::string::npos || given.ends_with(".json");
    size_t begin = 0;
    for (size_t comma = is_path ? std::string::npos : given.find(','); comma != std::string::npos;
         comma = given.find(',', begin)) {
      names.push_back(given.substr(begin, comma - begin));
      begin = comma + 1;
    }
    names.push_back(given.substr(begin));
  }
  return names;
}

Result<std::vector<Candidate>> candidates_of(const PlaceRequest& request, std::vector<std::string>& notes) {
  std::vector<std::string> names = named_devices(request);
  if (names.empty())
    for (const auto& file : all_device_files()) names.emplace_back(file.name);
  std::vector<Candidate> candidates;
  for (const auto& name : names) {
    PLIM_ASSIGN(Candidate candidate, find_candidate(name));
    if (!is_wanted(candidate, request.kinds)) continue;
    notes.insert(notes.end(), candidate.notes.begin(), candidate.notes.end());
    candidates.push_back(std::move(candidate));
  }
  if (candidates.empty())
    return user_error(fmt::format("none of {} {} is {}", with_commas(int64_t(names.size())),
                                  names.size() == 1 ? "device" : "devices", fmt::join(request.kinds, " and ")),
                      fmt::format("'plimsoll devices' lists them; leave {} out to rank all", named("kind")));
  return candidates;
}

void JobRequest::describe(Fields& fields, const std::string& samples_help, const std::string& epochs_help,
                          const std::string& price_help) {
  fields.add(samples, {.name = "samples",
                       .subject = Subject::job,
                       .help = samples_help,
                       .value = "N",
                       .fallback = with_commas(kDefaultSamples),
                       .least = 1,
                       .most = kMostSetSamples,
                       .page = true});
  fields.add(epochs, {.name = "epochs",
                      .subject = Subject::job,
                      .help = epochs_help,
                      .value = "N",
                      .fallback = "1",
                      .least = 1,
                      .most = double(kLargestBatch),
                      .page = true});
  fields.add(tokens, {.name = "tokens",
                      .subject = Subject::job,
                      .help = "tokens that a language model is trained on, e.g. 1e9",
                      .value = "N",
                      .fallback = "samples × epochs × sequence",
                      .unit = "tokens",
                      .least = 1,
                      .most = 1e18,
                      .page = true});
  fields.add(price, {.name = "price",
                     .subject = Subject::job,
                     .help = price_help,
                     .value = "USD",
                     .fallback = "the catalog's",
                     .unit = "USD per hour",
                     .least = 0,
                     .most = 1e9,
                     .page = true});
}

void PlaceRequest::describe(Fields& fields) {
  model.describe(fields);
  fields.add(batch, batch_row("samples per step on each device", "the largest under the device's line, at most 256"));
  step.describe(fields);
  training.describe(fields, true);
  serving.describe(fields);
  work.describe(fields, "samples per epoch; for inference, samples in all", "number of passes over the samples",
                "price in USD per hour");
  fields.add(
      by, {.name = "by", .subject = Subject::job, .help = "rank by time or by money", .value = "WHAT", .page = true});
  fields.add(
      devices,
      {.name = "device",
       .subject = Subject::machine,
       .help = "consider only these devices: names with commas between, 'this' or the path of a device file; may be "
               "repeated",
       .value = "NAME",
       .fallback = "the whole catalog",
       .separator = 0,
       .page = true});
  fields.add(kinds, {.name = "kind",
                     .subject = Subject::machine,
                     .help = "only devices that are gpu or cpu, cloud (rented instances) or owned; gpu,cloud: both",
                     .value = "KIND",
                     .choices = {"gpu", "cpu", "cloud", "owned"},
                     .page = true});
  fields.add(framework, framework_row());
  run.describe(fields);
  fields.add(host_cpu, {.name = "host_cpu",
                        .subject = Subject::machine,
                        .help = "CPU of the catalog that drives the GPU; it sets the pace at small batches",
                        .value = "NAME",
                        .fallback = "a CPU of the GPU's time"});
  fields.add(load_line, load_line_row());
  fields.add(electricity, {.name = "electricity",
                           .subject = Subject::job,
                           .help = "what a kilowatt-hour costs, for devices that are bought",
                           .value = "USD",
                           .unit = "USD per kWh",
                           .least = 0,
                           .most = 1000,
                           .page = true});
  loading.describe(fields);
  fields.add(
      top,
      {.name = "top", .subject = Subject::view, .help = "rows to show", .value = "N", .least = 1, .most = 100'000});
  fields.add(accuracy, {.name = "accuracy",
                        .subject = Subject::view,
                        .help = "show how far predicted step times have been from measured ones"});
}

Status check(const PlaceRequest& request) {
  if (request.model.source.empty())
    return user_error("no MODEL is given",
                      fmt::format("for example place resnet50 {} 50000 {} 90", named("samples"), named("epochs")));
  return check_framework(request.framework, request.step.mode);
}

Result<PlaceOutcome> ask_place(const PlaceRequest& request, const Network& network) {
  PlaceOutcome outcome;
  PlaceView& view = outcome.view;
  view.model = request.model.source.name;
  view.top = size_t(request.top);
  PLIM_ASSIGN(const auto candidates, candidates_of(request, view.notes));
  PLIM_ASSIGN(outcome.job, job_of(request, network));
  if (!request.work.samples && !request.work.tokens)
    view.notes.push_back(
        fmt::format("{} samples were assumed ({} N).", with_commas(outcome.job.samples), named("samples")));
  PLIM_ASSIGN(outcome.ranked, placed(outcome.job, candidates, view));
  PLIM_ASSIGN(view.uncounted, network.uncounted());
  view.electricity = {request.electricity};
  rank(outcome.ranked, request.by);
  note_assumed_cores(outcome.ranked, view);
  if (const std::string assumed = assumed_decoding(request.loading); !assumed.empty()) view.notes.push_back(assumed);
  if (std::string text = frozen_text(request.training, request.step.mode); !text.empty())
    view.notes.push_back(std::move(text));
  if (std::any_of(outcome.ranked.begin(), outcome.ranked.end(), is_bought))
    view.notes.push_back(fmt::format(
        "Of devices that are bought the cost is their price over {} years of use; with power it is also "
        "the electricity that they draw at their limit, at {} USD per kWh ({} USD). The host is in neither.",
        kYearsOfUse, request.electricity, named("electricity")));
  outcome.verdict = verdict(outcome.job, outcome.ranked);
  // Of what stands on unknown operations no accuracy is claimed.
  if (view.uncounted.lower_bound())
    for (auto& placement : outcome.ranked) placement.accuracy = nullptr;
  note_accuracy(outcome.ranked, outcome.verdict, view);
  return outcome;
}

}  // namespace plimsoll
