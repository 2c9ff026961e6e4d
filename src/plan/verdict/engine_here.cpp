#include "plan/verdict/engine_here.h"

namespace plimsoll {

bool is_engine_device(std::string_view name) {
  return name == "torch:cpu" || name == "cuda" || name.starts_with("cuda:");
}

}  // namespace plimsoll
