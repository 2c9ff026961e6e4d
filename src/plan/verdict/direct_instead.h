// What it costs when convolutions are computed directly because nothing else stays under the load line.
#pragma once

#include <optional>
#include <string>

#include "base/units.h"

namespace plimsoll {

// `transformed`, `direct`: the peaks; `slowdown`: of a step, where it can be predicted.
std::string direct_instead_text(Bytes transformed, Bytes direct, std::optional<double> slowdown);

// Of a time against another, where both are known.
std::optional<double> slowdown_of(std::optional<Seconds> direct, std::optional<Seconds> transformed);

}  // namespace plimsoll
