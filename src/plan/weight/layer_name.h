// The name a layer is shown under, and its parts for grouping.
#pragma once

#include <string>
#include <string_view>

#include "model/ir/program.h"

namespace plimsoll {

// The operation's name, unless its parameters tell better: exporters write "Conv_12" for what the
// author called "layer1.0.conv1", but keep "layer1.0.conv1.weight".
std::string layer_name(const Program& program, const Operation& operation);

// The first `depth` parts of a name: "layer1" of "layer1.0.conv1" and of "/layer1/layer1.0/conv1/Conv".
std::string_view name_prefix(std::string_view name, int depth);

}  // namespace plimsoll
