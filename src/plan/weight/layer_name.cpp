#include "plan/weight/layer_name.h"

namespace plimsoll {

std::string layer_name(const Program& program, const Operation& operation) {
  if (operation.name.find_first_of("./") != std::string::npos) return operation.name;
  for (const ValueId id : operation.inputs) {
    if (!id.present() || program.value(id).role != Role::parameter) continue;
    const std::string& parameter = program.value(id).name;
    const size_t dot = parameter.rfind('.');
    if (dot != std::string::npos && dot > 0 && parameter.find('/') == std::string::npos)
      return parameter.substr(0, dot);
  }
  return operation.name;
}

std::string_view name_prefix(std::string_view name, int depth) {
  const char separator = name.find('/') != std::string_view::npos ? '/' : '.';
  const size_t first = name.starts_with('/') ? 1 : 0;
  size_t end = first;
  for (int part = 0; part < depth; ++part) {
    end = name.find(separator, end + (part > 0 ? 1 : 0));
    if (end == std::string_view::npos) return name.substr(first);
  }
  return name.substr(first, end - first);
}

}  // namespace plimsoll
