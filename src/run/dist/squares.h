// Squared lengths of gradients, which an exchange looks at on their way. The same bits with every instruction set: the
// square of an f32 is exact in f64, and the order of the sums does not depend on the width of vectors.
#pragma once

#include <span>

namespace plimsoll {

// A finite number exactly when all of them are.
double square_of(std::span<const float> numbers);

// Of what they are afterwards: each multiplied by `factor`.
double scale_to_square(std::span<float> numbers, float factor);

// Adds them to a sum; the square is that of what is added.
double add_to_sum(std::span<float> sum, std::span<const float> numbers);

}  // namespace plimsoll
