// A convolution's fourth input, which is added to its result: the kernel adds to what lies in its output, so the
// summand is there before it runs. Mostly the plan has put both into the same memory, and nothing moves.
#pragma once

#include "run/exec/onednn/site.h"

namespace plimsoll {

// The kernel itself where there is no summand; it has said in which layout it gives its output.
std::unique_ptr<Kernel> onto_summand(Site& site, std::unique_ptr<Kernel> kernel);

}  // namespace plimsoll
