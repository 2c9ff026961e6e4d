// What `plimsoll data` says: a look at a dataset as text, JSON, a drawing (SVG) and a page (HTML); the loader's
// benchmark.
#pragma once

#include <string>
#include <vector>

#include "run/data/class_strips.h"
#include "run/data/loader_benchmark.h"
#include "run/data/look.h"
#include "tell/report/json.h"

namespace plimsoll {

struct DataLook {
  std::string name;
  DatasetInfo info;             // of the training part
  std::vector<PartLook> parts;  // the training part first
  std::vector<ClassStrip> strips;
};

std::string data_text(const DataLook& look);
Json data_json(const DataLook& look);

// Both stand alone: pictures are inside, nothing is loaded from elsewhere.
std::string data_svg(const DataLook& look);
std::string data_html(const DataLook& look);

std::string loader_text(const LoaderBenchmark& benchmark);
Json loader_json(const LoaderBenchmark& benchmark);

}  // namespace plimsoll
