// The data that trainings of the page may read: what the server was started with, else the sets that are known by name.
// A page knows them by name; where they are stays here.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"

namespace plimsoll {

struct TrainingSet {
  std::string name, source, summary;
  int64_t classes = 0;  // 0: texts without labels
};

// `given`: names of sets and paths, each of which is looked at. Empty: all that have a name.
Result<std::vector<TrainingSet>> training_sets(const std::vector<std::string>& given);

}  // namespace plimsoll
