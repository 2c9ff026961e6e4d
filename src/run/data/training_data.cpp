#include "run/data/training_data.h"

#include <algorithm>

#include "base/rows/named.h"
#include "plan/devices/this_machine.h"

namespace plimsoll {
namespace {

constexpr int64_t kDefaultLoaders = 8;

std::string set_names() {
  std::string names;
  for (const auto& set : all_datasets()) names += (names.empty() ? "" : ", ") + std::string(set.name);
  return names;
}

Row channels_row(const char* name, const std::string& help, double least, Edge edge) {
  return {
      .name = name, .subject = Subject::data, .help = help, .value = "LIST", .least = least, .most = 1e6, .edge = edge};
}

}  // namespace

Row data_row() {
  return {.name = "data",
          .subject = Subject::data,
          .help = set_names() + ", or the path of a file or folder; for language models text (.txt, .jsonl)",
          .value = "DATASET"};
}

Row loaders_row() {
  return {.name = "loaders",
          .subject = Subject::data,
          .help = "loader workers; 0: the training thread loads",
          .value = "N",
          .fallback = "one per core, at most 8",
          .least = 0,
          .most = double(kMostLoaderWorkers),
          .resume = OnResume::may_change,
          .workers_differ = true};
}

void TrainingData::describe(Fields& fields) {
  fields.add(data, data_row());
  fields.add(loaders, loaders_row());
  fields.add(validation, {.name = "validation",
                          .subject = Subject::data,
                          .help = "share of the training set that is kept for validation",
                          .value = "SHARE",
                          .least = 0,
                          .most = 0.9});
  fields.add(
      normalise,
      {.name = "normalise",
       .subject = Subject::data,
       .help =
           "how to scale samples: none, scale (divide by 255) or standard (then mean 0, deviation 1 for each channel)",
       .value = "HOW",
       .fallback = "scale; standard with " + named("mean")});
  fields.add(
      mean, channels_row(
                "mean", "mean of each channel after dividing by 255, e.g. 0.49,0.48,0.45 (default: the training set's)",
                -1e6, Edge::included));
  fields.add(deviation,
             channels_row("std", "with " + named("mean") + ": the deviation of each channel", 0, Edge::above));
  fields.add(augment, {.name = "augment",
                       .subject = Subject::data,
                       .help = "how to change training pictures at random: flip,shift:4,rotate:15,zoom:0.1,shear:0.1",
                       .value = "LIST"});
  fields.add(tokenizer,
             {.name = "tokenizer",
              .subject = Subject::data,
              .help = "tokenizer of a language model's text: bytes, bpe:N (N byte pairs learnt from it) or a "
                      "tokenizer.json",
              .value = "HOW",
              .fallback = fmt::format("the one beside a config.json, else {}", TokenizerChoice().text())});
  fields.add(bad_samples,
             {.name = "bad_samples",
              .subject = Subject::data,
              .help = "what to do about samples that cannot be read: stop, skip (at most 100 an epoch), or skip:N",
              .value = "HOW"});
}

int TrainingData::loader_workers() const {
  if (loaders) return int(*loaders);
  return int(std::clamp<int64_t>(read_this_machine().cores().value(), 1, kDefaultLoaders));
}

Result<PrepareOptions> TrainingData::preparation(uint64_t seed) const {
  PrepareOptions options{.seed = seed};
  options.validation = validation;
  options.normalise = normalise.value_or(mean.empty() ? Normalise::scale : Normalise::standard);
  if (mean.empty() != deviation.empty())
    return user_error(fmt::format("{} and {} go together, expected both or neither", named("mean"), named("std")));
  if (!mean.empty()) {
    if (options.normalise != Normalise::standard)
      return user_error(fmt::format("{} and {} need {} standard", named("mean"), named("std"), named("normalise")));
    options.statistics.mean = mean;
    options.statistics.deviation = deviation;
  }
  PLIM_ASSIGN(options.augment, parse_augmentations(augment));
  options.skip_bad = bad_samples.skip;
  return options;
}

Result<PreparedData> TrainingData::open(const NetworkInput& network, uint64_t seed, const DataLines& say) const {
  if (data.empty()) return user_error("no data is given", "name a set or a path with " + named("data"));
  PLIM_ASSIGN(const PrepareOptions options, preparation(seed));
  PLIM_ASSIGN(const DataParts parts,
              open_dataset({.name = data,
                            .input = network.sample,
                            .vocabulary = network.vocabulary,
                            .next_token = network.next_token,
                            .tokenizer = tokenizer.value_or(TokenizerChoice()),
                            .progress = [&](const std::string& what) { say(printable(what, 300) + " …"); }}));
  for (const auto& warning : parts.train->info().warnings) say("plimsoll: " + printable(warning, 500));
  return prepare(parts, network, options);
}

Result<BadSamples> Form<BadSamples>::parse(const Row&, const std::string& called, const std::string& text) {
  if (text == "stop") return BadSamples{};
  if (text == "skip") return BadSamples{.skip = true};
  if (!text.starts_with("skip:"))
    return user_error(fmt::format("{} is {}, expected stop, skip or skip:N", called, in_quotes(text)));
  PLIM_ASSIGN(const int64_t most, parse_integer(called, text.substr(5), 0, kLargestSet));
  return BadSamples{.skip = true, .most = most};
}

Json Form<BadSamples>::write(const BadSamples& value) {
  return value.skip ? fmt::format("skip:{}", value.most) : std::string("stop");
}

}  // namespace plimsoll
