// TrainedNetwork: a network with numbers for its weights, whatever it was given as: a run's folder or checkpoint, an
// .onnx file, or a zoo name, whose weights are then fresh ones.
#pragma once

#include <memory>
#include <string>

#include "model/ir/graph.h"
#include "model/ir/weights.h"
#include "tell/cli/model_flags.h"

namespace plimsoll {

struct TrainedNetwork {
  Graph graph;
  std::unique_ptr<Weights> weights;  // has every parameter and buffer
  std::string origin;                // of the weights: "checkpoint", "file", "fresh"
};

// A run's folder, or a checkpoint's .json or .safetensors.
bool is_checkpoint_name(const std::string& model);

// Flags of the model (--input, --classes) are for those that are not a run's; a run's are in its configuration.
Result<TrainedNetwork> load_trained(const std::string& model, const ModelFlags& flags, uint64_t seed);

}  // namespace plimsoll
