#include "model/ops/element_moves.h"

#include <fmt/format.h>

#include "model/ir/for_type.h"

namespace plimsoll {

void move_strided(const TensorView& in, int64_t start, const std::vector<int64_t>& strides, const TensorView& out) {
  const size_t size = element_size(in.dtype());
  const Shape& shape = out.shape();
  const int64_t total = out.size();
  std::vector<int64_t> index(size_t(shape.rank()), 0);
  int64_t from = start;
  for (int64_t to = 0; to < total; ++to) {
    copy_element(in, from, out, to, size);
    for (int axis = shape.rank() - 1; axis >= 0; --axis) {
      const auto a = size_t(axis);
      from += strides[a];
      if (++index[a] < shape[axis]) break;
      from -= strides[a] * shape[axis];
      index[a] = 0;
    }
  }
}

std::vector<int64_t> integers_of(const TensorView& view) {
  std::vector<int64_t> numbers;
  if (is_floating(view.dtype())) return numbers;
  for_type(view.dtype(), [&](auto zero) {
    const auto* from = view.as<decltype(zero)>();
    numbers.assign(from, from + view.size());
  });
  return numbers;
}

Result<std::vector<int>> read_axes(const std::vector<int64_t>& axes, int rank) {
  std::vector<int> read;
  std::vector<bool> seen(size_t(rank), false);
  for (const int64_t axis : axes) {
    PLIM_ASSIGN(const int place, normalise_axis(axis, rank));
    if (seen[size_t(place)]) return user_error(fmt::format("axis {} is given twice", axis));
    seen[size_t(place)] = true;
    read.push_back(place);
  }
  return read;
}

Status check_indices(const OpCall& call, size_t input) {
  const DType type = call.dtype(input);
  if (is_floating(type) || type == DType::boolean || type == DType::string)
    return user_error(fmt::format("input {} holds {}, expected integer indices", input, name_of(type)));
  return {};
}

Status check_same_dtype(const OpCall& call, size_t first, size_t last) {
  for (size_t i = first; i < last && i < call.input_count(); ++i)
    if (call.has(i) && call.dtype(i) != call.dtype(0))
      return user_error(fmt::format("input {} holds {} and input 0 {}: expected one type", i, name_of(call.dtype(i)),
                                    name_of(call.dtype(0))));
  return {};
}

}  // namespace plimsoll
