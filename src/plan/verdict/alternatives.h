// What would carry more than the present way: another number format, recomputation, micro-batches, a leaner optimizer,
// more devices. Each with its batch and how much longer a sample takes.
#pragma once

#include "plan/verdict/fit.h"

namespace plimsoll {

// Only those that carry more than answer.largest, the largest batch first.
std::vector<Alternative> alternatives(const FitQuestion& question, const FitAnswer& answer);

}  // namespace plimsoll
