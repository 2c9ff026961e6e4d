// Stored numbers that are settings of the network and not learned, told by what they are.
#pragma once

#include <string_view>

#include "model/onnx/tensors.h"

namespace plimsoll {

// Numbers that nobody learns: zeros and one so low that a softmax makes nothing of it (a mask), or cosines or sines of
// angles that grow with the position from 0 on, or cosines beside sines of any. With `made_up`, of a name that an
// exporter made up, zeros alone too (a mask that hides nothing).
bool is_table(const onnx::TensorProto& tensor, const TensorType& type, const TensorFiles& files, bool made_up);

// The scale that an exporter writes for a norm without one.
bool is_all_ones(const onnx::TensorProto& tensor, const TensorType& type, const TensorFiles& files);

// "val_80", "unsqueeze_18", "onnx::Mul_123": named by an exporter, not by who wrote the network.
bool is_made_up_name(std::string_view name);

}  // namespace plimsoll
