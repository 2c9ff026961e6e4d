// A Weight as people and programs read it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "plan/time/time_to_result.h"
#include "plan/weight/weigh.h"
#include "tell/report/json.h"

namespace plimsoll {

struct WeighView {
  std::string sort;              // one of sort_keys(); empty: in the order they run
  int depth = 0;                 // parts of the name that make a group; 0: every layer
  int64_t top = 0;               // only the first rows; 0: all
  std::optional<int64_t> units;  // adds a column of rounds on so many units (R29)
};

const std::vector<std::string>& sort_keys();

std::string weigh_text(const Weight& weight, const WeighView& view);
std::string weigh_markdown(const Weight& weight, const WeighView& view);
std::string weigh_csv(const Weight& weight, const WeighView& view);
std::string weigh_json(const Weight& weight, const WeighView& view);
Json weigh_document(const Weight& weight, const WeighView& view);  // what weigh_json writes

// Several networks side by side; `trainings` is empty or has one entry a network (R9).
std::string compare_text(const std::vector<Weight>& weights, const std::vector<Training>& trainings);
std::string compare_markdown(const std::vector<Weight>& weights, const std::vector<Training>& trainings);
std::string compare_csv(const std::vector<Weight>& weights, const std::vector<Training>& trainings);
std::string compare_json(const std::vector<Weight>& weights, const WeighView& view,
                         const std::vector<Training>& trainings);

}  // namespace plimsoll
