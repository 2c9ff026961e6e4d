// Batch norms that an exporter has multiplied into the convolutions before them: put back, so that the network is
// planned as it trains and not as it is used. Only for planning: the norms' own numbers are lost.
#pragma once

#include <string>
#include <vector>

#include "onnx/onnx.pb.h"

namespace plimsoll {

// Puts back what the file tells by its metadata (PyTorch's exporter since 2.5) or by the names of the weights (the one
// before it), and says how many tensors without numbers that took. Notes say what was put back, or that a network
// without any norm may have lost some.
int64_t restore_norms(onnx::ModelProto& model, std::vector<std::string>& notes);

}  // namespace plimsoll
