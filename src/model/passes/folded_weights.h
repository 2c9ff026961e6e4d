// FoldedWeights: the weights of a Program whose batch norms went into its convolutions (Program::folded), from those of
// the network as it was. Where the norm's own tensors are not to be had, weights stay as they are.
#pragma once

#include <map>
#include <vector>

#include "model/ir/program.h"
#include "model/ir/weights.h"

namespace plimsoll {

class FoldedWeights : public Weights {
 public:
  // Borrows the source.
  static Result<FoldedWeights> make(const Program& program, const Weights& source);

  bool has(const std::string& name) const override { return source_->has(name); }
  Status read(const std::string& name, int64_t first, std::span<float> into) const override;

 private:
  explicit FoldedWeights(const Weights& source) : source_(&source) {}
  Status add(const Program& program, const FoldedNorm& folded);

  struct Scaled {
    int64_t numbers;             // of a channel
    std::vector<float> factors;  // of each channel
  };

  const Weights* source_;
  std::map<std::string, Scaled> scaled_;              // weights, by name
  std::map<std::string, std::vector<float>> biases_;  // by name
};

}  // namespace plimsoll
