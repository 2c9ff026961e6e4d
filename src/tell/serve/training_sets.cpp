#include "tell/serve/training_sets.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "base/text.h"
#include "run/data/all_datasets.h"

namespace plimsoll {
namespace {

TrainingSet known_set(const NamedSet& set) {
  return {std::string(set.name), std::string(set.name), std::string(set.summary), set.classes};
}

Result<TrainingSet> set_at(const std::string& path) {
  PLIM_ASSIGN(const DataParts parts, open_dataset({.name = path}));
  const DatasetInfo& info = parts.train->info();
  std::filesystem::path place(path);
  if (!place.has_filename()) place = place.parent_path();  // of "pictures/"
  return TrainingSet{printable(place.filename().string(), 100), path,
                     fmt::format("{} samples, {} classes", with_commas(parts.train->size()), info.type.classes),
                     info.type.classes};
}

}  // namespace

Result<std::vector<TrainingSet>> training_sets(const std::vector<std::string>& given) {
  const auto known = all_datasets();
  std::vector<TrainingSet> sets;
  if (given.empty())
    for (const auto& set : known) sets.push_back(known_set(set));
  for (const auto& name : given) {
    const auto named = std::find_if(known.begin(), known.end(), [&](const NamedSet& set) { return set.name == name; });
    if (named != known.end()) {
      sets.push_back(known_set(*named));
      continue;
    }
    PLIM_ASSIGN(TrainingSet set, set_at(name));
    if (std::any_of(sets.begin(), sets.end(), [&](const TrainingSet& other) { return other.name == set.name; }))
      return user_error(fmt::format("two sets are called {}, expected names that differ", in_quotes(set.name)));
    sets.push_back(std::move(set));
  }
  return sets;
}

}  // namespace plimsoll
