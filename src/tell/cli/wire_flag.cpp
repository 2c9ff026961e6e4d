#include "tell/cli/wire_flag.h"

#include <fmt/format.h>

#include "base/text.h"

namespace plimsoll {

Result<DType> parse_wire(const std::string& name) {
  for (const DType type : {DType::f32, DType::bf16, DType::f16})
    if (name == name_of(type)) return type;
  return user_error(fmt::format("--wire is {}, expected f32, bf16 or f16", in_quotes(name)));
}

}  // namespace plimsoll
