#include "tell/cli/plot_flag.h"

#include <fmt/format.h>

#include "base/text.h"

namespace plimsoll {

Status check_plot_name(const std::string& name) {
  if (name.ends_with(".svg")) return {};
  return user_error(fmt::format("--plot is {}, expected a name that ends in .svg", in_quotes(name)));
}

}  // namespace plimsoll
