#include "plan/ask/model_bytes.h"

#include "model/hf/import_config.h"
#include "model/onnx/import.h"

namespace plimsoll {

Result<ModelSource> read_model(std::string_view bytes) {
  ModelSource source{.name = "the model"};
  const size_t start = bytes.find_first_not_of(" \t\r\n");
  if (start == std::string_view::npos || bytes[start] != '{') {  // no field of an .onnx file begins with this byte
    PLIM_ASSIGN(Graph graph, import_onnx_bytes(bytes));
    source.graph = std::make_shared<const Graph>(std::move(graph));
  } else {
    PLIM_TRY(import_config_text(bytes));
    source.config = std::make_shared<const std::string>(bytes);
  }
  return source;
}

}  // namespace plimsoll
