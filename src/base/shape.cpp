#include "base/shape.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "base/check.h"
#include "base/text.h"

namespace plimsoll {

void Shape::push_back(int64_t dim) {
  if (rank_ < kFew) {
    few_[rank_++] = dim;
    return;
  }
  std::vector<int64_t> longer = dims();
  longer.push_back(dim);
  assign(longer.data(), longer.size());
}

Count Shape::elements() const { return elements(0, rank()); }

Count Shape::elements(int first_axis, int last_axis) const {
  PLIM_CHECK(first_axis >= 0 && last_axis <= rank(), "a shape has no such axes");
  Count product(1);
  const int64_t* const dims = begin();
  for (int axis = first_axis; axis < last_axis; ++axis) product = product * Count(dims[axis]);
  return product;
}

std::vector<int64_t> Shape::strides() const {
  std::vector<int64_t> strides(static_cast<size_t>(rank_));
  for (int axis = rank() - 1; axis >= 0; --axis) strides[size_t(axis)] = elements(axis + 1, rank()).value();
  return strides;
}

std::string Shape::text() const { return rank_ == 0 ? "scalar" : fmt::format("{}", fmt::join(begin(), end(), "x")); }

Result<Shape> broadcast(const Shape& a, const Shape& b) {
  const int rank = std::max(a.rank(), b.rank());
  std::vector<int64_t> dims(size_t(rank), 1);
  for (int i = 1; i <= rank; ++i) {  // i-th axis from the right
    const int64_t x = i <= a.rank() ? a[a.rank() - i] : 1;
    const int64_t y = i <= b.rank() ? b[b.rank() - i] : 1;
    if (x != y && x != 1 && y != 1)
      return user_error(fmt::format("shapes {} and {} do not broadcast", a.text(), b.text()));
    dims[size_t(rank - i)] = x == 1 ? y : x;
  }
  return Shape(std::move(dims));
}

Result<int> normalise_axis(int64_t axis, int rank) {
  if (axis < -rank || axis >= rank)
    return user_error(fmt::format("axis {} is outside a tensor of rank {}", axis, rank));
  return int(axis < 0 ? axis + rank : axis);
}

SymbolicShape fixed(const Shape& shape) { return {shape.begin(), shape.end()}; }

std::string text(const SymbolicShape& shape) {
  std::string out;
  for (const auto& dim : shape)
    out += (out.empty() ? "" : "x") + (dim.is_symbolic() ? printable(dim.symbol, 80) : std::to_string(dim.size));
  return out.empty() ? "scalar" : out;
}

Result<Shape> bind(const SymbolicShape& shape, const Bindings& bindings) {
  std::vector<int64_t> dims;
  for (const auto& dim : shape) {
    if (!dim.is_symbolic()) {
      dims.push_back(dim.size);
    } else if (const auto bound = bindings.find(dim.symbol); bound != bindings.end()) {
      dims.push_back(bound->second);
    } else {
      return user_error(fmt::format("dimension {} of {} is not set", in_quotes(dim.symbol), text(shape)),
                        fmt::format("its size is needed: {}=N", printable(dim.symbol, 80)));
    }
  }
  return Shape(std::move(dims));
}

Result<Shape> parse_shape(const std::string& text) {
  const auto bad = [&] {
    return user_error(fmt::format("{} is not a shape, expected sizes of at least 1 joined by x", in_quotes(text)),
                      "for example 3x224x224");
  };
  std::vector<int64_t> dims;
  const char* at = text.data();
  const char* const end = at + text.size();
  while (true) {
    int64_t size = 0;
    const auto [next, error] = std::from_chars(at, end, size);
    if (error != std::errc() || size < 1) return bad();
    dims.push_back(size);
    if (next == end) break;
    if (*next != 'x' && *next != 'X' && *next != ',') return bad();
    at = next + 1;
  }
  return Shape(std::move(dims));
}

}  // namespace plimsoll
