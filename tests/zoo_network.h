// A network of the zoo, to be planned.
#pragma once

#include <memory>
#include <string>

#include "model/ir/bind.h"
#include "model/zoo/all_models.h"
#include "plan/verdict/network.h"

namespace plimsoll {

inline Network zoo_network(const std::string& name) {
  const auto graph = std::make_shared<const Graph>(*build_model(name, {}));
  return Network(name, [graph](std::optional<int64_t> batch, const NumberFormat& format) {
    return bind(*graph, {.batch = batch, .parameters = format.parameters, .activations = format.activations});
  });
}

}  // namespace plimsoll
