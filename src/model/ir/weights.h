// Weights: the numbers of a network's stored tensors, by name, read a piece at a time so that nobody needs to hold
// them. Where they come from is the business of each kind: freshly drawn, a model's file, a checkpoint.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "base/result.h"

namespace plimsoll {

class Weights {
 public:
  virtual ~Weights() = default;

  virtual bool has(const std::string& name) const = 0;

  // The numbers [first, first + into.size()) of a tensor that is there, row-major, as f32 whatever they are stored in.
  virtual Status read(const std::string& name, int64_t first, std::span<float> into) const = 0;
};

}  // namespace plimsoll
