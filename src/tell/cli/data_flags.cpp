#include "tell/cli/data_flags.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

#include "base/text.h"
#include "plan/devices/this_machine.h"
#include "tell/cli/numbers.h"

namespace plimsoll {
namespace {

constexpr int64_t kDefaultLoaders = 8;

Result<std::vector<double>> numbers_of(const std::string& flag, const std::string& text, double smallest, Edge edge) {
  std::vector<double> numbers;
  for (const auto& word : split(text, ',')) {
    PLIM_ASSIGN(const double number, parse_number(flag, word, smallest, edge, 1e6));
    numbers.push_back(number);
  }
  return numbers;
}

// Without a word: divided by 255, and as --mean says where it is given.
Result<Normalise> normalise_named(const std::string& name, bool mean_given) {
  if (name == "none") return Normalise::none;
  if (name == "scale" || (name.empty() && !mean_given)) return Normalise::scale;
  if (name.empty() || name == "standard") return Normalise::standard;
  return user_error(fmt::format("--normalise is {}, expected none, scale or standard", plimsoll::in_quotes(name)));
}

}  // namespace

void DataFlags::declare(CLI::App& app) {
  std::vector<std::string> names;
  for (const auto& set : all_datasets()) names.emplace_back(set.name);
  app.add_option("--data", data, fmt::format("{}, or the path of a file or folder", fmt::join(names, ", ")))
      ->type_name("DATASET");
  app.add_option("--loaders", loaders, "loader workers; 0: the training thread loads (default: one a core, at most 8)")
      ->type_name("N");
  app.add_option("--validation", validation, "share of the training set that is kept for validation (default 0.1)")
      ->type_name("SHARE");
  app.add_option("--normalise", normalise,
                 "none, scale (divide by 255; the default) or standard (then mean 0, deviation 1 by channel)")
      ->type_name("HOW");
  app.add_option("--mean", mean, "of each channel after dividing by 255, instead of the training set's: 0.49,0.48,0.45")
      ->type_name("LIST");
  app.add_option("--std", deviation, "with --mean: the deviation of each channel")->type_name("LIST");
  app.add_option("--augment", augment, "what happens to training pictures: flip,shift:4,rotate:15,zoom:0.1,shear:0.1")
      ->type_name("LIST");
  app.add_option("--bad-samples", bad_samples, "stop (the default), skip, or skip:N for at most N an epoch (skip: 100)")
      ->type_name("HOW");
}

Result<int> DataFlags::read_loaders() const {
  if (loaders.empty()) return int(std::clamp<int64_t>(read_this_machine().cores().value(), 1, kDefaultLoaders));
  PLIM_ASSIGN(const int64_t count, parse_integer("--loaders", loaders, 0, kMostLoaderWorkers));
  return int(count);
}

Result<BadSamples> DataFlags::read_bad_samples() const {
  if (bad_samples.empty() || bad_samples == "stop") return BadSamples{};
  if (bad_samples == "skip") return BadSamples{.skip = true};
  if (!bad_samples.starts_with("skip:"))
    return user_error(
        fmt::format("--bad-samples is {}, expected stop, skip or skip:N", plimsoll::in_quotes(bad_samples)));
  PLIM_ASSIGN(const int64_t most, parse_integer("--bad-samples", bad_samples.substr(5), 0, kLargestSet));
  return BadSamples{.skip = true, .most = most};
}

Result<PrepareOptions> DataFlags::read_preparation(uint64_t seed) const {
  PrepareOptions options{.seed = seed};
  if (!validation.empty()) {
    PLIM_ASSIGN(options.validation, parse_number("--validation", validation, 0, Edge::included, 0.9));
  }
  PLIM_ASSIGN(options.normalise, normalise_named(normalise, !mean.empty()));
  if (mean.empty() != deviation.empty()) return user_error("--mean and --std go together, expected both or neither");
  if (!mean.empty()) {
    if (options.normalise != Normalise::standard) return user_error("--mean and --std need --normalise standard");
    PLIM_ASSIGN(options.statistics.mean, numbers_of("--mean", mean, -1e6, Edge::included));
    PLIM_ASSIGN(options.statistics.deviation, numbers_of("--std", deviation, 0, Edge::above));
  }
  PLIM_ASSIGN(options.augment, parse_augmentations(augment));
  PLIM_ASSIGN(const BadSamples bad, read_bad_samples());
  options.skip_bad = bad.skip;
  return options;
}

Result<PreparedData> DataFlags::open(const NetworkInput& network, uint64_t seed, bool quiet) const {
  if (data.empty()) return user_error("no data is given", "name a set or a path with --data");
  PLIM_ASSIGN(const PrepareOptions options, read_preparation(seed));
  PLIM_ASSIGN(
      const DataParts parts,
      open_dataset(
          {.name = data, .input = network.sample, .vocabulary = network.vocabulary, .progress = obtain_lines(quiet)}));
  for (const auto& warning : parts.train->info().warnings)
    if (!quiet) fmt::print(stderr, "plimsoll: {}\n", printable(warning, 500));
  return prepare(parts, network, options);
}

ObtainProgress obtain_lines(bool quiet) {
  return [quiet](const std::string& what) {
    if (!quiet) fmt::print(stderr, "{} …\n", printable(what, 300));
  };
}

}  // namespace plimsoll
