// Words beside the answer, on standard error. Where that is closed, or full, nobody reads them, and it stops nothing:
// a training goes on, an exit code stays what it is. (fmt::print would throw.)
#pragma once

#include <fmt/format.h>

#include <cstdio>
#include <string>
#include <utility>

namespace plimsoll {

template <class... Arguments>
void print_aside(fmt::format_string<Arguments...> text, Arguments&&... arguments) {
  const std::string said = fmt::format(text, std::forward<Arguments>(arguments)...);
  const size_t ignored = std::fwrite(said.data(), 1, said.size(), stderr);
  (void)ignored;
}

}  // namespace plimsoll
