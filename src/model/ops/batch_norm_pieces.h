// Batch norm of channels that lie in several tensors, one after the other: as if a concat had joined them, but nothing
// is copied and the whole need not exist. `norm_pieces` (passes) puts these in the place of a concat and its norms.
//   batch_norm_pieces:       x, scale, bias, mean, variance, more of x … → y
//   batch_norm_pieces_train: x, scale, bias, running mean, running variance, more of x …
//                            → y, new mean, new variance, and for the backward pass: the batch's mean and inverse
//                            deviation
//   batch_norm_pieces_grad:  dy, scale, mean, inverse deviation, bias, then for each piece x and what its gradient is
//                            added to, where there is something → dscale, dbias, dx of each piece
//                            bias, low and high as batch_norm_grad has them; dy may have more channels than the
//                            pieces: theirs begin at the attribute "first"
#pragma once

#include "model/ir/op.h"

namespace plimsoll {

const Op& batch_norm_pieces();
const Op& batch_norm_pieces_train();
const Op& batch_norm_pieces_grad();

// Which input is piece `k` of x, and how many there are.
inline size_t norm_piece(size_t k) { return k == 0 ? 0 : 4 + k; }
inline size_t norm_pieces_of(size_t inputs) { return inputs - 4; }

// The same of the backward pass. What the gradient of a piece is added to is the input after it; the gradient may be
// written over it.
inline size_t norm_grad_piece(size_t k) { return 5 + 2 * k; }
inline size_t norm_grad_pieces_of(size_t inputs) { return (inputs - 5) / 2; }
inline std::optional<size_t> norm_grad_summand(size_t output) {
  return output < 2 ? std::nullopt : std::optional(norm_grad_piece(output - 2) + 1);
}

}  // namespace plimsoll
