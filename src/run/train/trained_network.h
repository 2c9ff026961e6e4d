// TrainedNetwork: a network with numbers for its weights, whatever it was given as: a run's folder or checkpoint, an
// .onnx file, or a zoo name, whose weights are then fresh ones.
#pragma once

#include <memory>
#include <string>

#include "model/ir/graph.h"
#include "model/ir/weights.h"
#include "plan/ask/model_request.h"
#include "run/train/network_notes.h"

namespace plimsoll {

struct TrainedNetwork {
  Graph graph;
  std::unique_ptr<Weights> weights;  // has every parameter and buffer
  std::string origin;                // of the weights: "checkpoint", "file", "fresh"
  NetworkNotes notes = {};           // how its input was prepared, what its outputs are called
};

// A run's folder, or a checkpoint's .json or .safetensors.
bool is_checkpoint_name(const std::string& model);

// Sizes in the request are for networks that are not a run's; a run's are in its configuration.
Result<TrainedNetwork> load_trained(const ModelRequest& request, uint64_t seed);

}  // namespace plimsoll
