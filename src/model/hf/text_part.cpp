// The text of a network of several parts, built by the family that it is of.
#include "base/text.h"
#include "model/hf/all_families.h"

#include <fmt/format.h>

namespace plimsoll {

Result<Graph> build_text_part(const Request& whole, const Config& text, const std::string& usual, bool tied,
                              Sight sight) {
  const std::string type = text.text("model_type", usual);
  PLIM_TRY(text.broken());
  for (const auto& family : all_families()) {
    if (family.model_type != type) continue;
    std::string architecture(family.usual);
    const size_t head = architecture.find("ForCausalLM");
    if (whole.is_model_alone() && head != std::string::npos) architecture = architecture.substr(0, head) + "Model";
    return family.build({text, whole.name, architecture, type, whole.sequence, std::move(sight), tied});
  }
  return user_error(fmt::format("the text part is of the type {}, which is not supported", in_quotes(type)),
                    "export it as .onnx, which works");
}

}  // namespace plimsoll
