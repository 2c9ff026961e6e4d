// The zoo: networks known by name. A new one is a function in its family's file and a line in
// all_models.cpp.
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "model/ir/graph.h"

namespace plimsoll {

struct ZooOptions {
  std::optional<Shape> input;      // one sample; the network's own by default
  std::optional<int64_t> classes;  // outputs of the last layer; the network's own by default
};

struct ZooModel {
  std::string_view name;     // torchvision's where it has one
  std::string_view summary;  // one line, with the source
  Shape input;               // of one sample, by default
  int64_t classes;           // 0: no classifier unless classes are asked for
  DType input_type;          // f32 images, i64 tokens
  Result<Graph> (*build)(const ZooModel& self, const Shape& input, int64_t classes);
};

// One of a family's image networks: its build function with one of its configurations.
template <auto build, const auto& config>
ZooModel configured(std::string_view name, std::string_view summary) {
  return {
      name, summary, {3, 224, 224}, 1000, DType::f32, [](const ZooModel& self, const Shape& input, int64_t classes) {
        return build(self, input, classes, config);
      }};
}

std::span<const ZooModel> all_models();
const ZooModel* find_model(std::string_view name);

// The graph of a zoo network, or an Error: an unknown name with the nearest ones, an input of
// the wrong rank, classes below 1.
Result<Graph> build_model(std::string_view name, const ZooOptions& options);

}  // namespace plimsoll
