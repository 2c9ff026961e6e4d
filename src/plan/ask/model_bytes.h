// A network from memory: the bytes of an .onnx file, or the text of a Hugging Face config.json.
#pragma once

#include "plan/ask/verb.h"

namespace plimsoll {

// What AskContext::loaded wants. The bytes may go afterwards; mistakes in them are told here.
using LoadedModel = std::function<Result<std::shared_ptr<const Graph>>(const ModelRequest&)>;
Result<LoadedModel> read_model(std::string_view bytes);

}  // namespace plimsoll
