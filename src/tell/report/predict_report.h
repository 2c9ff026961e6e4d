// What predict says: the likeliest classes of each picture.
#pragma once

#include <string>
#include <vector>

#include "tell/report/json.h"

namespace plimsoll {

struct Guess {
  int64_t index = 0;
  std::string name;
  double probability = 0;
};

struct PredictView {
  std::string checkpoint;
  int64_t step = 0;
  struct Picture {
    std::string file;
    std::vector<Guess> classes;  // likeliest first
  };
  std::vector<Picture> pictures;
};

std::string predict_text(const PredictView& view);
Json predict_json(const PredictView& view);

// The `most` likeliest, equal ones in the order of their numbers. Classes without a name are called by their number.
std::vector<Guess> likeliest(const std::vector<double>& probabilities, const std::vector<std::string>& names,
                             size_t most);

}  // namespace plimsoll
