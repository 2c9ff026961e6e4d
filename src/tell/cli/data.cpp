// plimsoll data: a look at a dataset, how fast it loads, and getting the ones that are known by name.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

#include "base/text.h"
#include "base/write_file.h"
#include "plan/devices/this_device.h"
#include "run/data/prepare.h"
#include "run/data/reshaped.h"
#include "tell/cli/command.h"
#include "tell/cli/data_flags.h"
#include "tell/cli/numbers.h"
#include "tell/report/data_report.h"

namespace plimsoll {
namespace {

constexpr int64_t kDrawn = 10;  // pictures of a class in the report

struct LookFlags {
  std::vector<std::string> words;
  std::string to, input, report, loaders, batch, augment;
  bool benchmark = false, json = false, quiet = false;
};

Result<int> get_set(const LookFlags& flags) {
  if (flags.words.size() != 2) {
    std::vector<std::string> names;
    for (const auto& set : obtainable_sets()) names.emplace_back(set.name);
    return user_error(fmt::format("data get needs one name, expected one of {}", fmt::join(names, ", ")));
  }
  PLIM_ASSIGN(const Obtained set,
              obtain(flags.words[1], flags.to.empty() ? data_home() : flags.to, true, obtain_lines(flags.quiet)));
  if (flags.json) {
    const Json json{{"schema", "plimsoll.data/1"},
                    {"name", flags.words[1]},
                    {"folder", printable(set.folder)},
                    {"was_there", set.was_there}};
    fmt::print("{}", json_text(json));
  } else {
    fmt::print("{} is in {}{}\n", flags.words[1], printable(set.folder),
               set.was_there ? "; it was there and is whole" : "");
  }
  return int(kExitDone);
}

// The parts of the set, as pictures of --input where that is given.
Result<DataParts> open_parts(const LookFlags& flags) {
  DataRequest request{.name = flags.words[0], .progress = obtain_lines(flags.quiet)};
  std::optional<TensorType> input;
  if (!flags.input.empty()) {
    auto shape = parse_shape(flags.input);
    if (!shape.ok()) return std::move(shape).error().in("--input");
    input = TensorType{shape->rank() == 1 ? DType::i64 : DType::f32, *shape};
    request.input = input;
  }
  PLIM_ASSIGN(DataParts parts, open_dataset(request));
  for (DatasetPtr* part : {&parts.train, &parts.validation, &parts.test})
    if (input && *part) {
      if ((*part)->info().type.input.dtype == DType::f32) input->dtype = DType::f32;
      PLIM_ASSIGN(*part, reshaped(*part, *input));
    }
  return parts;
}

Result<std::vector<int>> worker_counts(const LookFlags& flags, int64_t cores) {
  std::vector<int> counts;
  if (flags.loaders.empty()) {
    for (int64_t count = 1; count <= std::min<int64_t>(4 * cores, kMostLoaderWorkers); count *= 2)
      counts.push_back(int(count));
    return counts;
  }
  for (const auto& word : split(flags.loaders, ',')) {
    PLIM_ASSIGN(const int64_t count, parse_integer("--loaders", word, 0, kMostLoaderWorkers));
    counts.push_back(int(count));
  }
  std::sort(counts.begin(), counts.end());
  counts.erase(std::unique(counts.begin(), counts.end()), counts.end());
  return counts;
}

// What training would read: augmented and normalised.
Result<int> benchmark(const LookFlags& flags) {
  PLIM_ASSIGN(const DataParts parts, open_parts(flags));
  LoaderBenchmarkOptions options{.cores = read_this_machine().cores().value()};
  PLIM_ASSIGN(options.workers, worker_counts(flags, options.cores));
  if (!flags.batch.empty()) {
    PLIM_ASSIGN(options.batch, parse_integer("--batch", flags.batch, 1, kLargestSet));
  }
  if (const auto device = load_this_device(); device.ok() && device->device.disk_read)
    options.drive = device->device.disk_read;
  PLIM_ASSIGN(const Augmentations augment, parse_augmentations(flags.augment));
  PLIM_ASSIGN(DatasetPtr train, augmented(parts.train, augment, 1));
  if (train->info().type.input.dtype == DType::f32) {
    PLIM_ASSIGN(train, normalised(train, {}));
  }
  if (!flags.quiet)
    fmt::print(stderr, "loading for {} s with each of {} numbers of workers …\n", options.each.value,
               options.workers.size());
  PLIM_ASSIGN(const LoaderBenchmark result, benchmark_loader(train, options));
  if (flags.json) {
    Json json{{"schema", "plimsoll.data/1"}, {"name", printable(flags.words[0])}};
    json["benchmark"] = loader_json(result);
    fmt::print("{}", json_text(json));
  } else {
    fmt::print("{}", loader_text(result));
  }
  return int(kExitDone);
}

Status write_report(const LookFlags& flags, const DataLook& look) {
  const bool html = flags.report.ends_with(".html");
  return write_whole_file(flags.report, html ? data_html(look) : data_svg(look));
}

Result<int> look(const LookFlags& flags) {
  if (!flags.report.empty() && !flags.report.ends_with(".html") && !flags.report.ends_with(".svg"))
    return user_error(
        fmt::format("--report is {}, expected a name that ends in .html or .svg", plimsoll::in_quotes(flags.report)));
  PLIM_ASSIGN(const DataParts parts, open_parts(flags));
  PLIM_ASSIGN(const int workers, DataFlags{.loaders = flags.loaders}.read_loaders());
  DataLook all{.name = flags.words[0], .info = parts.train->info()};
  const std::pair<const char*, DatasetPtr> named[] = {
      {"train", parts.train}, {"validation", parts.validation}, {"test", parts.test}};
  for (const auto& [name, part] : named) {
    if (!part) continue;
    PLIM_ASSIGN(PartLook seen, look_at(part, name, workers));
    all.parts.push_back(std::move(seen));
  }
  if (!flags.report.empty()) {
    PLIM_ASSIGN(all.strips, class_strips(parts.train, kDrawn));
    PLIM_TRY(write_report(flags, all));
  }
  fmt::print("{}", flags.json ? json_text(data_json(all)) : data_text(all));
  if (!flags.report.empty() && !flags.json) fmt::print("Drawn in {}\n", printable(flags.report));
  return int(kExitDone);
}

Result<int> run_data(const LookFlags& flags) {
  if (flags.words[0] == "get") return get_set(flags);
  if (flags.words.size() > 1) return user_error(fmt::format("data has {} names, expected one", flags.words.size()));
  return flags.benchmark ? benchmark(flags) : look(flags);
}

std::string list_of_sets() {
  std::string text = "Known by name:\n";
  for (const auto& set : all_datasets()) text += fmt::format("  {:<16} {}\n", set.name, set.summary);
  return text;
}

}  // namespace

Action declare_data(CLI::App& app) {
  const auto flags = std::make_shared<LookFlags>();
  app.description(
      "A look at a dataset: samples of each class, sizes, mean and deviation, and every file that cannot be read. "
      "With\n"
      "--benchmark how fast it loads, by loader workers. 'data get NAME' obtains a set that is known by name, from\n"
      "packages of Debian and npm, and checks it.");
  app.footer(
      list_of_sets() +
      "Or a path: a folder with IDX files (plain or .gz) or CIFAR binaries, a folder of pictures with a folder a\n"
      "class (or train and test, each with a folder a class), a CSV file of label,text.\n"
      "Examples:\n"
      "  plimsoll data get fashion-mnist\n"
      "  plimsoll data fashion-mnist --report look.html\n"
      "  plimsoll data photos/ --input 3x64x64 --json\n"
      "  plimsoll data catsdogs --benchmark --loaders 1,2,4 --input 3x64x64\n"
      "Sets are kept in $PLIMSOLL_DATA, else in plimsoll/data below $XDG_CACHE_HOME or ~/.cache.\n"
      "Exit codes: 0 done, 2 a mistake in the flags or the data, 4 a download failed or the machine did.");
  app.add_option("DATASET", flags->words, "a name, a path, or get and a name")->required();
  app.add_option("--to", flags->to, "with get: keep sets below this folder instead")->type_name("DIR");
  app.add_option("--input", flags->input, "bring samples to this shape: 3x64x64 pictures, or 64 tokens")
      ->type_name("SHAPE");
  app.add_option("--report", flags->report, "draw counts and samples into this .html or .svg file")->type_name("FILE");
  app.add_flag("--benchmark", flags->benchmark, "samples/s for several numbers of loader workers, and the knee");
  app.add_option("--loaders", flags->loaders, "loader workers; with --benchmark a list: 1,2,4")->type_name("N");
  app.add_option("--batch", flags->batch, "with --benchmark: samples a batch (default 128)")->type_name("N");
  app.add_option("--augment", flags->augment, "with --benchmark: as in train, e.g. flip,shift:4")->type_name("LIST");
  app.add_flag("--json", flags->json, "one JSON document");
  app.add_flag("--quiet", flags->quiet, "no lines about what is being done");
  return [flags] { return run_data(*flags); };
}

}  // namespace plimsoll
