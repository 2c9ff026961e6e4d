// data, asked and answered. Three forms: a look at a dataset, how fast it loads by the number of loader workers, and
// getting a set that is known by name.
#pragma once

#include "run/data/class_strips.h"
#include "run/data/loader_benchmark.h"
#include "run/data/look.h"
#include "run/data/training_data.h"

namespace plimsoll {

struct LookRequest {
  std::vector<std::string> dataset;  // a name or a path; or "get" and a name
  std::optional<std::string> to;
  std::optional<Shape> input;
  std::optional<std::string> report;
  bool benchmark = false;
  std::vector<int64_t> loaders;
  int64_t batch = LoaderBenchmarkOptions{}.batch;
  std::string augment;

  void describe(Fields& fields);
  bool gets() const { return !dataset.empty() && dataset.front() == "get"; }
};

struct DataLook {
  std::string name;
  DatasetInfo info;             // of the training part
  std::vector<PartLook> parts;  // the training part first
  std::vector<ClassStrip> strips;
};

Bytes files_size(const DatasetInfo& info);

struct GetOutcome {
  std::string name;
  Obtained set;
};

struct LoadOutcome {
  std::string name;
  LoaderBenchmark benchmark;
};

// Draws a look into a file, whose name says as what.
using DrawLook = std::function<Status(const std::string& file, const DataLook& look)>;

// What is wrong with the request itself, before anything is read.
Status check(const LookRequest& request);

Result<GetOutcome> ask_get(const LookRequest& request, const DataLines& say);
Result<LoadOutcome> ask_load(const LookRequest& request, const DataLines& say);
// `draw` is called where a report is asked for.
Result<DataLook> ask_look(const LookRequest& request, const DataLines& say, const DrawLook& draw);

}  // namespace plimsoll
