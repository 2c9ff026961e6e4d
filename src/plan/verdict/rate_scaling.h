// What a larger batch does to the learning rate, and the warm-up that goes with it.
#pragma once

#include <cstdint>
#include <string_view>

namespace plimsoll {

enum class RateRule { linear, square_root, none };

std::string_view name_of(RateRule rule);  // "linear", "sqrt", "none"

// Linear for SGD and its kin (Goyal et al. 2017), the square root for optimizers that divide by the gradient's size.
RateRule usual_rule(std::string_view optimizer);

// Of the learning rate at `batch` over that at `reference`.
double rate_factor(RateRule rule, double batch, double reference);

// The rate grows to its value over five epochs (Goyal et al. 2017), but never over more than a quarter of the run. None
// where the rate does not grow.
int64_t warm_up_steps(double factor, double samples, double batch, double steps);

}  // namespace plimsoll
