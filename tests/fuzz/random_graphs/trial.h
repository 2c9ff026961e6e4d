// try_graph: one training step of a random network on one backend: everything that it leaves behind, by name.
#pragma once

#include <map>

#include "run/exec/backend.h"
#include "tests/fuzz/random_graphs/random_graph.h"

namespace plimsoll {

// How exactly it computes.
struct Precision {
  DType type = DType::f32;
  double noise = 0;  // relative, put on every result on its way: f64 only
  uint64_t seed = 0;
};

struct Tried {
  std::string refusal;  // not empty: refused before it ran, and that is why
  std::map<std::string, std::vector<double>> numbers;
};

Tried try_graph(const RandomGraph& random, const Backend& backend, const Precision& precision);

}  // namespace plimsoll
