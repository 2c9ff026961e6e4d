// The round numbers at an axis.
#pragma once

#include <vector>

namespace plimsoll {

// 3 to 7 round numbers that cover [low, high].
std::vector<double> round_ticks(double low, double high);

// Numbers of the form 1, 2, 5 times a power of ten that cover [low, high], 0 < low: every one, or powers of ten alone
// where those would be too many.
std::vector<double> logarithmic_ticks(double low, double high);

}  // namespace plimsoll
