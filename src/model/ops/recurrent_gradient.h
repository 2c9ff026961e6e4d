// The backward pass of rnn, gru and lstm through time. The states are computed again from the inputs, so that nothing
// else is kept: the forward products once more, then those for inputs and states, then those for the weights.
// A backward operation reads the gradients of Y, Y_h and Y_c (absent where the loss does not depend on them) and the
// layer's own inputs; it writes the gradients of X, W, R, B, initial_h, initial_c and P, as many as are asked for.
#pragma once

#include "model/ops/gradient.h"
#include "model/ops/recurrent.h"

namespace plimsoll {

// One step of one sample, backwards. A cell's rule reads `cell` (as it was before the step), turns dh and dc from
// gradients after the step into gradients before it, and sets the rest.
struct CellBack {
  Cell cell;
  std::vector<double> dh, dc;
  std::vector<double> from_input;  // by W · x + bias, of every gate
  std::vector<double> from_state;  // by R · state + bias, of every gate
  std::vector<double> kept;        // the state that the last gate's R was applied to; empty: h
  double* peepholes;               // the sum of P's gradient, of this direction

  double& input_slope(int64_t gate, int64_t j) { return from_input[size_t(gate * cell.layer.hidden + j)]; }
  double& state_slope(int64_t gate, int64_t j) { return from_state[size_t(gate * cell.layer.hidden + j)]; }
  // Adds Rᵀ · from_state of a gate to `state`.
  void through(int64_t gate, std::vector<double>& state) const;
};

// The layer's own call, of a call of its backward operation.
OpCall recurrent_forward(const OpCall& call);

Result<std::vector<TensorType>> infer_recurrent_grad(const OpCall& call, const Recurrent& layer);
Cost recurrent_grad_cost(const Recurrent& layer);
void run_recurrent_back(const Recurrent& layer, std::span<const TensorView> in, std::span<const TensorView> out,
                        const std::function<void(Cell&)>& step, const std::function<void(CellBack&)>& back);
void emit_recurrent_grad(Backward& backward, const Op& grad);

}  // namespace plimsoll
