// What tests of the export share: a network with fresh weights, as a file and back.
#pragma once

#include <gtest/gtest.h>

#include "model/ir/evaluate_graph.h"
#include "model/onnx/export.h"
#include "model/onnx/import.h"

namespace plimsoll {

// Small numbers that follow from the name and the place: a plain stand-in where no particular weights are meant.
class PlainWeights : public Weights {
 public:
  bool has(const std::string&) const override { return true; }
  Status read(const std::string& name, int64_t first, std::span<float> into) const override {
    const size_t start = name.ends_with("running_var") ? 500 : std::hash<std::string>()(name) % 1000;
    for (size_t i = 0; i < into.size(); ++i)
      into[i] = float((start + (size_t(first) + i) * 37) % 101) / 500 - (name.ends_with("running_var") ? -1.0F : 0.1F);
    return {};
  }
};

// The graph with all its weights in it, so that it can be evaluated.
inline Graph with_contents(Graph graph, const Weights& weights) {
  for (auto& value : graph.values) {
    if ((value.role != Role::parameter && value.role != Role::buffer) || !weights.has(value.name)) continue;
    Tensor tensor(TensorType{DType::f32, *bind(*value.shape, {})});
    EXPECT_TRUE(weights.read(value.name, 0, {tensor.as<float>(), tensor.size()}).ok());
    value.data = std::make_shared<Tensor>(std::move(tensor));
  }
  return graph;
}

inline Tensor sample_for(const Graph& graph, int64_t batch) {
  const Value& input = graph.value(graph.inputs[0]);
  Tensor tensor(TensorType{input.dtype, *bind(*input.shape, {{graph.batch_symbol, batch}})});
  for (size_t i = 0; i < tensor.size(); ++i) {
    if (input.dtype == DType::i64) tensor.as<int64_t>()[i] = int64_t(i * 7 % 50);
    else tensor.as<float>()[i] = float(i * 13 % 29) / 29 - 0.5F;
  }
  return tensor;
}

inline std::vector<double> outputs_of(const Graph& graph, const Tensor& sample) {
  auto outputs = evaluate_graph(graph, {std::make_shared<Tensor>(sample)});
  EXPECT_TRUE(outputs.ok()) << outputs.error().line();
  return outputs.ok() ? (*outputs)[0].doubles() : std::vector<double>{};
}

inline void expect_close(const std::vector<double>& a, const std::vector<double>& b, double tolerance) {
  ASSERT_EQ(a.size(), b.size());
  double largest = 0;
  for (const double number : a) largest = std::max(largest, std::abs(number));
  for (size_t i = 0; i < a.size(); ++i) ASSERT_NEAR(a[i], b[i], tolerance * largest) << "at " << i;
}

}  // namespace plimsoll
