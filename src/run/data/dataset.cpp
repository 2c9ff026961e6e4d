#include "run/data/dataset.h"

namespace plimsoll {

Status check_unchanged(const Dataset& dataset) {
  if (!dataset.info().files) return {};
  for (const auto& file : *dataset.info().files) PLIM_TRY(check_unchanged(file));
  return {};
}

std::vector<std::string> numbered_classes(int64_t count) {
  std::vector<std::string> names;
  for (int64_t i = 0; i < count; ++i) names.push_back(std::to_string(i));
  return names;
}

}  // namespace plimsoll
