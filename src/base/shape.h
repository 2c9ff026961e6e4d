// Shapes: concrete (Shape, all sizes known) and as a network states them (SymbolicShape,
// where a dimension may be a name such as "batch" that is bound to a number later).
#pragma once

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/check.h"
#include "base/result.h"
#include "base/units.h"

namespace plimsoll {

class Shape {
 public:
  Shape() = default;
  Shape(std::initializer_list<int64_t> dims) { assign(dims.begin(), dims.size()); }
  explicit Shape(const std::vector<int64_t>& dims) { assign(dims.data(), dims.size()); }
  Shape(const Shape& other) { assign(other.begin(), size_t(other.rank_)); }
  Shape(Shape&& other) noexcept { swap(other); }
  Shape& operator=(const Shape& other) {
    if (this != &other) assign(other.begin(), size_t(other.rank_));
    return *this;
  }
  Shape& operator=(Shape&& other) noexcept {
    swap(other);
    return *this;
  }
  ~Shape() = default;

  int rank() const { return rank_; }
  int64_t operator[](int axis) const { return begin()[checked(axis)]; }
  int64_t& operator[](int axis) { return data()[checked(axis)]; }
  std::vector<int64_t> dims() const { return {begin(), end()}; }
  void push_back(int64_t dim);
  const int64_t* begin() const { return many_ ? many_.get() : few_; }
  const int64_t* end() const { return begin() + rank_; }
  bool operator==(const Shape& other) const { return std::equal(begin(), end(), other.begin(), other.end()); }

  Count elements() const;                               // 1 for a scalar; saturates
  Count elements(int first_axis, int last_axis) const;  // product over [first, last)
  std::vector<int64_t> strides() const;                 // row major, in elements
  std::string text() const;                             // "64x3x7x7", "scalar"

 private:
  static constexpr int kFew = 5;  // batch, channels and three axes

  int64_t* data() { return many_ ? many_.get() : few_; }
  void assign(const int64_t* dims, size_t rank) {
    many_ = rank > size_t(kFew) ? std::make_unique<int64_t[]>(rank) : nullptr;
    rank_ = int(rank);
    std::copy_n(dims, rank, data());
  }
  void swap(Shape& other) noexcept {
    std::swap(rank_, other.rank_);
    std::swap(few_, other.few_);
    many_.swap(other.many_);
  }
  int checked(int axis) const {
    PLIM_CHECK(axis >= 0 && axis < rank_, "a shape has no such axis");
    return axis;
  }

  int rank_ = 0;
  int64_t few_[kFew] = {};           // in place: most of what planning takes from the heap would be shapes
  std::unique_ptr<int64_t[]> many_;  // all of them, where they are more; room for exactly as many
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
