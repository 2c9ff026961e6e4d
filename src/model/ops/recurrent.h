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

  // Where the numbers begin: a state's of direction d and sample n, an input's and an output's at time t.
  int64_t state_at(int64_t d, int64_t n) const;
  int64_t input_at(int64_t t, int64_t n) const;
  int64_t output_at(int64_t t, int64_t d, int64_t n) const;
  // The time of direction d's i-th step over a sample of `length`.
  int64_t time(int64_t d, int64_t i, int64_t length) const { return backwards || d == 1 ? length - 1 - i : i; }
  // The length of sample n, from sequence_lens (empty: all steps).
  int64_t length(const std::vector<double>& lengths, int64_t n) const;
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
  // The k-th activation of this direction, of a clipped number, and its derivative.
  double activate(size_t k, double x) const;
  double slope(size_t k, double x) const;

 private:
  const Activation& activation(size_t k) const;
};

// The numbers that a layer reads.
struct RecurrentNumbers {
  std::vector<double> x, w, r, b, lengths, initial_h, initial_c;

  explicit RecurrentNumbers(std::span<const TensorView> in);
  // The cell before the first step of a sample.
  Cell cell(const Recurrent& layer, int64_t direction, int64_t sample) const;
  // Sets cell.input for a time.
  void read_input(Cell& cell, int64_t time, int64_t sample) const;
};

// Runs the layer: `step` brings cell.h (and cell.c) one step forward. Writes all outputs.
void run_recurrent(const Recurrent& layer, std::span<const TensorView> in, std::span<const TensorView> out,
                   const std::function<void(Cell&)>& step);

}  // namespace plimsoll
