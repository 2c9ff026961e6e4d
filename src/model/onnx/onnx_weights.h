// OnnxWeights: the numbers of an imported network's parameters and buffers, read from the model's file or its external
// data when they are asked for. It owns the open file that was imported; an external file is opened for each read under
// the rules of external_data.h, so what was checked is what is read. f32, f64, f16 and bf16 are read; tensors of other
// types, sparse ones and those inside subgraphs are not there.
#pragma once

#include <memory>
#include <optional>

#include "model/ir/weights.h"
#include "model/onnx/tensors.h"

namespace plimsoll {

class OnnxWeights : public Weights {
 public:
  OnnxWeights(std::unique_ptr<ByteSource> model, std::optional<std::string> folder, OnnxTensors tensors)
      : model_(std::move(model)), external_(std::move(folder)), tensors_(std::move(tensors)) {}

  bool has(const std::string& name) const override;
  Status read(const std::string& name, int64_t first, std::span<float> into) const override;

 private:
  Status read_stored(const OnnxTensor& stored, int64_t first, std::span<float> into) const;

  std::unique_ptr<ByteSource> model_;
  ExternalData external_;
  OnnxTensors tensors_;
};

}  // namespace plimsoll
