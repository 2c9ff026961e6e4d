#include "tell/report/repeated_layers.h"

#include <gtest/gtest.h>

#include <fmt/format.h>

namespace plimsoll {
namespace {

LayerWeight layer(const std::string& name, int64_t params) {
  LayerWeight layer;
  layer.name = name;
  layer.op = "linear";
  layer.params = Count(params);
  layer.macs = Macs(10 * params);
  layer.flops = Flops(20 * params);
  return layer;
}

std::vector<LayerWeight> network(int64_t blocks) {
  std::vector<LayerWeight> rows{layer("model.embed", 1000)};
  for (int64_t i = 0; i < blocks; ++i) {
    rows.push_back(layer(fmt::format("model.layers.{}.q", i), 10));
    rows.push_back(layer(fmt::format("model.layers.{}.mlp.down", i), 30));
  }
  rows.push_back(layer("lm_head", 500));
  return rows;
}

std::vector<std::string> names_of(const std::vector<LayerWeight>& rows) {
  std::vector<std::string> names;
  for (const auto& row : rows) names.push_back(row.name);
  return names;
}

int64_t params_of(const std::vector<LayerWeight>& rows) {
  Count sum;
  for (const auto& row : rows) sum += row.params;
  return sum.value();
}

TEST(RepeatedLayers, StandInOneRowAfterTheFirst) {
  const auto rows = network(32);
  const auto shown = without_repeats(rows);
  EXPECT_EQ(names_of(shown), (std::vector<std::string>{"model.embed", "model.layers.0.q", "model.layers.0.mlp.down",
                                                       "model.layers.1 … 31", "lm_head"}));
  EXPECT_EQ(shown[3].op, "31 times the same");
  EXPECT_EQ(shown[3].params.value(), 31 * 40);
  EXPECT_EQ(shown[3].operations.value(), 62);
  EXPECT_EQ(params_of(shown), params_of(rows));
}

TEST(RepeatedLayers, WhatDiffersStartsAgain) {
  auto rows = network(9);
  rows[1 + 2 * 4].params = Count(11);  // the fifth block
  const auto shown = without_repeats(rows);
  EXPECT_EQ(names_of(shown),
            (std::vector<std::string>{"model.embed", "model.layers.0.q", "model.layers.0.mlp.down",
                                      "model.layers.1 … 3", "model.layers.4.q", "model.layers.4.mlp.down",
                                      "model.layers.5.q", "model.layers.5.mlp.down", "model.layers.6 … 8", "lm_head"}));
  EXPECT_EQ(params_of(shown), params_of(rows));
}

TEST(RepeatedLayers, TwoAlikeAreShownAsTheyAre) {
  EXPECT_EQ(without_repeats(network(2)).size(), network(2).size());
  EXPECT_TRUE(without_repeats({}).empty());
}

}  // namespace
}  // namespace plimsoll
