// Shapes: concrete (Shape, all sizes known) and as a network states them (SymbolicShape,
// where a dimension may be a name such as "batch" that is bound to a number later).
#pragma once

#include <cstdint>
#include <initializer_list>
#include <map>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/units.h"

namespace plimsoll {

class Shape {
 public:
  Shape() = default;
  Shape(std::initializer_list<int64_t> dims) : dims_(dims) {}
  explicit Shape(std::vector<int64_t> dims) : dims_(std::move(dims)) {}

  int rank() const { return int(dims_.size()); }
  int64_t operator[](int axis) const { return dims_.at(size_t(axis)); }
  int64_t& operator[](int axis) { return dims_.at(size_t(axis)); }
  const std::vector<int64_t>& dims() const { return dims_; }
  void push_back(int64_t dim) { dims_.push_back(dim); }
  auto begin() const { return dims_.begin(); }
  auto end() const { return dims_.end(); }
  bool operator==(const Shape&) const = default;

  Count elements() const;                               // 1 for a scalar; saturates
  Count elements(int first_axis, int last_axis) const;  // product over [first, last)
  std::vector<int64_t> strides() const;                 // row major, in elements
  std::string text() const;                             // "64x3x7x7", "scalar"

 private:
  std::vector<int64_t> dims_;
};

// The shape both broadcast to by the numpy rule, or an error that shows both.
Result<Shape> broadcast(const Shape& a, const Shape& b);

// -1 → rank-1; an error names the axis and the rank.
Result<int> normalise_axis(int64_t axis, int rank);

struct Dim {
  int64_t size = 0;
  std::string symbol;  // not empty: the size is whatever the symbol is bound to

  Dim(int64_t fixed) : size(fixed) {}
  explicit Dim(std::string name) : symbol(std::move(name)) {}
  bool is_symbolic() const { return !symbol.empty(); }
  bool operator==(const Dim&) const = default;
};

using SymbolicShape = std::vector<Dim>;
using Bindings = std::map<std::string, int64_t>;  // symbol → size

SymbolicShape fixed(const Shape& shape);
std::string text(const SymbolicShape& shape);
Result<Shape> bind(const SymbolicShape& shape, const Bindings& bindings);

// "3x224x224" → {3, 224, 224}; sizes of at least 1.
Result<Shape> parse_shape(const std::string& text);

}  // namespace plimsoll
