// data, asked and answered. Three forms: a look at a dataset, how fast it loads by the number of loader workers, and
// getting a set that is known by name.
#pragma once

#include "run/data/class_strips.h"
#include "run/data/inspect.h"
#include "run/data/loader_benchmark.h"
#include "run/data/training_data.h"

namespace plimsoll {

struct DatasetRequest {
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

struct DataSummary {
  std::string name;
  DatasetInfo info;                // of the training part
  std::vector<PartSummary> parts;  // the training part first
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
using DrawSummary = std::function<Status(const std::string& file, const DataSummary& summary)>;

// What is wrong with the request itself, before anything is read.
Status check(const DatasetRequest& request);

Result<GetOutcome> ask_get(const DatasetRequest& request, const DataLines& say);
Result<LoadOutcome> ask_load(const DatasetRequest& request, const DataLines& say);
// `draw` is called where a report is asked for.
Result<DataSummary> ask_data(const DatasetRequest& request, const DataLines& say, const DrawSummary& draw);

}  // namespace plimsoll
