// What data answers, key by key: a look at a dataset, the loader's benchmark, or where a set is now. Names of files and
// classes are a stranger's: they are shown as printable text.
#pragma once

#include <algorithm>

#include "base/rows/reply.h"
#include "run/data/data_request.h"

namespace plimsoll {

inline constexpr std::string_view kDataSchema = "plimsoll.data/1";
inline constexpr size_t kMostShownSizes = 20;

inline std::string_view schema_name(const GetOutcome*) { return "DataGet"; }

template <class V>
void describe(V& row, const GetOutcome* o) {
  row("name", "of the set", [=] { return o->name; });
  row("folder", "that it is in", [=] { return printable(o->set.folder); });
  row("was_there", "it had been obtained before, and is whole", [=] { return o->set.was_there; });
}

inline std::string_view schema_name(const LoaderRun*) { return "LoaderRun"; }

template <class V>
void describe(V& row, const LoaderRun* r) {
  row("loaders", "loader workers; 0: the training thread loads", [=] { return r->workers; });
  row("samples_per_second", "", [=] { return r->measured; });
  row("predicted_samples_per_second", "from one worker's rate; absent for 0 and 1", [=] { return r->predicted; });
}

inline std::string_view schema_name(const LoaderBenchmark*) { return "LoaderBenchmark"; }

template <class V>
void describe(V& row, const LoaderBenchmark* b) {
  row("cores", "", [=] { return b->cores; });
  row("sample_bytes", "of one sample on the disk, on average", [=] { return b->sample; });
  row("knee", "the fewest workers within 10 % of the fastest", [=] { return b->knee; });
  row("drive_bytes_per_second", "as probe measured it", [=] { return b->drive; });
  row("sentence", "the answer in words", [=] { return b->sentence; });
  row("runs", "one for each number of workers", [=] { return b->runs; });
}

inline std::string_view schema_name(const LoadOutcome*) { return "DataBenchmark"; }

template <class V>
void describe(V& row, const LoadOutcome* o) {
  row("name", "of the set", [=] { return printable(o->name); });
  row("benchmark", "", [=] { return o->benchmark; });
}

inline std::vector<std::string> printable_lines(const std::vector<std::string>& lines) {
  std::vector<std::string> shown;
  for (const auto& line : lines) shown.push_back(printable(line));
  return shown;
}

inline std::string_view schema_name(const PartSummary*) { return "PartSummary"; }

template <class V>
void describe(V& row, const PartSummary* p) {
  const auto pictures = [=] { return !p->statistics.mean.empty(); };
  row("part", "train, validation or test", [=] { return p->part; });
  row("samples", "", [=] { return p->samples; });
  row("counts", "samples of each class that could be read", [=] { return p->counts; });
  row("bad", "samples that could not be read", [=] { return p->bad_count; });
  row("mean", "of each channel, with pixels from 0 to 1",
      [=] { return pictures() ? std::optional(p->statistics.mean) : std::nullopt; });
  row("std", "the deviation of each channel",
      [=] { return pictures() ? std::optional(p->statistics.deviation) : std::nullopt; });
  row("unknown_words", "of texts: share of words that are not in the vocabulary",
      [=] { return pictures() ? std::nullopt : std::optional(p->unknown_share); });
  row("bad_samples", "what is wrong with them, the first thousand", [=] { return printable_lines(p->bad); });
}

inline std::string_view schema_name(const TensorType*) { return "SampleType"; }

template <class V>
void describe(V& row, const TensorType* t) {
  row("dtype", "number format", [=] { return name_of(t->dtype); });
  row("shape", "of one sample", [=] { return t->shape.dims(); });
}

inline std::string_view schema_name(const SizeCount*) { return "PictureSize"; }

template <class V>
void describe(V& row, const SizeCount* s) {
  row("width", "", [=] { return s->width; });
  row("height", "", [=] { return s->height; });
  row("count", "pictures of this size", [=] { return s->count; });
}

inline std::string_view schema_name(const DataSummary*) { return "DataSummary"; }

template <class V>
void describe(V& row, const DataSummary* l) {
  row("name", "of the set", [=] { return printable(l->name); });
  row("input", "one sample", [=] { return l->info.type.input; });
  row("classes", "their names", [=] { return printable_lines(l->info.class_names); });
  row("bytes", "of its files", [=] { return files_size(l->info); });
  row("identity", "of names, sizes and content", [=] { return fmt::format("{:016x}", l->info.identity); });
  row("parts", "the training part first", [=] { return l->parts; });
  row("sizes", "of pictures, the commonest first", [=] {
    auto sizes = l->info.sizes;
    sizes.resize(std::min(kMostShownSizes, sizes.size()));
    return sizes;
  });
  row("warnings", "", [=] { return printable_lines(l->info.warnings); });
}

}  // namespace plimsoll
