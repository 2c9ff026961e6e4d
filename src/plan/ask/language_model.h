// A ModelRequest that names a network of transformers: its graph follows the sequence that is asked for.
#pragma once

#include "plan/ask/model_request.h"

namespace plimsoll {

// The graph alone, weights unread.
Result<std::shared_ptr<const Graph>> load_graph(const ModelRequest& request);

// By the name of the zoo, or as a config.json or .gguf.
bool is_language_model(const ModelRequest& request);

}  // namespace plimsoll
