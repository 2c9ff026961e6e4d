#include "run/data/data_request.h"

#include <algorithm>

#include "base/rows/named.h"
#include "plan/devices/this_device.h"
#include "run/data/reshaped.h"

namespace plimsoll {
namespace {

constexpr int64_t kDrawn = 10;  // pictures of a class in the report

ObtainProgress obtain_lines(const DataLines& say) {
  return [say](const std::string& what) { say(printable(what, 300) + " …"); };
}

Status check_get(const DatasetRequest& request) {
  if (request.dataset.size() == 2) return {};
  std::vector<std::string> names;
  for (const auto& set : obtainable_sets()) names.emplace_back(set.name);
  return user_error(fmt::format("data get needs one name, expected one of {}", fmt::join(names, ", ")));
}

Status check_summary(const DatasetRequest& request) {
  const std::string report = request.report.value_or("");
  if (!report.empty() && !report.ends_with(".html") && !report.ends_with(".svg"))
    return user_error(
        fmt::format("{} is {}, expected a name that ends in .html or .svg", named("report"), in_quotes(report)));
  if (request.loaders.size() > 1)
    return user_error(fmt::format("{} has {} numbers, expected one", named("loaders"), request.loaders.size()),
                      fmt::format("several are for {}", named("benchmark")));
  return {};
}

// The parts of the set, as pictures of the asked shape where one is given.
Result<DataParts> open_parts(const DatasetRequest& request, const DataLines& say) {
  DataRequest wanted{.name = request.dataset.front(), .progress = obtain_lines(say)};
  if (request.input) wanted.input = TensorType{request.input->rank() == 1 ? DType::i64 : DType::f32, *request.input};
  std::optional<TensorType> input = wanted.input;
  PLIM_ASSIGN(DataParts parts, open_dataset(wanted));
  for (DatasetPtr* part : {&parts.train, &parts.validation, &parts.test})
    if (input && *part) {
      if ((*part)->info().type.input.dtype == DType::f32) input->dtype = DType::f32;
      PLIM_ASSIGN(*part, reshaped(*part, *input));
    }
  return parts;
}

std::vector<int> worker_counts(const DatasetRequest& request, int64_t cores) {
  std::vector<int> counts(request.loaders.begin(), request.loaders.end());
  if (counts.empty())
    for (int64_t count = 1; count <= std::min<int64_t>(4 * cores, kMostLoaderWorkers); count *= 2)
      counts.push_back(int(count));
  std::sort(counts.begin(), counts.end());
  counts.erase(std::unique(counts.begin(), counts.end()), counts.end());
  return counts;
}

int inspecting_workers(const DatasetRequest& request) {
  TrainingData usual;
  if (!request.loaders.empty()) usual.loaders = request.loaders.front();
  return usual.loader_workers();
}

void describe_benchmark(Fields& fields, DatasetRequest& request) {
  fields.add(request.benchmark,
             {.name = "benchmark",
              .subject = Subject::loading,
              .help = "measure samples/s with several numbers of loader workers, and say how many are enough"});
  fields.add(request.loaders,
             {.name = "loaders",
              .subject = Subject::loading,
              .help = "loader workers; with " + named("benchmark") + " one number or several: 1,2,4",
              .value = "N",
              .fallback = "one per core, at most 8; with " + named("benchmark") + " 1, 2, 4 … up to four per core",
              .least = 0,
              .most = double(kMostLoaderWorkers)});
  fields.add(request.batch, {.name = "batch",
                             .subject = Subject::loading,
                             .help = "with " + named("benchmark") + ": samples per batch",
                             .value = "N",
                             .least = 1,
                             .most = double(kLargestSet)});
  fields.add(request.augment, {.name = "augment",
                               .subject = Subject::loading,
                               .help = "with " + named("benchmark") + ": as in train, e.g. flip,shift:4",
                               .value = "LIST"});
}

}  // namespace

void DatasetRequest::describe(Fields& fields) {
  fields.add(dataset, {.name = "dataset",
                       .subject = Subject::data,
                       .help = "a name, a path, or get and a name",
                       .separator = 0,
                       .positional = true,
                       .required = true});
  fields.add(to, {.name = "to",
                  .subject = Subject::data,
                  .help = "with get: folder to keep the set in",
                  .value = "DIR",
                  .fallback = "where other verbs look for it"});
  fields.add(input, {.name = "input",
                     .subject = Subject::data,
                     .help = "resize samples to this shape: 3x64x64 for pictures, 64 for tokens",
                     .value = "SHAPE",
                     .fallback = "as they are"});
  describe_benchmark(fields, *this);
  fields.add(report, {.name = "report",
                      .subject = Subject::output,
                      .help = "draw counts and samples into this .html or .svg file",
                      .value = "FILE"});
}

Bytes files_size(const DatasetInfo& info) {
  Bytes all;
  if (info.files)
    for (const auto& file : *info.files) all += file.size;
  return all;
}

Status check(const DatasetRequest& request) {
  if (request.dataset.empty()) return user_error("no DATASET is given", "for example data fashion-mnist");
  if (request.gets()) return check_get(request);
  if (request.dataset.size() > 1)
    return user_error(fmt::format("data has {} names, expected one", request.dataset.size()));
  return request.benchmark ? Status() : check_summary(request);
}

Result<GetOutcome> ask_get(const DatasetRequest& request, const DataLines& say) {
  PLIM_TRY(check(request));
  const std::string& name = request.dataset.back();
  const std::string home = request.to.value_or("");
  PLIM_ASSIGN(Obtained set, obtain(name, home.empty() ? data_home() : home, true, obtain_lines(say)));
  return GetOutcome{name, std::move(set)};
}

// What training would read: augmented and normalised.
Result<LoadOutcome> ask_load(const DatasetRequest& request, const DataLines& say) {
  PLIM_TRY(check(request));
  PLIM_ASSIGN(const DataParts parts, open_parts(request, say));
  LoaderBenchmarkOptions options{.batch = request.batch, .cores = read_this_machine().cores().value()};
  options.workers = worker_counts(request, options.cores);
  if (const auto device = load_this_device(); device.ok() && device->device.disk_read)
    options.drive = device->device.disk_read;
  PLIM_ASSIGN(const Augmentations augment, parse_augmentations(request.augment));
  PLIM_ASSIGN(DatasetPtr train, augmented(parts.train, augment, 1));
  if (train->info().type.input.dtype == DType::f32) {
    PLIM_ASSIGN(train, normalised(train, {}));
  }
  say(fmt::format("loading for {} s with each of {} numbers of workers …", options.each.value, options.workers.size()));
  LoadOutcome outcome{request.dataset.front(), {}};
  PLIM_ASSIGN(outcome.benchmark, benchmark_loader(train, options));
  return outcome;
}

Result<DataSummary> ask_data(const DatasetRequest& request, const DataLines& say, const DrawSummary& draw) {
  PLIM_TRY(check(request));
  PLIM_ASSIGN(const DataParts parts, open_parts(request, say));
  DataSummary summary{.name = request.dataset.front(), .info = parts.train->info()};
  const int workers = inspecting_workers(request);
  const std::pair<const char*, DatasetPtr> all[] = {
      {"train", parts.train}, {"validation", parts.validation}, {"test", parts.test}};
  for (const auto& [name, part] : all) {
    if (!part) continue;
    PLIM_ASSIGN(PartSummary seen, inspect_part(part, name, workers));
    summary.parts.push_back(std::move(seen));
  }
  if (request.report.value_or("").empty()) return summary;
  PLIM_ASSIGN(summary.strips, class_strips(parts.train, kDrawn));
  PLIM_TRY(draw(*request.report, summary));
  return summary;
}

}  // namespace plimsoll
