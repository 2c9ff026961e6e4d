// compare_graph: a random network on every backend, in f32, against its reference maths in f64.
//
// How far f32 may be off follows from the network itself: the step runs again in f64 with noise of about ten roundings
// of f32 on every result. Where that moves a tensor by more than a hundredth of its largest number (a kink, a tie, a
// difference of nearly equal numbers) it tells nothing, and is left out.
#pragma once

#include <string>

#include "tests/fuzz/random_graphs/random_graph.h"

namespace plimsoll {

struct Comparison {
  std::string difference;  // not empty: the backends disagree, and where
  std::string refusal;     // not empty: all refuse it alike
  int64_t compared = 0;    // tensors
  int64_t left_out = 0;    // tensors that depend on the rounding
};

Comparison compare_graph(const RandomGraph& random);

// The same of its forward pass alone, as an inference.
RandomGraph forward_of(RandomGraph random);

// What another program should make of a forward pass: its first output, and how far it may be off. nullopt: that
// depends on the rounding, or it does not run.
struct Expected {
  std::vector<double> numbers;
  double tolerance = 0;
};
std::optional<Expected> expected_output(const RandomGraph& random);

}  // namespace plimsoll
