// What rnn, gru and lstm share: sizes and their checks, the walk over directions, samples and steps,
// and the products of one step. Inputs as in ONNX: 0 X, 1 W, 2 R, 3 B, 4 sequence_lens, 5 initial_h
// (6 initial_c, 7 P for lstm). layout = 1 puts the batch first.
#pragma once

#include <functional>

#include "model/ops/doubles.h"
#include "model/ops/example.h"
#include "model/ops/fused_activation.h"

namespace plimsoll {

struct Recurrent {
  int64_t steps = 0, batch = 0, inputs = 0, hidden = 0, directions = 1, gates = 1;
  bool batch_first = false;
  bool backwards = false;               // of a single direction
  double clip = 0;                      // 0: none
  std::vector<Activation> activations;  // of each direction in turn

  Shape state() const;     // of initial_h and Y_h
  Shape sequence() const;  // of Y
};

// `defaults` names the activations of one direction; the cell has `gates` gates.
Result<Recurrent> recurrent(const OpCall& call, int64_t gates, const std::vector<std::string>& defaults);

// Y, Y_h and for a cell with a state of its own Y_c, as many as are asked for (at most `most`).
std::vector<TensorType> recurrent_types(const OpCall& call, const Recurrent& layer, size_t most);

// The gates' products with input and state, for each step, sample and direction. Their element-wise
// arithmetic is small beside them and left out, so flops are exactly twice the macs.
Cost recurrent_cost(const Recurrent& layer);

// One direction of one sample between two steps.
struct Cell {
  const Recurrent& layer;
  int64_t direction;
  const double *R, *recurrent_bias;  // nullptr: no bias
  std::vector<double> input;         // W · x + its bias, of all gates, for the step at hand
  std::vector<double> h, c;

  // Row j of gate g: R · state + its bias.
  double product(int64_t gate, int64_t j, const std::vector<double>& state) const;
  double from_input(int64_t gate, int64_t j) const { return input[size_t(gate * layer.hidden + j)]; }
  // The k-th activation of this direction, of a clipped number.
  double activate(size_t k, double x) const;
};

// Runs the layer: `step` brings cell.h (and cell.c) one step forward. Writes all outputs.
void run_recurrent(const OpCall& call, const Recurrent& layer, std::span<const TensorView> in,
                   std::span<const TensorView> out, const std::function<void(Cell&)>& step);

}  // namespace plimsoll
