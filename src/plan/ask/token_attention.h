// Which attention a language model's training really takes: a family that transformers computes from single operations
// cannot have PyTorch's own kernel.
#pragma once

#include "plan/ask/model_request.h"
#include "plan/llm/training_setup.h"

namespace plimsoll {

// Changes `setup` where it asks for a kernel that the family cannot have; what is to be said of it goes to `notes`.
Status take_possible_attention(TrainingSetup& setup, const ModelRequest& model, std::vector<std::string>& notes);

}  // namespace plimsoll
