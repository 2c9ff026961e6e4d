// CheckpointWeights: the parameters and buffers of a checkpoint, read from its file when they are asked for.
#pragma once

#include "model/ir/program.h"
#include "model/ir/weights.h"
#include "run/train/safetensors.h"

namespace plimsoll {

class CheckpointWeights : public Weights {
 public:
  explicit CheckpointWeights(SafetensorsReader reader) : reader_(std::move(reader)) {}

  bool has(const std::string& name) const override;
  Status read(const std::string& name, int64_t first, std::span<float> into) const override;

  // Whether every parameter and buffer of the program is there in its shape; an Error names the first that is not.
  Status check(const Program& program) const;

 private:
  SafetensorsReader reader_;
};

}  // namespace plimsoll
