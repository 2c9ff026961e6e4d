// A network from memory: the bytes of an .onnx file, or the text of a Hugging Face config.json.
#pragma once

#include "plan/ask/model_request.h"

namespace plimsoll {

// What AskContext::loaded points at. The bytes may go afterwards; mistakes in them are told here.
Result<ModelSource> read_model(std::string_view bytes);

}  // namespace plimsoll
