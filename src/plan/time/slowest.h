// Workers that wait for each other are as fast as the slowest of them, and of more workers the slowest is slower.
#pragma once

#include <cstdint>

namespace plimsoll {

// How many deviations above the mean the largest of `count` numbers is expected, when they vary as a normal
// distribution does: 0 for one, about 1.4 for eight, 3.2 for a thousand.
double slowest_of(int64_t count);

}  // namespace plimsoll
