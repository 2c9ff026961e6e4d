// What `plimsoll data` says: a look at a dataset as text, a drawing (SVG) and a page (HTML); the loader's benchmark.
#pragma once

#include <string>

#include "run/data/data_request.h"

namespace plimsoll {

std::string data_text(const DataSummary& summary);

// Both stand alone: pictures are inside, nothing is loaded from elsewhere.
std::string data_svg(const DataSummary& summary);
std::string data_html(const DataSummary& summary);

std::string loader_text(const LoaderBenchmark& benchmark);

}  // namespace plimsoll
