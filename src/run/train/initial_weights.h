// InitialWeights: the numbers that a network's stored tensors start with, by the rules of start_rule.h.
//
// Each number follows from the seed, the tensor's name and its place in the tensor alone: it is the same whatever the
// order of the calls, the number of threads, the backend and the tensors around it. Contents that the Program carries
// itself (small tensors of an .onnx file) are used instead.
#pragma once

#include <unordered_map>

#include "model/ir/weights.h"
#include "run/train/start_rule.h"

namespace plimsoll {

class InitialWeights : public Weights {
 public:
  InitialWeights(const Program& program, uint64_t seed);

  bool has(const std::string& name) const override { return starts_.contains(name); }
  Status read(const std::string& name, int64_t first, std::span<float> into) const override;

 private:
  struct Start {
    StartRule rule;
    TensorPtr contents;
  };
  uint64_t seed_;
  std::unordered_map<std::string, Start> starts_;
};

}  // namespace plimsoll
