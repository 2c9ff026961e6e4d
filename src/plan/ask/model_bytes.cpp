#include "plan/ask/model_bytes.h"

#include "model/hf/import_config.h"
#include "model/onnx/import.h"

namespace plimsoll {
namespace {

using Shared = Result<std::shared_ptr<const Graph>>;

Shared shared(Graph graph) { return std::make_shared<const Graph>(std::move(graph)); }

}  // namespace

Result<LoadedModel> read_model(std::string_view bytes) {
  const size_t start = bytes.find_first_not_of(" \t\r\n");
  if (start == std::string_view::npos || bytes[start] != '{') {  // no field of an .onnx file begins with this byte
    PLIM_ASSIGN(Graph graph, import_onnx_bytes(bytes));
    PLIM_ASSIGN(const auto kept, shared(std::move(graph)));
    return LoadedModel([kept](const ModelRequest&) -> Shared { return kept; });
  }
  PLIM_TRY(import_config_text(bytes));
  // A config's network depends on the tokens that are asked for.
  return LoadedModel([text = std::string(bytes)](const ModelRequest& request) -> Shared {
    PLIM_ASSIGN(Graph graph, import_config_text(text, {request.sequence, {}}));
    return shared(std::move(graph));
  });
}

}  // namespace plimsoll
