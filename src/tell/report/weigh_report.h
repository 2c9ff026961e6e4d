// A Weight as people and programs read it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "plan/time/time_to_result.h"
#include "plan/weight/layer_rows.h"

namespace plimsoll {

std::string weigh_text(const Weight& weight, const WeighView& view);
std::string weigh_markdown(const Weight& weight, const WeighView& view);
std::string weigh_csv(const Weight& weight, const WeighView& view);

// Several networks side by side; `trainings` is empty or has one entry a network.
std::string compare_text(const std::vector<Weight>& weights, const std::vector<Training>& trainings);
std::string compare_markdown(const std::vector<Weight>& weights, const std::vector<Training>& trainings);
std::string compare_csv(const std::vector<Weight>& weights, const std::vector<Training>& trainings);
}  // namespace plimsoll
