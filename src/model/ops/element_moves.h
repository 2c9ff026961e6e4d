// What operations that move, select or repeat numbers share. They work by element size, so one
// piece of code serves every number type; indices from data are clamped, never trusted.
#pragma once

#include <algorithm>
#include <cstring>
#include <vector>

#include "model/ir/op.h"

namespace plimsoll {

// out[i0, i1 …] = in[start + i0·strides[0] + i1·strides[1] …], strides in elements.
void move_strided(const TensorView& in, int64_t start, const std::vector<int64_t>& strides, const TensorView& out);

inline void copy_element(const TensorView& in, int64_t from, const TensorView& out, int64_t to, size_t size) {
  std::memcpy(out.data + size_t(to) * size, in.data + size_t(from) * size, size);
}

// The numbers of an integer or bool tensor; empty for other types.
std::vector<int64_t> integers_of(const TensorView& view);

// Negative indices count from the end; what is still outside [0, size) is moved to its nearest end.
inline int64_t clamp_index(int64_t index, int64_t size) {
  return std::clamp<int64_t>(index < 0 ? index + size : index, 0, std::max<int64_t>(size - 1, 0));
}

// Axes counted from the front, none twice.
Result<std::vector<int>> read_axes(const std::vector<int64_t>& axes, int rank);

// Indices must be integers: an error names the input.
Status check_indices(const OpCall& call, size_t input);

// Inputs `first` … `last` (exclusive) must hold the same type of number as input 0.
Status check_same_dtype(const OpCall& call, size_t first, size_t last);

// f(offset, index) for every element of `shape` in row-major order.
template <class F>
void for_each_index(const Shape& shape, F&& f) {
  std::vector<int64_t> index(size_t(shape.rank()), 0);
  const int64_t total = shape.elements().value();
  for (int64_t offset = 0; offset < total; ++offset) {
    f(offset, index);
    for (int axis = shape.rank() - 1; axis >= 0 && ++index[size_t(axis)] == shape[axis]; --axis)
      index[size_t(axis)] = 0;
  }
}

}  // namespace plimsoll
