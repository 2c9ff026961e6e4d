// PLIM_CHECK: a condition that only a bug of ours can break. Always on, in every build.
//
// It prints the place and ends the process with exit code 3. No user input may reach one:
// what a user can cause is an Error (result.h).
#pragma once

#include <string_view>

namespace plimsoll::detail {

[[noreturn]] void check_failed(std::string_view file, int line, std::string_view condition, std::string_view message);

}  // namespace plimsoll::detail

#define PLIM_CHECK(condition, message) \
  (static_cast<bool>(condition) ? void(0) : ::plimsoll::detail::check_failed(__FILE__, __LINE__, #condition, (message)))
