// A language model of the zoo as serving sees it.
#pragma once

#include <gtest/gtest.h>

#include "model/ir/bind.h"
#include "model/zoo/language_models.h"
#include "plan/devices/all_devices.h"
#include "plan/serving/serving_fit.h"

namespace plimsoll {

inline ServedNetwork served_from(const Graph& graph) {
  BindOptions options;
  options.batch = 1;
  const auto program = bind(graph, options);
  EXPECT_TRUE(program.ok()) << program.error().line();
  auto served = served_network(*program);
  EXPECT_TRUE(served.ok()) << served.error().line();
  return *std::move(served);
}

inline ServedNetwork served(const std::string& name) {
  return served_from(*build_language_model(*find_language_model(name), 128));
}

inline ServingSetup serving_on(const ServedNetwork& network, const std::string& device, Framework framework,
                               const std::string& weights) {
  ServingSetup setup;
  setup.network = &network;
  setup.device = *load_device(device);
  setup.profile = find_serving_profile(framework, served_on(*setup.device));
  setup.weights = *find_weight_format(weights, "weights");
  setup.kv = *find_kv_format("bf16", "kv");
  return setup;
}

}  // namespace plimsoll
