// The named settings of a node (kernel_shape, axis, epsilon …), with ONNX's names and meanings. Copies share them until
// one is changed: steps are copied often, and settings are rarely changed.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "model/ir/tensor.h"

namespace plimsoll {

class Graph;

using Attribute = std::variant<int64_t, double, std::string, std::vector<int64_t>, std::vector<double>,
                               std::vector<std::string>, TensorPtr, std::shared_ptr<const Graph>>;

class Attributes {
 public:
  Attributes() = default;
  Attributes(std::initializer_list<std::pair<std::string, Attribute>> entries)
      : entries_(entries.size() == 0 ? nullptr : std::make_shared<Entries>(entries)) {}

  void set(std::string name, Attribute value);
  bool has(std::string_view name) const { return find(name) != nullptr; }
  const Attribute* find(std::string_view name) const;

  // The value, or the fallback when it is absent or of another type.
  int64_t integer(std::string_view name, int64_t fallback) const;
  double number(std::string_view name, double fallback) const;
  std::string text(std::string_view name, std::string_view fallback) const;
  std::vector<int64_t> integers(std::string_view name, std::vector<int64_t> fallback = {}) const;
  std::vector<double> numbers(std::string_view name) const;
  TensorPtr tensor(std::string_view name) const;
  std::shared_ptr<const Graph> graph(std::string_view name) const;

  const std::pair<std::string, Attribute>* begin() const { return entries_ ? entries_->data() : nullptr; }
  const std::pair<std::string, Attribute>* end() const {
    return entries_ ? entries_->data() + entries_->size() : nullptr;
  }

 private:
  using Entries = std::vector<std::pair<std::string, Attribute>>;
  std::shared_ptr<Entries> entries_;  // nullptr: none; changed only while nobody shares it
};

// "alpha=0.5, pads=[1 1]", in the order in which they were set; tensors by their shapes.
std::string print(const Attributes& attributes);

}  // namespace plimsoll
