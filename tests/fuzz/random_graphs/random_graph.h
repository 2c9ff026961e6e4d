// random_graph: the network that belongs to a seed, its stored numbers, its input and how it is trained.
#pragma once

#include "model/optim/optimizer.h"
#include "model/passes/pipeline.h"
#include "run/exec/engine_options.h"
#include "tests/fuzz/random_graphs/graph_maker.h"

namespace plimsoll {

// The numbers of a random network's stored tensors, by name.
class StoredNumbers : public Weights {
 public:
  explicit StoredNumbers(const std::map<std::string, Tensor>& tensors) : tensors_(tensors) {}
  bool has(const std::string& name) const override { return tensors_.contains(name); }
  Status read(const std::string& name, int64_t first, std::span<float> into) const override;

 private:
  const std::map<std::string, Tensor>& tensors_;
};

struct RandomGraph {
  Graph graph;
  std::map<std::string, Tensor> stored;  // f32
  Tensor input;                          // f32
  uint64_t seed = 0;                     // of targets
  StepOptions step;
  ConvSetting conv = ConvSetting::automatic;
  std::string bricks;  // their names, in order
};

enum class Kind {
  any,      // whatever shapes, losses, optimizers
  picture,  // takes pictures of three channels and tells two classes: for the command line
};

RandomGraph random_graph(uint64_t seed, Kind kind = Kind::any);

}  // namespace plimsoll
